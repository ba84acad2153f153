/** Agents that were made from one another, and an agent as a child, have one drain and one set of locks in a process (DRAIN-6). */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { typesOf } from './journals.ts'

const calling = (name: string, times = 1) =>
  scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: Array.from({ length: times }, () => ({ tool: name, input: { prompt: 'go' } })) },
  )

/** An agent with a tool whose calls end when the test says so. */
function gated() {
  const opened = Promise.withResolvers<string>()
  let [ran, isOpen] = [0, true]
  const gate = tool({
    name: 'gate',
    run: () => {
      ran += 1
      return isOpen ? 'open' : opened.promise
    },
  })
  const journal = memoryJournal()
  const make = () => agent({ name: 'worker', model: calling('gate'), tools: [gate], journal, instructions: 'A' })
  const close = (): void => {
    isOpen = false
  }
  return { journal, make, close, open: () => opened.resolve('open'), ran: () => ran }
}

const ways = {
  'with other options': async (worker: ReturnType<ReturnType<typeof gated>['make']>) =>
    worker.with({ instructions: 'B' }).start('go', { thread: 'u' }),
  'with another clock': async (worker: ReturnType<ReturnType<typeof gated>['make']>) =>
    worker.with({ ports: { clock: manualClock() } }).start('go', { thread: 'u' }),
  'by a replay that goes on live': async (worker: ReturnType<ReturnType<typeof gated>['make']>) => {
    const fork = { limits: { tokens: 1000 }, effects: 'live', thread: 'u' } as const
    const replayed = await worker.replay('t', { with: { instructions: 'B' }, mode: 'continue-live', fork })
    return replayed.fork?.resume()
  },
  'by a fork': async (worker: ReturnType<ReturnType<typeof gated>['make']>) =>
    (await worker.fork('t@3', { thread: 'u', effects: 'live', limits: { tokens: 1000 } })).resume(),
}

describe('an agent that was made from another', () => {
  test.each(Object.entries(ways))('%s is drained with it: what is in flight ends, and nothing is left in doubt', async (_, start) => {
    const { journal, make, close, open, ran } = gated()
    const worker = make()
    await worker.run('go', { thread: 't' })
    close()
    const run = await start(worker)
    await until(() => ran() === 2)
    const refused = expect(run?.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    const draining = worker.drain()
    open()
    await draining
    await refused
    expect((await journal.head('u'))?.holder).toBeUndefined()
    expect((await typesOf(journal, 'u')).filter((type) => type === 'tool.finished')).toHaveLength(1)
    expect(await make().recover()).toMatchObject([{ thread: 'u', status: 'done' }])
    expect(ran()).toBe(2)
  })

  test('starts nothing after either of them was drained, whenever it was made', async () => {
    const { journal, make } = gated()
    const worker = make()
    const other = worker.with({ instructions: 'B' })
    await other.drain()
    for (const drained of [worker, other, worker.with({ instructions: 'C' }), worker.with({ journal: memoryJournal() })]) {
      await expect(drained.run('go', { thread: 'u' })).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    }
    expect(await journal.head('u')).toBeUndefined()
    expect(await make().run('go', { thread: 'u' })).toMatchObject({ status: 'done' })
  })

  test('has what code supplied to a run of the other, and what is said live in it', async () => {
    const journal = memoryJournal()
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const worker = agent({ name: 'worker', model: calling('pay'), tools: [pay], journal })
    await worker.run('go', { thread: 't', deps: { till: 7 } })
    expect(await worker.with({ instructions: 'B' }).resume('t').result()).toMatchObject({ status: 'waiting' })
    const seen: string[] = []
    const watching = (async () => {
      for await (const { type } of worker.watch('u')) if (seen.push(type) && type === 'run.finished') break
    })()
    await worker.with({ model: scriptedModel(['Hello.']) }).run('go', { thread: 'u' })
    await watching
    expect(seen).toContain('run.finished')
  })
})

describe('calls with the same lock', () => {
  /** Runs of agents that share a tool with a lock, and how many calls there were at once. */
  async function mostAtOnce(run: (worker: ReturnType<typeof make>) => readonly Promise<unknown>[]): Promise<readonly [most: number, all: number]> {
    let [running, most, all] = [0, 0, 0]
    const write = tool({
      name: 'write',
      effect: 'read',
      schedule: { lock: 'ledger' },
      run: async () => {
        all += 1
        running += 1
        most = Math.max(most, running)
        await idle()
        running -= 1
        return 'written'
      },
    })
    await Promise.all(run(make([write])))
    return [most, all]
  }
  const make = (tools: readonly ReturnType<typeof tool>[]) => agent({ name: 'worker', model: calling('write', 2), tools, journal: memoryJournal() })
  const bossOf = (worker: ReturnType<typeof make>) => agent({ name: 'boss', model: calling('worker', 2), tools: [worker] })

  test('exclude each other in agents that were made from one', async () => {
    expect(await mostAtOnce((worker) => ['B', 'C', 'D'].map((instructions) => worker.with({ instructions }).run('go')))).toEqual([1, 6])
  })

  test('exclude each other in runs of an agent and in its runs as a child, of whatever agents', async () => {
    expect(await mostAtOnce((worker) => [worker.run('go'), bossOf(worker).run('go'), bossOf(worker).run('go')])).toEqual([1, 10])
  })

  test('exclude each other in an agent and its children', async () => {
    const [most, all] = await mostAtOnce((worker) => {
      const model = scriptedModel(({ prompt }) =>
        prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'write' }, { tool: 'worker', input: { prompt: 'go' } }] },
      )
      const { write } = { write: tool({ name: 'write', effect: 'read', schedule: { lock: 'ledger' }, run: () => idle() }) }
      const boss = agent({ name: 'boss', model, tools: [write, worker] })
      return [boss.run('go'), boss.with({ instructions: 'B' }).run('go')]
    })
    expect([most, all]).toEqual([1, 4])
  })
})
