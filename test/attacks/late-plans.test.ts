/** What performers only intend when a contributor has written meanwhile: it is dropped, whenever they come to it. */
import { agent, type ContextPlan, memoryJournal, pause, stop, tool } from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { beforeAll, expect, it } from 'vitest'
import { eventsOf } from '../support/threads.ts'
import { loadAll } from './load-all.ts'

beforeAll(loadAll)

/** As many moments as a stop takes from its request to the next decision, and some. */
const moments = 60

const laterBy = async (steps: number): Promise<void> => {
  for (let step = 0; step < steps; step += 1) await null
}

it.each([
  ['a stop', stop],
  ['a pause', pause],
] as const)('a plan of a strategy that comes after %s is not recorded, at whichever moment it comes', async (_, request) => {
  for (let moment = 0; moment < moments; moment += 1) {
    const journal = memoryJournal()
    const asked = Promise.withResolvers<void>()
    const planned = Promise.withResolvers<ContextPlan>()
    const context = {
      name: 'slow',
      assemble: () => {
        asked.resolve()
        return planned.promise
      },
    }
    const run = agent({ model: scriptedModel(() => 'ok'), context, journal }).start('go', { thread: 't' })
    await asked.promise
    const requested = request(journal, 't')
    await laterBy(moment)
    planned.resolve({ items: [{ kind: 'note', id: 'n', origin: 'test', text: 'late' }] })
    await requested
    await run.result()
    assertHistory(await eventsOf(journal, 't'))
  }
})

it('an unsafe call whose rule answers after a stop is not begun, at whichever moment it answers', async () => {
  for (let moment = 0; moment < moments; moment += 1) {
    const journal = memoryJournal()
    const asked = Promise.withResolvers<void>()
    const judged = Promise.withResolvers<'allow'>()
    const permission = (): Promise<'allow'> => {
      asked.resolve()
      return judged.promise
    }
    const pay = tool({ name: 'pay', permission, run: () => 'paid' })
    const model = scriptedModel([{ calls: [{ tool: 'pay' }] }, 'ok'])
    const run = agent({ model, tools: [pay], journal }).start('go', { thread: 't' })
    await asked.promise
    const requested = stop(journal, 't')
    await laterBy(moment)
    judged.resolve('allow')
    await requested
    await run.result()
    const events = await eventsOf(journal, 't')
    assertHistory(events)
    const places = ['run.stop-requested', 'tool.started'].map((type) => events.findIndex((event) => event.type === type))
    expect((places[1] as number) < (places[0] as number)).toBe(true)
  }
})
