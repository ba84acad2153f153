/** Nested streams of forks have the children of the past that the fork shares (LOOK-7). */
import { type Agent, agent, approve, isSignal, type RunEvent, tool, watch } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './journals.ts'

/** An agent that asks its child twice; the child asks one of its own. */
function family(): Agent {
  const grandchild = agent({ name: 'grandchild', model: scriptedModel(() => 'ok') })
  const calls = (name: string, times: number) =>
    scriptedModel(({ prompt }) => {
      const asked = prompt.filter(({ role }) => role === 'tool').length
      return asked < times ? { calls: [{ tool: name, input: { prompt: `${asked}` } }] } : 'done'
    })
  const child = agent({ name: 'child', model: calls('grandchild', 1), tools: [grandchild] })
  return agent({ name: 'boss', model: calls('child', 2), tools: [child] })
}

const named = (events: readonly RunEvent[]): readonly string[] => events.flatMap((event) => (isSignal(event) ? [] : [`${event.thread}@${event.seq}`]))
const shown = async (events: AsyncIterable<RunEvent>): Promise<readonly string[]> => named(await Array.fromAsync(events))

/** The threads that a stream has shown, without the root. */
const below = (names: readonly string[], root: string): ReadonlySet<string> =>
  new Set(names.map((name) => name.slice(0, name.lastIndexOf('@'))).filter((thread) => thread !== root))

/** Forks a thread where a turn has been entered. */
async function forkAt(boss: Agent, thread: string, { turn, as }: { turn: number; as: string }) {
  const cut = (await eventsOf(boss, thread)).find(({ type, data }) => type === 'turn.entered' && data.turn === turn)?.seq
  return boss.fork(`${thread}@${cut}`, { thread: as, limits: { tokens: 1_000_000 }, effects: 'live' })
}

describe('a nested stream of a fork', () => {
  test('shows the children of the shared past, each between its start and its end, as the parent does (found: they were left out)', async () => {
    const boss = family()
    await boss.run('go', { thread: 'parent' })
    await (await forkAt(boss, 'parent', { turn: 3, as: 'fork' })).resume().result()
    const ofParent = await shown(boss.watch('parent', { nested: true, until: 'rest' }))
    const ofFork = await shown(boss.watch('fork', { nested: true, until: 'rest' }))
    expect(below(ofFork, 'fork')).toEqual(below(ofParent, 'parent'))
    expect(below(ofFork, 'fork').size).toBe(4)
    const events = await Array.fromAsync(boss.watch('fork', { nested: true, until: 'rest' }))
    for (const thread of below(ofFork, 'fork')) {
      const [first, last] = [events.findIndex((event) => event.thread === thread), events.findLastIndex((event) => event.thread === thread)]
      const start = events.findIndex((event) => event.type === 'child.started' && event.data.child === thread)
      const end = events.findIndex((event) => event.type === 'child.finished' && event.data.child === thread)
      expect([start < first, last < end]).toEqual([true, true])
    }
  })

  test('shows the same live, joined again and read afterwards, of a fork of a fork too', async () => {
    const boss = family()
    await boss.run('go', { thread: 'parent' })
    await (await forkAt(boss, 'parent', { turn: 2, as: 'first' })).resume().result()
    const fork = await forkAt(boss, 'first', { turn: 3, as: 'second' })
    const live = await shown(fork.resume().events({ from: 1, nested: true }))
    const after = await shown(watch(boss.journal, 'second', { nested: true, until: 'rest' }))
    expect([...after].sort()).toEqual([...live].sort())
    expect(below(live, 'second').size).toBe(4)
    const half = live.slice(0, live.length / 2)
    const next: Record<string, number> = {}
    for (const name of half) next[name.slice(0, name.lastIndexOf('@'))] = Number(name.slice(name.lastIndexOf('@') + 1)) + 1
    const rest = await shown(boss.watch('second', { nested: true, from: next, until: 'rest' }))
    expect([...new Set([...half, ...rest])].sort()).toEqual([...live].sort())
  })

  test('does not show a child that was open at the cut: it went on without the fork', async () => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const once = (call: object) => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'done' : { calls: [call as { tool: string }] }))
    const child = agent({ name: 'child', model: once({ tool: 'pay' }), tools: [pay] })
    const boss = agent({ name: 'boss', model: once({ tool: 'child', input: { prompt: 'x' } }), tools: [child] })
    const run = boss.start('go', { thread: 'parent' })
    const { questions } = await run.result()
    const cut = (await eventsOf(boss, 'parent')).find(({ type }) => type === 'child.started')?.seq
    const fork = await boss.fork(`parent@${cut}`, { thread: 'fork', limits: { tokens: 1_000_000 }, effects: 'live' })
    await run.answer(questions[0]?.id ?? '', approve())
    await run.result()
    const ofParent = below(await shown(boss.watch('parent', { nested: true, until: 'rest' })), 'parent')
    await fork.resume().result()
    const ofFork = below(await shown(boss.watch('fork', { nested: true, until: 'rest' })), 'fork')
    expect([...ofFork].filter((thread) => ofParent.has(thread))).toEqual([])
  })
})
