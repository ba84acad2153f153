/** What the fold makes of taint: the fact stays with what it is about, and changes nothing else. */
import { callOf, type Draft, eventVersions, items, type Taint, upcast } from '@loom-agent/kernel'
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

test('events of the versions before read as they did: without a taint', () => {
  for (const type of ['run.started', 'run.queued', 'tool.started', 'child.finished'] as const) {
    const data = { run: 'r1', call: '1.0', key: 'k' }
    const v = (eventVersions[type] ?? 1) - 1
    expect(upcast({ type, v, data })).toEqual({ type, v: v + 1, data })
  }
})
