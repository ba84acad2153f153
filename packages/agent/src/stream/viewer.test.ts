import type { Draft, LoomEvent } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { memoryJournal } from '../platform/memory-journal.ts'
import type { RunEvent } from '../types/run-event.ts'
import { createViewer } from './viewer.ts'

const many = 5000
const progress = (data: number): RunEvent => ({ type: 'tool-delta', thread: 't', run: 'r1', turn: 1, call: '1.0', tool: 'look', data })

/** A journal with one thread of many events for each of the ids; `froms` is where each read began. */
async function recorded(...threads: readonly string[]) {
  const journal = memoryJournal()
  const froms: number[] = []
  const record = (value: number): Draft => ({ type: 'memory.recorded', data: { key: 'k', value } })
  const events = new Map<string, readonly LoomEvent[]>()
  for (const thread of threads) {
    const drafts: Draft[] = [
      { type: 'thread.started', data: { agent: 'a', incarnation: thread } },
      ...Array.from({ length: many - 1 }, (_, n) => record(n)),
    ]
    await journal.append(thread, { id: 'b', incarnation: thread, expected: 0, time: 0, summary: { status: 'running' }, events: drafts })
    events.set(thread, await journal.read(thread, { limit: many }))
  }
  const read: typeof journal.read = (thread, range) => {
    froms.push(range?.from ?? 1)
    return journal.read(thread, range)
  }
  return { journal: { ...journal, read }, of: (thread: string) => events.get(thread) ?? [], froms }
}

const all = async (viewer: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> => Array.fromAsync(viewer)

describe('a viewer that has caught up and then pauses (STREAM-2)', () => {
  test('is cut over to the journal when its buffer is full: every event once, and no gap where no signal was lost', async () => {
    const { journal, of, froms } = await recorded('t')
    const viewer = createViewer(journal, 't', () => {})
    viewer.start(1, 't')
    for (const event of of('t')) viewer.push(event)
    viewer.end(many)
    expect(await all(viewer)).toEqual(of('t'))
    expect(froms).toEqual([1001, 2001, 3001, 4001])
  })

  test('gets one gap for all signals that were lost, between what it had and what it reads', async () => {
    const { journal, of } = await recorded('t')
    const viewer = createViewer(journal, 't', () => {})
    viewer.start(1, 't')
    for (const event of of('t')) {
      viewer.push(event)
      viewer.push(progress(event.seq))
    }
    viewer.end(many)
    const types = (await all(viewer)).map(({ type }) => type)
    expect(types.filter((type) => type === 'tool-delta')).toHaveLength(500)
    expect(types.indexOf('gap')).toBe(1000)
    expect(types.lastIndexOf('gap')).toBe(1000)
    expect(types.filter((type) => type.includes('.'))).toHaveLength(many)
  })
})

describe('a viewer that is iterated late (STREAM-1)', () => {
  test('gets signals where they came between events that it reads from the journal', async () => {
    const { journal, of } = await recorded('t')
    const viewer = createViewer(journal, 't', () => {})
    viewer.start(1, 't')
    viewer.hint(3)
    viewer.push(progress(3))
    for (const event of of('t').slice(3, 5)) viewer.push(event)
    viewer.push(progress(5))
    viewer.push(progress(5.5))
    for (const event of of('t').slice(5)) viewer.push(event)
    viewer.end(many)
    const [one, two, three, four, five, ...later] = of('t')
    expect(await all(viewer)).toEqual([one, two, three, progress(3), four, five, progress(5), progress(5.5), ...later])
  })

  test('keeps a bounded number of them, and gets a gap for the rest', async () => {
    const { journal, of } = await recorded('t')
    const viewer = createViewer(journal, 't', () => {})
    viewer.start(1, 't')
    viewer.hint(many)
    for (let n = 0; n < 2 * many; n += 1) viewer.push(progress(n))
    viewer.end(many)
    const seen = await all(viewer)
    expect(seen.filter(({ type }) => type === 'gap')).toHaveLength(1)
    expect(seen.filter(({ type }) => type === 'tool-delta')).toHaveLength(1000)
    expect(seen.filter(({ type }) => type.includes('.'))).toEqual(of('t'))
  })
})

describe('several items that are asked for at once', () => {
  test('come one after another, as those of a generator, and the rest is done', async () => {
    const { journal, of } = await recorded('t')
    const viewer = createViewer(journal, 't', () => {})
    const asked = Array.from({ length: 30 }, () => viewer.next())
    viewer.start(many - 19, 't')
    viewer.hint(many - 10)
    for (const event of of('t').slice(-10)) viewer.push(event)
    viewer.end(many)
    const items = await Promise.all(asked)
    expect(items.flatMap(({ done, value }) => (done ? [] : [value]))).toEqual(of('t').slice(-20))
    expect(items.filter(({ done }) => done)).toHaveLength(10)
  })

  test('are all done when the iteration is ended meanwhile', async () => {
    const { journal } = await recorded('t')
    const viewer = createViewer(journal, 't', () => {})
    const asked = [viewer.next(), viewer.next()]
    await viewer.return?.()
    expect(await Promise.all(asked)).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ])
  })
})
