/** The fold of starts with ids and of signals (EVOLVE-5): which wait a signal goes to follows from the order of events alone. */
import { at, callOf, type Draft, decide, type Frame, isAtRest, items, type Json, summarize } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const { started, turn, assembled, requested, called } = facts
const durable: Draft = { type: 'tool.started', data: { call: '1.0', effect: 'unsafe', durable: true } }
const wait = (occurrence: number, more: { until?: number; call?: string; name?: string } = {}): Draft => {
  const { name = 'paid', call = '1.0', ...rest } = more
  return { type: 'tool.step-started', data: { call, key: `wait:${name}:${occurrence}`, effect: 'pure', signal: name, ...rest } }
}
const signal = (value: Json, name = 'paid'): Draft => ({ type: 'signal.received', data: { name, value } })
const suspended: readonly Draft[] = [
  { type: 'tool.suspended', data: { call: '1.0' } },
  { type: 'run.suspended', data: { reason: 'waiting' } },
]
const waiting = (...drafts: readonly Draft[]): Frame =>
  given(...started(), turn(1), assembled(), requested(), called({ name: 'a' }), durable, ...drafts).frame
const recorded = (frame: Frame, call = '1.0') => [...items((frame.run && callOf(frame.run, call)?.done) ?? { length: 0, height: 0, root: [] })]

describe('a signal', () => {
  test('settles the first open wait of its name, and wakes its call', () => {
    const before = waiting(wait(1, { name: 'other' }), wait(1), wait(2), ...suspended)
    expect([isAtRest(before), summarize(before).status]).toEqual([true, 'waiting'])
    const frame = waiting(wait(1, { name: 'other' }), wait(1), wait(2), ...suspended, signal(7))
    expect(recorded(frame)).toEqual([{ key: 'wait:paid:1', value: { status: 'received', value: 7 } }])
    expect(callOf(frame.run as never, '1.0')).toMatchObject({ woken: true, open: [{ key: 'wait:other:1' }, { key: 'wait:paid:2' }] })
    expect([isAtRest(frame), summarize(frame).status, frame.signals]).toEqual([false, 'running', []])
  })

  test('is kept until a wait of its name starts, in order', () => {
    const frame = waiting(signal(1), signal('x', 'other'), signal(2), wait(1), wait(2), wait(3))
    expect(recorded(frame).map(({ value }) => value)).toEqual([1, 2].map((value) => ({ status: 'received', value })))
    expect(frame.signals).toEqual([{ name: 'other', value: 'x' }])
    expect(callOf(frame.run as never, '1.0')?.open).toMatchObject([{ key: 'wait:paid:3' }])
  })

  test('is kept where the thread has no run yet', () => {
    expect(given({ type: 'thread.started', data: { agent: 'a' } }, signal(1)).frame.signals).toEqual([{ name: 'paid', value: 1 }])
  })

  test('does not reach the wait of a call that has its result', () => {
    const done: Draft = { type: 'tool.finished', data: { call: '1.0', status: 'success', output: { type: 'text', value: '' } } }
    expect(waiting(wait(1), done, signal(1)).signals).toHaveLength(1)
  })
})

describe('a wait with a time', () => {
  test('is due then, and ends as expired', () => {
    const frame = waiting(wait(1, { until: 500 }), wait(2, { until: 400 }), ...suspended)
    const due = { type: 'tool.step-finished', data: { call: '1.0', key: 'wait:paid:2', value: { status: 'expired' } } } as const
    expect(decide(frame)).toMatchObject({ kind: 'suspend', until: { at: 400, due } })
    expect(summarize(frame).wakeAt).toBe(400)
    const later = waiting(wait(1, { until: 500 }), wait(2, { until: 400 }), ...suspended, due)
    expect(recorded(later)).toEqual([{ key: 'wait:paid:2', value: { status: 'expired' } }])
    expect(isAtRest(later)).toBe(false)
  })
})

describe('a signal that comes when the time of a wait has passed', () => {
  // The events of a fixture come one millisecond after the other.
  const time = (waiting(wait(1)) as Frame).time

  test('does not end the wait, and is kept for a later one', () => {
    const frame = waiting(wait(1, { until: time }), wait(2, { until: time + 1000 }), ...suspended, signal(7))
    expect(recorded(frame)).toEqual([{ key: 'wait:paid:2', value: { status: 'received', value: 7 } }])
    const late = waiting(wait(1, { until: time }), ...suspended, signal(7))
    expect([recorded(late), late.signals, isAtRest(late), summarize(late).wakeAt]).toEqual([[], [{ name: 'paid', value: 7 }], true, time])
  })

  test('is not taken by a wait that starts after its own time', () => {
    const frame = waiting(signal(7), wait(1, { until: time - 1 }))
    expect([recorded(frame), frame.signals]).toEqual([[], [{ name: 'paid', value: 7 }]])
  })
})

describe('starts with ids', () => {
  const request = (id: string) => ({ input: [], agent: { name: 'a', fingerprint: '' }, model: '', limits: {}, start: { id, digest: `of ${id}` } })
  const message = { role: 'user', parts: [] } as const

  test('are remembered with the run that they started, queued or joined', () => {
    const { frame } = given(
      { type: 'thread.started', data: { agent: 'a' } },
      { type: 'run.started', data: { run: 'r1', request: request('one') } },
      { type: 'run.queued', data: { run: 'r2', request: request('two') } },
      { type: 'message.steered', data: { message, start: { id: 'three', digest: '' } } },
      { type: 'run.finished', data: {} },
      { type: 'run.started', data: { run: 'r2', queued: 3 } },
    )
    expect([...items(frame.starts)].map(({ id, run }) => [id, run])).toEqual([
      ['one', 'r1'],
      ['two', 'r2'],
      ['three', 'r1'],
    ])
    expect(at(frame.starts, 0)).toEqual({ id: 'one', digest: 'of one', run: 'r1' })
  })

  test('are not those of a fork', () => {
    const { frame } = given(
      { type: 'thread.started', data: { agent: 'a' } },
      { type: 'run.started', data: { run: 'r1', request: request('one') } },
      { type: 'thread.forked', data: { from: 't@2' } },
    )
    expect(frame.starts.length).toBe(0)
  })
})
