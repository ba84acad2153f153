import type { Draft } from '@loom-agent/kernel'
import { expect, test } from 'vitest'
import { mustFlush } from './flush.ts'

const replied: Draft = { type: 'model.replied', data: { parts: [], usage: { input: 1, output: 1 }, finish: 'stop' } }
const entered: Draft = { type: 'turn.entered', data: { turn: 1 } }
const assembled: Draft = { type: 'context.assembled', data: {} }
const hooked: Draft = { type: 'hook.applied', data: { point: 'beforeModelCall', patch: {} } }
const retrieved: Draft = { type: 'retrieval.finished', data: { query: 'q', documents: [] } }
const started = (effect: 'pure' | 'read' | 'idempotent' | 'unsafe', call = '1.0'): Draft => ({ type: 'tool.started', data: { call, effect } })
const finished = (call = '1.0'): Draft => ({ type: 'tool.finished', data: { call, status: 'success', output: { type: 'text', value: '' } } })

test('events that asking again brings back need not be flushed', () => {
  expect(mustFlush([])).toBe(false)
  expect(mustFlush([replied, entered, assembled, hooked, retrieved])).toBe(false)
})

test.each<Draft>([
  { type: 'run.finished', data: {} },
  { type: 'question.answered', data: { id: 'q', answer: { kind: 'approve' } } },
  { type: 'message.steered', data: { message: { role: 'user', parts: [] } } },
  { type: 'driver.acquired', data: { epoch: 1, worker: 'w' } },
  { type: 'child.started', data: { call: '1.0', key: 'k', child: 'c', agent: 'a' } },
  { type: 'limit.raised', data: { limits: {} } },
  { type: 'thread.started', data: { agent: 'a' } },
  { type: 'memory.recorded', data: { key: 'k', value: 1 } },
])('$type is flushed, with any events beside it', (event) => {
  expect(mustFlush([event])).toBe(true)
  expect(mustFlush([replied, event, entered])).toBe(true)
})

test('calls that may be run again need not be flushed when the batch shows that they may', () => {
  expect(mustFlush([replied, started('read'), finished()])).toBe(false)
  expect(mustFlush([started('pure', '1.0'), started('read', '1.1'), finished('1.1'), finished('1.0')])).toBe(false)
})

test('every other call is flushed, its intent and its result', () => {
  expect(mustFlush([started('unsafe')])).toBe(true)
  expect(mustFlush([started('idempotent')])).toBe(true)
  expect(mustFlush([finished()])).toBe(true)
  expect(mustFlush([started('read', '1.0'), finished('1.1')])).toBe(true)
  expect(mustFlush([{ type: 'tool.in-doubt', data: { call: '1.0' } }])).toBe(true)
})
