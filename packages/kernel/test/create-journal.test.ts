import { memoryJournal } from '@loom-agent/agent'
import { createJournal, type Draft, type ForkOf, type Journal, type LoomEvent, type OwnEvents, place, type ReadRange } from '@loom-agent/kernel'
import { expect, test } from 'vitest'

const cut: ForkOf = { thread: 'parent', incarnation: 'of the parent', seq: 2 }
const events = (thread: string): readonly LoomEvent[] =>
  place({ thread, seq: 1, time: 0 }, [
    { type: 'memory.recorded', data: { key: 'a', value: 1 } },
    { type: 'memory.recorded', data: { key: 'b', value: 2 } },
  ])

/** A journal with a fork of which all is shared; `parent` returns what the store has of the parent. */
function forkOf(parent: (range: ReadRange) => OwnEvents): Journal {
  const read = async (thread: string, range: ReadRange = {}): Promise<OwnEvents> => (thread === 'parent' ? parent(range) : { forkOf: cut })
  return createJournal({ ...memoryJournal(), read, remove: async () => ({ kind: 'removed' }) })
}

test('the past of a fork is read from the incarnation that it was cut from (JOURNAL-13)', async () => {
  const ranges: ReadRange[] = []
  const journal = forkOf((range) => {
    ranges.push(range)
    return events('parent')
  })
  expect((await journal.read('fork', { incarnation: 'of the fork' })).map(({ thread }) => thread)).toEqual(['fork', 'fork'])
  expect(ranges).toEqual([{ from: 1, limit: 2, incarnation: 'of the parent' }])
})

test('a fork whose parent was replaced cannot be read, and shows nothing of the thread that took the name (JOURNAL-13)', async () => {
  const journal = forkOf(({ incarnation }) => (incarnation === 'another one' ? events('parent') : undefined))
  await expect(journal.read('fork')).rejects.toMatchObject({
    code: 'LOOM_THREAD_UNREADABLE',
    context: { thread: 'fork', parent: 'parent', seq: 1 },
  })
})

test('an incarnation that is gone is named in the error (JOURNAL-13)', async () => {
  await expect(memoryJournal().read('t', { incarnation: 'gone' })).rejects.toMatchObject({
    code: 'LOOM_THREAD_NOT_FOUND',
    context: { thread: 't', incarnation: 'gone' },
  })
})

test('a page of a fork begins with the first event and ends at the cut', async () => {
  const journal = memoryJournal()
  const drafts = (count: number): Draft[] => Array.from({ length: count }, (_, n) => ({ type: 'memory.recorded', data: { key: 'k', value: n } }))
  const summary = { status: 'idle' } as const
  await journal.append('parent', { id: '1', incarnation: 'p', expected: 0, time: 0, summary, events: drafts(5) })
  const forkOf = { thread: 'parent', incarnation: 'p', seq: 3 }
  await journal.append('fork', { id: '2', incarnation: 'f', expected: 3, time: 0, summary, forkOf, events: drafts(1) })
  expect((await journal.read('fork')).map(({ seq }) => seq)).toEqual([1, 2, 3])
})
