/** Replaying yesterday's run under today's strategy: the strategy is really asked, nothing else is, and nothing is written. */
import net from 'node:net'
import { type AgentOptions, agent, type ContextStrategy, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })

/** Greets who greets it; otherwise calls a tool for so many turns, then answers. */
const busy = (turns: number) =>
  scriptedModel(({ prompt }) => {
    const asked = prompt.findLastIndex(({ role }) => role === 'user')
    if (JSON.stringify(prompt[asked]).includes('Hello')) return 'Hello to you.'
    return prompt.length - asked - 1 < turns * 2 ? { calls: [{ tool: 'look' }] } : 'Done.'
  })

async function recorded(turns: number, options: Partial<AgentOptions> = {}) {
  const model = busy(turns)
  const journal = memoryJournal()
  const worker = agent({
    name: 'worker',
    instructions: 'Look.',
    model,
    tools: [look],
    journal,
    limits: { turns: turns + 2, loop: false },
    ...options,
  })
  await worker.run('Hello, I am a long greeting that nobody needs to remember.', { thread: 't' })
  await worker.run('Where is the cat?', { thread: 't' })
  return { worker, model, journal, bytes: JSON.stringify(await eventsOf({ journal }, 't')) }
}

/** Keeps only the last entries, from the third turn on. */
function forgetful(): ContextStrategy & { calls(): number } {
  let calls = 0
  return {
    name: 'forgetful',
    assemble({ frame }) {
      calls += 1
      return frame.turn === 3 ? { rebase: { reason: 'tidy', keepFrom: frame.history.length, lead: 'They said hello.' } } : {}
    },
    calls: () => calls,
  }
}

describe('a replay', () => {
  test('with nothing changed differs nowhere', async () => {
    const { worker } = await recorded(4)
    const report = await worker.replay('t')
    expect(report.divergence).toBeUndefined()
    expect(report.turns.map(({ turn, differs }) => [turn, differs])).toEqual([1, 2, 3, 4, 5, 6].map((turn) => [turn, false]))
    expect(report.turns.every(({ recorded: was, replayed }) => was.tokens === replayed.tokens && was.messages === replayed.messages)).toBe(true)
  })

  test('under another strategy asks it once a turn, calls no model, and reports what would have been left out and sent instead', async () => {
    const { worker, model, journal, bytes } = await recorded(4)
    const asked = model.requests.length
    const context = forgetful()
    const report = await worker.replay('t', { with: { context } })
    expect(context.calls()).toBe(6)
    expect(model.requests.length).toBe(asked)
    expect(report.divergence).toMatchObject({ turn: 3, message: 1, replayed: { role: 'user', content: [{ text: 'They said hello.' }] } })
    const [, , third] = report.turns
    expect(third).toMatchObject({ differs: true, replayed: { rebase: 'tidy' }, added: [expect.stringContaining('They said hello.')] })
    expect(third?.left.length).toBeGreaterThan(0)
    expect(third?.replayed.tokens).toBeLessThan(third?.recorded.tokens ?? 0)
    expect(report.turns.map(({ differs }) => differs)).toEqual([false, false, true, true, true, true])
    expect(JSON.stringify(await eventsOf({ journal }, 't'))).toBe(bytes)
  })

  test('stops at the first difference with stop-at-divergence', async () => {
    const { worker } = await recorded(4)
    const report = await worker.replay('t', { with: { context: forgetful() }, mode: 'stop-at-divergence' })
    expect(report.turns.length).toBe(3)
  })

  test('shows what other instructions and other tools would have changed', async () => {
    const { worker } = await recorded(2)
    const report = await worker.replay('t', { with: { instructions: 'Look twice.' } })
    expect(report.divergence).toMatchObject({ turn: 1, message: 0, recorded: { content: 'Look.' }, replayed: { content: 'Look twice.' } })
    const more = tool({ name: 'more', run: () => 1 })
    expect((await worker.replay('t', { with: { tools: [look, more] } })).turns[0]?.differs).toBe(true)
    expect((await worker.replay('t', { with: { instructions: async ({ thread }) => `Look at ${thread}.` } })).divergence?.replayed).toMatchObject({
      content: 'Look at t.',
    })
  })

  test('goes on live in a fork from the first turn that differs, and the record stays as it is', async () => {
    const { worker, journal, bytes } = await recorded(4)
    const limits = { tokens: 1_000_000 }
    const { fork, divergence } = await worker.replay('t', {
      with: { context: forgetful() },
      mode: 'continue-live',
      fork: { limits, effects: 'live' },
    })
    expect(fork?.from).toBe(divergence?.at)
    expect((await fork?.resume().result())?.status).toBe('done')
    expect(JSON.stringify(await eventsOf({ journal }, 't'))).toBe(bytes)
    expect((await worker.replay('t', { mode: 'continue-live' })).fork).toBeUndefined()
  })

  test('of a fork reads through to its parent', async () => {
    const { worker } = await recorded(3)
    const fork = await worker.fork('t@9', { effects: 'live', limits: { tokens: 1_000_000 } })
    await fork.resume().result()
    expect((await worker.replay(fork.thread)).turns.length).toBeGreaterThan(3)
  })

  test('opens no socket', async () => {
    const { worker } = await recorded(3)
    const connect = net.Socket.prototype.connect
    let opened = 0
    net.Socket.prototype.connect = function counted(this: net.Socket, ...args: never[]) {
      opened += 1
      return Reflect.apply(connect, this, args)
    } as typeof connect
    try {
      await worker.replay('t', { with: { context: forgetful() } })
      await worker.replay('t', { mode: 'stop-at-divergence' })
    } finally {
      net.Socket.prototype.connect = connect
    }
    expect(opened).toBe(0)
  })

  test.each([
    ['a thread that is not there', 'x', {}, 'LOOM_THREAD_NOT_FOUND'],
    ['a mode that is none', 't', { mode: 'guess' }, 'LOOM_OPTION_INVALID'],
    ['an option that is none', 't', { model: 'x' }, 'LOOM_OPTION_UNKNOWN'],
    ['a change that cannot be replayed', 't', { with: { hooks: [] } }, 'LOOM_OPTION_UNKNOWN'],
  ])('refuses %s', async (_, thread, options, code) => {
    const { worker } = await recorded(1)
    await expect(worker.replay(thread, options as never)).rejects.toMatchObject({ code })
  })
})
