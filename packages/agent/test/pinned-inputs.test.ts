import { agent, compress, judgeStrategy, summarizeReplays, tool, window } from '@loom-agent/agent'
import { assertHistory, checkContexts, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'

const filler = 'Some talk that fills the room. '.repeat(15)
const limits = { turns: 200, loop: false } as const

const sees = (model: ScriptedModel, request: number, text: string): boolean => JSON.stringify(model.requests[request]?.prompt).includes(text)

describe.each(['steer', 'queue'] as const)('an input that is pinned, given to a busy thread with whenBusy: %s,', (whenBusy) => {
  async function live() {
    const given = Promise.withResolvers<void>()
    const busy = Promise.withResolvers<void>()
    let looks = 0
    const look = tool({
      name: 'look',
      effect: 'read',
      run: async () => {
        looks += 1
        busy.resolve()
        await given.promise
        return `${looks} ${filler}`
      },
    })
    const model = scriptedModel(() => (looks < 20 ? { calls: [{ tool: 'look' }] } : 'Fine.'))
    const worker = agent({ model, tools: [look], context: compress({ max: 1200 }), limits })
    const first = worker.start('Look.', { thread: 't' })
    await busy.promise
    const second = worker.start('THE DOOR STAYS SHUT.', { thread: 't', pin: true, whenBusy })
    // The run has its place once a viewer of it has seen an event.
    while (!(await eventsOf(worker, 't')).some(({ type }) => type === 'message.steered' || type === 'run.queued')) await Promise.resolve()
    given.resolve()
    await Promise.all([first.result(), second.result()])
    for (let more = 0; more < 3; more += 1) {
      looks = 0
      await worker.run(`Look again, ${more}.`, { thread: 't' })
    }
    return { worker, model }
  }

  test('is in every request from then on', async () => {
    const { worker, model } = await live()
    const events = await eventsOf(worker, 't')
    assertHistory(events)
    expect(checkContexts(events, model.requests)).toEqual([])
    const first = model.requests.findIndex((_, index) => sees(model, index, 'THE DOOR'))
    expect(first).toBeGreaterThan(0)
    expect(model.requests.flatMap((_, index) => (index >= first && !sees(model, index, 'THE DOOR') ? [index] : []))).toEqual([])
    // And under any other strategy.
    const summary = await summarizeReplays(worker.replayAll(['t'], { with: { context: window({ turns: 1 }) } }))
    expect(judgeStrategy(summary, {}).violations).toEqual([])
  })
})

test('a fork that is driven pins what the record has pinned', async () => {
  const model = scriptedModel(() => filler)
  const talker = agent({ name: 'talker', model, instructions: 'Be kind.', context: window({ turns: 2 }), limits })
  await talker.run('Hello.', { thread: 't' })
  await talker.run('THE DOOR STAYS SHUT.', { thread: 't', pin: true })
  for (let number = 0; number < 8; number += 1) await talker.run(`Question ${number}`, { thread: 't' })
  const { driveFork } = await talker.replay('t', {
    with: { instructions: 'Be brief.' },
    mode: 'continue-live',
    fork: { limits: { tokens: 1_000_000 } },
  })
  const live = await driveFork?.()
  expect(live?.inputsLeft).toBe(0)
  expect(sees(model, -1 + model.requests.length, 'Question 7')).toBe(true)
  expect(sees(model, -1 + model.requests.length, 'THE DOOR')).toBe(true)
})
