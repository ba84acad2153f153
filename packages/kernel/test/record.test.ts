import { memoryJournal } from '@loom-agent/agent'
import { type Batch, type Draft, decodeBatch, encodeBatch, eventVersions, evolve, fold, type LoomEvent, place, upcast } from '@loom-agent/kernel'
import { facts, frames } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyHistory } from './any-events.ts'

const { started, turn, assembled, requested, replied } = facts
const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
const batchOf = (events: readonly Draft[], more: Partial<Batch> = {}): Batch => ({
  id: 'b',
  incarnation: 't',
  expected: 0,
  time: 5,
  events,
  summary: { status: 'idle' },
  ...more,
})
/** A stored line that this version did not write. */
const lineOf = (...events: readonly (readonly [string, object, number?])[]): string => JSON.stringify({ id: 'b', time: 5, events })

describe('events are placed in one way (RECORD-1)', () => {
  test('a run and a turn begin with the event that says so, and stay', () => {
    const placed = place({ thread: 't', seq: 8, time: 3 }, [...started(), turn(1), assembled(), turn(2)])
    expect(placed.map(({ seq, run, turn: at }) => [seq, run, at])).toEqual([
      [8, undefined, undefined],
      [9, 'r1', undefined],
      [10, 'r1', undefined],
      [11, 'r1', 1],
      [12, 'r1', 1],
      [13, 'r1', 2],
    ])
    expect(placed.every(({ type, v, thread, time }) => v === (eventVersions[type] ?? 1) && thread === 't' && time === 3)).toBe(true)
  })

  test('a queued run is named by its own event, and by none after it', () => {
    const placed = place({ thread: 't', seq: 1, time: 0, run: 'r1', turn: 4 }, [{ type: 'run.queued', data: { run: 'r2', request } }, turn(5)])
    expect(placed.map(({ run, turn: at }) => [run, at])).toEqual([
      ['r2', 4],
      ['r1', 5],
    ])
  })

  test('an event has the same place live and read back, however the history is cut into batches', () => {
    fc.assert(
      fc.property(anyHistory, fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (events, sizes) => {
        const read: LoomEvent[] = []
        for (let from = 0; from < events.length; ) {
          const size = sizes.next().value ?? 1
          const before = events[from - 1]
          // A queued run is its own; what is in force follows from the events before it.
          const run = events.slice(0, from).findLast(({ type }) => type === 'run.started')?.run
          const start = { expected: from, run, turn: before?.turn }
          read.push(...decodeBatch('t', from + 1, encodeBatch(batchOf(events.slice(from, from + size), start))))
          from += size
        }
        expect(read).toEqual(events)
      }),
      { numRuns: 150 },
    )
  })

  test('what is read was appended, gap-free and in order, and is never the object of the writer (JOURNAL-5)', async () => {
    const journal = memoryJournal()
    const drafts = [...started(), turn(1), assembled(), requested(), replied('Hello.')]
    await journal.append('t', batchOf(drafts))
    const events = await journal.read('t')
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual(drafts)
    expect(events.some(({ data }, index) => data === drafts[index]?.data)).toBe(false)
    expect(await journal.read('t', { from: 4, limit: 2 })).toEqual(events.slice(3, 5))
    expect(await journal.read('t', { from: 99 })).toEqual([])
  })
})

describe('what another version wrote', () => {
  test('an unknown type is read with its data and its version', () => {
    const [event] = decodeBatch('t', 1, lineOf(['run.teleported', { to: 'mars' }, 3]))
    expect(event).toMatchObject({ type: 'run.teleported', v: 3, seq: 1, data: { to: 'mars' } })
  })

  test('a newer version of a known type is read as it is, and makes the thread not drivable', () => {
    const events = decodeBatch('t', 1, lineOf(['thread.started', { agent: 'a' }], ['run.finished', { how: 'well' }, 2]))
    expect(events[1]).toMatchObject({ type: 'run.finished', v: 2, data: { how: 'well' } })
    expect(fold('t', events).unknown).toEqual({ type: 'run.finished', v: 2, seq: 2 })
  })

  test.each(['toString', 'constructor', '__proto__'])('an unknown type called %s is read like any other', (type) => {
    expect(decodeBatch('t', 1, lineOf([type, { a: 1 }]))[0]).toMatchObject({ type, v: 1, data: { a: 1 } })
    expect(() => evolve(fold('t', []), decodeBatch('t', 1, lineOf([type, {}]))[0] as LoomEvent)).not.toThrow()
  })
})

describe('upcasters', () => {
  const steps = {
    'run.finished': [(data: unknown) => ({ ...(data as object), second: true }), (data: unknown) => ({ ...(data as object), third: true })],
  }

  test('take an event from its version to the newest, one after another', () => {
    const from = (v: number) => upcast({ type: 'run.finished', v, data: { first: true } }, steps)
    expect(from(1)).toEqual({ type: 'run.finished', v: 3, data: { first: true, second: true, third: true } })
    expect(from(2)).toEqual({ type: 'run.finished', v: 3, data: { first: true, third: true } })
    expect(from(3)).toEqual({ type: 'run.finished', v: 3, data: { first: true } })
  })

  test('leave what is newer than they are, and types they do not know, as they are', () => {
    expect(upcast({ type: 'run.finished', v: 9, data: 1 }, steps)).toEqual({ type: 'run.finished', v: 9, data: 1 })
    expect(upcast({ type: 'turn.entered', v: 1, data: 1 }, steps)).toEqual({ type: 'turn.entered', v: 1, data: 1 })
    expect(upcast({ type: 'nonsense', v: 1, data: 1 })).toEqual({ type: 'nonsense', v: 1, data: 1 })
  })

  test('change nothing of what was stored (UPCAST-1)', () => {
    const stored = Object.freeze({ type: 'run.finished', v: 1, data: Object.freeze({ first: true }) })
    upcast(stored, steps)
    expect(stored).toEqual({ type: 'run.finished', v: 1, data: { first: true } })
  })
})

test('frames are given one by one, each as it was', () => {
  const events = place({ thread: 't', seq: 1, time: 0 }, [...started(), turn(1)])
  expect([...frames('t', events)].map(({ seq, turn: at }) => [seq, at])).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 1],
  ])
})
