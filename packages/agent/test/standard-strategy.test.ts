/** What an agent shows its model that was given no strategy. */
import { type AgentHost, agent, compress, createAgentFactory, everything, memoryJournal, tool } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { longRun } from '../../../test/support/long-run.ts'
import { eventsOf, factsOf, type Journaled } from '../../../test/support/threads.ts'

const limits = { turns: 2000, loop: false } as const
const describing = (window: number): AgentHost => ({ describeModel: () => ({ window, output: 1000 }) })
const reasonsOf = async (where: Journaled): Promise<readonly string[]> =>
  (await factsOf(where, 't', 'context.assembled')).flatMap(({ data }) => data.rebase?.reason ?? [])

/** Runs so many turns of 4 kB without a strategy. */
async function walked({ turns, host = {}, options = {} }: { turns: number; host?: AgentHost; options?: object }) {
  const run = longRun({ seed: 7, turns })
  const worker = createAgentFactory(host)({ model: run.model, tools: { look: run.look }, limits, ...options })
  const { status } = await worker.run(run.prompt, { thread: 't' })
  return { run, worker, status }
}

describe('an agent without a strategy', () => {
  test('compresses where the window of its model is known', async () => {
    const { run, worker, status } = await walked({ turns: 60, host: describing(16_000) })
    expect(status).toBe('done')
    expect(Math.max(...run.tokens)).toBeLessThanOrEqual(16_000)
    expect(new Set(await reasonsOf(worker))).toEqual(new Set(['start', 'compress']))
  })

  test('compresses to the window that it is given', async () => {
    const { run } = await walked({ turns: 60, options: { window: 16_000 } })
    expect(Math.max(...run.tokens)).toBeLessThanOrEqual(16_000)
  })

  test('shows everything where nobody knows the window', async () => {
    const { worker } = await walked({ turns: 60, host: { describeModel: () => undefined } })
    expect(await reasonsOf(worker)).toEqual(['start'])
  })

  test('decides as compress() does', async () => {
    const [given, left] = await Promise.all([
      walked({ turns: 60, host: describing(16_000), options: { context: compress(), behaviour: { readMore: false } } }),
      walked({ turns: 60, host: describing(16_000) }),
    ])
    const plansOf = async (where: Journaled): Promise<unknown> => (await factsOf(where, 't', 'context.assembled')).map(({ data }) => data)
    expect(await plansOf(left.worker)).toEqual(await plansOf(given.worker))
  })

  test('asks nobody about its model while the conversation is short', async () => {
    let asked = 0
    const host: AgentHost = {
      describeModel() {
        asked += 1
        return { window: 16_000 }
      },
    }
    await walked({ turns: 1, host })
    expect(asked).toBe(0)
    await walked({ turns: 40, host })
    expect(asked).toBe(1)
  })

  test('is the same agent as one that shows everything', () => {
    expect(definitionOf(agent({ name: 'a' })).fingerprint()).toBe(definitionOf(agent({ name: 'a', context: everything })).fingerprint())
  })

  test('makes room after a request that was too long, where the window is known', async () => {
    let calls = 0
    const look = tool({ name: 'look', effect: 'read', run: () => `${++calls} ${'stone river '.repeat(300)}` })
    const tooLong = { throws: Object.assign(new Error('prompt is too long: 9000 tokens > 8000 maximum'), { statusCode: 400 }) }
    const turns = Array.from({ length: 4 }, () => ({ calls: [{ tool: 'look' }] }))
    const model = scriptedModel([...turns, tooLong, 'Done.'])
    const worker = createAgentFactory(describing(30_000))({ model, tools: { look }, limits })
    expect((await worker.run('Go.', { thread: 't' })).status).toBe('done')
    expect(await reasonsOf(worker)).toEqual(['start', 'overflow'])
  })

  test('compresses on demand', async () => {
    const { worker } = await walked({ turns: 10, host: describing(16_000) })
    await worker.compact('t')
    await worker.with({ model: scriptedModel(['ok']) }).run('And now?', { thread: 't' })
    expect((await reasonsOf(worker)).at(-1)).toBe('compact')
  })
})

describe('a thread that was recorded before there was a default', () => {
  const recorded = async (turns: number) => {
    const journal = memoryJournal()
    await walked({ turns, host: describing(16_000), options: { context: everything, journal } })
    return createAgentFactory(describing(16_000))({ tools: { look: longRun({ seed: 7, turns }).look }, limits, journal })
  }

  test('is replayed without a difference where everything fits', async () => {
    const worker = await recorded(8)
    expect((await worker.replay('t')).divergence).toBeUndefined()
  })

  test('differs where it would have been cut', async () => {
    const worker = await recorded(40)
    const { divergence, totals } = await worker.replay('t')
    expect(divergence?.turn).toBeGreaterThan(8)
    expect(totals.tokens.replayed).toBeLessThan(totals.tokens.recorded)
  })

  test('goes on with one rebase, and only when it has to', async () => {
    const worker = await recorded(8)
    await worker.with({ model: scriptedModel(['ok']) }).run('And now?', { thread: 't' })
    expect(await reasonsOf(worker)).toEqual(['start'])
  })
})

test('a turn counts what it adds, however many there were before (COMPRESS-1)', async () => {
  let counted = 0
  const atRequest: number[] = []
  const ports = {
    countTokens: (text: string): number => {
      counted += text.length
      return text.length / 5
    },
  }
  const run = longRun({ seed: 3, turns: 400, length: 400 })
  const model: typeof run.model = {
    ...run.model,
    doStream(request) {
      atRequest.push(counted)
      return run.model.doStream(request)
    },
  }
  const worker = agent({ model, tools: { look: run.look }, window: 1_000_000, ports, limits })
  await worker.run(run.prompt, { thread: 't' })
  expect(await reasonsOf(worker)).toEqual(['start'])
  const added = atRequest.map((sum, index) => sum - (atRequest[index - 1] ?? 0)).slice(2)
  expect(Math.max(...added)).toBeLessThan(600)
  expect((await eventsOf(worker, 't')).length).toBeGreaterThan(400)
})
