import { type Agent, agent, approve, isSignal, type RunEvent, tool, watch } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const ask = (name: string) => ({ calls: [{ tool: name, input: { prompt: 'go' } }] })
const factsIn = (events: readonly RunEvent[]): LoomEvent[] => events.flatMap((event) => (isSignal(event) ? [] : [event]))
const all = async (events: AsyncIterable<RunEvent>): Promise<LoomEvent[]> => factsIn(await Array.fromAsync(events))

/** A thread `t` with a child that looks, and answers. */
const family = (journal?: Journal): Agent => {
  const child = agent({ name: 'child', model: scriptedModel([{ text: 'Let me look.', calls: [{ tool: 'look' }] }, 'I saw it.']), tools: [look] })
  return agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child], ...(journal && { journal }) })
}
/** The events of the thread and of its child. */
const recorded = async (boss: Agent): Promise<{ own: LoomEvent[]; child: string; nested: LoomEvent[] }> => {
  const [started] = await factsOf(boss, 't', 'child.started')
  const child = started?.data.child ?? ''
  return { own: [...(await eventsOf(boss, 't'))], child, nested: [...(await eventsOf(boss, child))] }
}
const of = (thread: string, events: readonly LoomEvent[]): readonly LoomEvent[] => events.filter((event) => event.thread === thread)

describe('events({ nested: true })', () => {
  test('show the first events of a child live (found: its seq 1 and 2 were never seen live)', async () => {
    const boss = family()
    const live = await all(boss.start('go', { thread: 't' }).events({ nested: true }))
    const { own, child, nested } = await recorded(boss)
    expect(of('t', live)).toEqual(own)
    expect(of(child, live)).toEqual(nested)
  })

  test('show the same afterwards from seq 1 on (found: from: 1 afterwards gave nothing of a child)', async () => {
    const boss = family()
    const run = boss.start('go', { thread: 't' })
    await run.result()
    const { own, child, nested } = await recorded(boss)
    for (const events of [run.events({ nested: true, from: 1 }), boss.resume('t').events({ nested: true, from: 1 })]) {
      const seen = await all(events)
      expect(of('t', seen)).toEqual(own)
      expect(of(child, seen)).toEqual(nested)
    }
  })

  test('are joined again in the middle of a child with a seq for each thread (found: a viewer that came back missed nine)', async () => {
    const boss = family()
    const run = boss.start('go', { thread: 't' })
    const seen: LoomEvent[] = []
    for await (const event of run.events({ nested: true })) {
      if (isSignal(event)) continue
      seen.push(event)
      if (event.thread !== 't' && event.seq === 4) break
    }
    const next = Object.fromEntries(seen.map(({ thread, seq }) => [thread, seq + 1]))
    seen.push(...(await all(run.events({ nested: true, from: next }))))
    const { own, child, nested } = await recorded(boss)
    expect(of('t', seen)).toEqual(own)
    expect(of(child, seen)).toEqual(nested)
  })

  test('of a resumed run show a child that waited from its first event, and with a cursor only what is new', async () => {
    const child = agent({ name: 'child', model: scriptedModel([{ calls: [{ tool: 'pay' }] }, 'I paid.']), tools: [pay] })
    const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child] })
    const first = boss.start('go', { thread: 't' })
    const before = await all(first.events({ nested: true }))
    const next = Object.fromEntries(before.map(({ thread, seq }) => [thread, seq + 1]))
    const { questions } = await first.result()
    const second = boss.resume('t')
    const [whole, rest] = [all(second.events({ nested: true })), all(second.events({ nested: true, from: next }))]
    await second.answer(questions[0]?.id ?? '', approve())
    await second.result()
    const { own, child: id, nested } = await recorded(boss)
    const after = [...(await rest), ...(await all(second.events({ nested: true, from: { ...next, ...nextOf(await rest) } })))]
    expect(of('t', [...before, ...after])).toEqual(own)
    expect(of(id, [...before, ...after])).toEqual(nested)
    expect(of(id, await whole).map(({ seq }) => seq)).toEqual(nested.slice(0, of(id, await whole).length).map(({ seq }) => seq))
  })

  test('take cursors of whole numbers alone', async () => {
    const boss = family()
    const run = boss.start('go', { thread: 't' })
    for (const from of [0, 1.5, { t: 0 }, { t: 'x' }, ['t'], 'x']) {
      expect(() => run.events({ from: from as never })).toThrowError(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
      expect(() => boss.watch('t', { from: from as never })).toThrowError(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
    }
    await run.result()
  })

  test('leave no listener and no timer behind when the run is over, also when nobody iterates them', async () => {
    const journal = family().journal
    let watchers = 0
    const counted: Journal = {
      ...journal,
      watch(thread, hint) {
        watchers += 1
        const unwatch = journal.watch(thread, hint)
        return () => {
          watchers -= 1
          unwatch()
        }
      },
    }
    const clock = manualClock()
    const child = agent({ name: 'child', model: scriptedModel('I am a child.') })
    const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child], journal: counted, ports: { clock } })
    const run = boss.start('go', { thread: 't' })
    const idle = run.events({ nested: true })
    const left = run.events({ nested: true })
    await left.next()
    await run.result()
    await new Promise((resolve) => setImmediate(resolve))
    expect({ watchers, timers: clock.timers }).toEqual({ watchers: 0, timers: 0 })
    expect((await all(idle)).at(-1)).toMatchObject({ thread: 't', type: 'run.finished' })
  })
})

test('the events of a run end with it, whatever the next run has appended meanwhile', async () => {
  const chat = agent({ model: scriptedModel(['One.', 'Two.']) })
  const first = chat.start('first', { thread: 't' })
  const [events, nested] = [first.events(), first.events({ nested: true })]
  await Promise.all([first.result(), chat.run('second', { thread: 't' })])
  for (const seen of [await all(events), await all(nested)]) {
    expect(new Set(seen.flatMap(({ type, run }) => (type === 'run.queued' ? [] : [run])))).not.toContain('r2')
    expect(seen.at(-1)).toMatchObject({ type: 'run.finished', run: 'r1' })
  }
})

test('a child that is open at a cursor does not come before its start when that is at or after the cursor', async () => {
  const child = agent({ name: 'child', model: scriptedModel([{ calls: [{ tool: 'pay' }] }, 'I paid.']), tools: [pay] })
  const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child] })
  await boss.run('go', { thread: 't' })
  const [started] = await factsOf(boss, 't', 'child.started')
  const seen = await all(watch(boss.journal, 't', { nested: true, from: 2, until: 'rest' }))
  expect(seen.findIndex(({ thread }) => thread !== 't')).toBeGreaterThan(seen.findIndex(({ seq, thread }) => thread === 't' && seq === started?.seq))
})

const nextOf = (events: readonly LoomEvent[]): Record<string, number> => Object.fromEntries(events.map(({ thread, seq }) => [thread, seq + 1]))
