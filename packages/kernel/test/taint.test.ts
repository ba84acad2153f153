/** What the fold makes of taint: the fact stays with what it is about, and changes nothing else. */
import { addTaint, callOf, type Draft, eventVersions, items, type Taint, upcast } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { expect, test } from 'vitest'

const { started, turn, assembled, requested, called } = facts
const taint: Taint = {
  untrusted: { what: 'fetch(https://example.com)', call: '1.0' },
  private: { what: 'read_file(.env)', thread: 'main', call: '2.0' },
}
const request = {
  input: [{ role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
  agent: { name: 'a', fingerprint: 'f' },
  model: 'm',
  limits: {},
} as const

test('an input keeps what was read before it was written, in the history, also when its run had to wait', () => {
  const tainted = { ...request, taint }
  const atOnce = given({ type: 'thread.started', data: { agent: 'a' } }, { type: 'run.started', data: { run: 'r1', request: tainted } })
  const queued = given(...started(), { type: 'run.queued', data: { run: 'r2', request: tainted } }, { type: 'run.finished', data: {} })
  const later = queued.when({ type: 'run.started', data: { run: 'r2', queued: 4 } })
  expect([...items(atOnce.frame.history)].map((entry) => entry.taint)).toEqual([taint])
  expect([...items(later.frame.history)].map((entry) => entry.taint)).toEqual([undefined, taint])
  expect([...items(given(...started()).frame.history)].some((entry) => 'taint' in entry)).toBe(false)
})

test('a call keeps the taint of its start, and the record of a child what the child has read', () => {
  const start: Draft = { type: 'tool.started', data: { call: '1.0', effect: 'unsafe', durable: true, taint } }
  const child = { call: '1.0', key: 'run:b:1', child: 'c' }
  const running = given(...started(), turn(1), assembled(), requested(), called({ name: 'ask_b' }))
    .when(start, { type: 'child.started', data: { ...child, agent: 'b' } })
    .when({ type: 'child.finished', data: { ...child, value: 1, taint } })
  const call = running.frame.run && callOf(running.frame.run, '1.0')
  expect(call?.start?.taint).toEqual(taint)
  expect(call && [...items(call.done)]).toEqual([{ key: 'run:b:1', value: 1, taint }])
})

test('a thread has read what its inputs, results, children and items bring: of each label the first', () => {
  const read = (what: string) => ({ what })
  const before = given(...started(), turn(1), assembled(), requested(), called({ name: 'a' }, { name: 'ask_b' }))
  const result = { status: 'success', output: { type: 'text', value: '' } } as const
  const one = before.when({ type: 'tool.finished', data: { call: '1.0', ...result, taint: { private: read('a') } } })
  expect([before.frame.taint, one.frame.taint]).toEqual([undefined, { private: { what: 'a', call: '1.0' } }])
  const start: Draft = { type: 'tool.started', data: { call: '1.1', effect: 'unsafe', durable: true } }
  const both = one.when(
    start,
    { type: 'child.started', data: { call: '1.1', key: 'run:b:1', child: 'c', agent: 'b' } },
    {
      type: 'child.finished',
      data: { call: '1.1', key: 'run:b:1', child: 'c', taint: { untrusted: { what: 'b', call: '2.0' }, private: read('b') } },
    },
  )
  const all = { private: { what: 'a', call: '1.0' }, untrusted: { what: 'b', call: '2.0', thread: 'c' } }
  expect(both.frame.taint).toEqual(all)
  const later = both.when({ type: 'tool.finished', data: { call: '1.1', ...result, taint: { untrusted: read('d') } } })
  expect(later.frame.taint).toEqual(all)
})

test('an item of the context that is not to be trusted has been read, others not', () => {
  const item = { kind: 'memory', id: 'm1', origin: 'store', text: 'Hi.' }
  const trusted = given(...started(), turn(1)).when({ type: 'context.assembled', data: { items: [item] } })
  const other = given(...started(), turn(1)).when({ type: 'context.assembled', data: { items: [item, { ...item, id: 'm2', trust: 'untrusted' }] } })
  expect([trusted.frame.taint, other.frame.taint?.untrusted?.what]).toEqual([undefined, 'memory m2'])
})

test('taint is only ever added, in any order the same labels, and a place does not replace one that is known', () => {
  const [a, b]: readonly Taint[] = [{ untrusted: { what: 'a' } }, { private: { what: 'b', call: '1.0' } }]
  const labels = (...taints: readonly (Taint | undefined)[]) =>
    Object.keys(taints.reduce<Taint | undefined>((sum, one) => addTaint(sum, one), undefined) ?? {}).sort()
  expect(labels(a, b)).toEqual(labels(b, a))
  expect(labels(a, undefined)).toEqual(['untrusted'])
  expect(labels(undefined)).toEqual([])
  expect(addTaint(a, b, { call: '9.9', thread: 't' })).toEqual({ untrusted: { what: 'a' }, private: { what: 'b', call: '1.0', thread: 't' } })
})

test('events of the versions before read as they did: without a taint', () => {
  for (const type of ['run.started', 'run.queued', 'tool.started', 'tool.finished', 'child.finished'] as const) {
    const data = { run: 'r1', call: '1.0', key: 'k' }
    const v = (eventVersions[type] ?? 1) - 1
    expect(upcast({ type, v, data })).toEqual({ type, v: v + 1, data })
  }
})
