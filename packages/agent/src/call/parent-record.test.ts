import { type Call, type Draft, emptyFrame, emptyList, type Frame, place, type QuestionData, type ToolOutcome } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { createParentRecord, type ParentRecord, putBack, takeAnswers, takeOutcome } from './parent-record.ts'

const call: Call = {
  id: '1.0',
  part: { type: 'call', id: 'c', name: 'read', input: {} },
  input: {},
  state: 'proposed',
  epoch: 0,
  start: undefined,
  answer: undefined,
  open: [],
  done: emptyList(),
  woken: false,
  unread: [],
  hooks: [],
  outcome: undefined,
}

const frozen: Frame = emptyFrame('t')

/** The record of a thread whose model proposed some calls, after its first `cut` events. */
function recordOf(calls: number, after: readonly Draft[], { cut = 3, used = new Set<unknown>() } = {}): ParentRecord {
  const parts = Array.from({ length: calls }, (_, index) => ({ type: 'call', id: `c${index}`, name: 'read', input: {} }) as const)
  const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
  const drafts: readonly Draft[] = [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'i' } },
    { type: 'run.started', data: { run: 'r1', request } },
    { type: 'turn.entered', data: { turn: 1 } },
    { type: 'context.assembled', data: { rebase: { reason: 'start', system: '', tools: [] } } },
    { type: 'model.replied', data: { parts, usage: { input: 1, output: 1 }, finish: 'tool-calls' } },
    ...after,
  ]
  const { record, add } = createParentRecord({ parent: { thread: 't', seq: cut }, used })
  for (const event of place({ thread: 't', seq: 1, time: 0, run: frozen.run?.id, turn: 0 }, drafts)) add(event)
  return record
}

const finished = (id: string, value: string): Draft => ({
  type: 'tool.finished',
  data: { call: id, status: 'success', output: { type: 'text', value } },
})
const outcome = (seq: number, value: string): ToolOutcome => ({
  status: 'success',
  output: { type: 'text', value },
  meta: { recorded: `t@${seq}` },
})

describe('the outcomes of a record', () => {
  const three = (): readonly Draft[] => [finished('1.0', 'one'), finished('1.1', 'two'), finished('1.2', 'three')]

  test('are taken once each, in order, without looking at the other calls of a reply (STANDIN-2)', () => {
    const record = recordOf(3, three())
    expect(Array.from({ length: 4 }, () => takeOutcome(record, call)?.outcome)).toEqual([
      outcome(6, 'one'),
      outcome(7, 'two'),
      outcome(8, 'three'),
      undefined,
    ])
  })

  test('that were put back are given again in the order of the record (STANDIN-1)', () => {
    const record = recordOf(3, three())
    const dropped = [takeOutcome(record, call), takeOutcome(record, call)]
    for (const one of dropped) putBack(record, one?.outcome.meta?.['recorded'])
    expect([takeOutcome(record, call), takeOutcome(record, call), takeOutcome(record, call)].map((one) => one?.outcome.output.value)).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  test('that the fork has used, or that stand before the cut, are not there', () => {
    expect(takeOutcome(recordOf(2, three().slice(0, 2), { used: new Set(['t@6']) }), call)?.outcome).toEqual(outcome(7, 'two'))
    expect(takeOutcome(recordOf(2, three().slice(0, 2), { cut: 6 }), call)?.outcome).toEqual(outcome(7, 'two'))
  })

  test('are none where a call was cancelled with its run', () => {
    const cancelled: Draft = {
      type: 'tool.finished',
      data: { call: '1.0', status: 'error', output: { type: 'error', value: 'Cancelled' }, errorType: 'cancelled' },
    }
    expect(takeOutcome(recordOf(1, [cancelled]), call)).toBeUndefined()
  })
})

describe('the answers of a record', () => {
  const question = (digest: string): QuestionData => ({ id: '1.0#1', kind: 'approval', call: '1.0', prompt: 'May read run?', digest })
  const asked: Draft = { type: 'question.asked', data: question('under these rules') }
  const answered = (answer: { readonly kind: 'approve' | 'reject' }): Draft => ({
    type: 'question.answered',
    data: { id: '1.0#1', answer, by: 'ann' },
  })

  test('hold for the same question under the same rules, once', () => {
    const record = recordOf(1, [asked, answered({ kind: 'approve' })])
    expect(takeAnswers(record, question('under other rules'), call)).toBeUndefined()
    expect(takeAnswers(record, question('under these rules'), call)?.value.votes).toEqual([{ answer: { kind: 'approve' }, by: 'ann' }])
    expect(takeAnswers(record, question('under these rules'), call)).toBeUndefined()
  })

  test('that reject hold under any rules, because nothing runs (STANDIN-3)', () => {
    const record = recordOf(1, [asked, answered({ kind: 'reject' })])
    expect(takeAnswers(record, question('under other rules'), call)?.at).toBe('t@7')
  })

  test('about a call that has its outcome are part of that outcome', () => {
    const record = recordOf(1, [asked, answered({ kind: 'approve' }), finished('1.0', 'one')])
    expect(takeAnswers(record, question('under these rules'), call)).toBeUndefined()
  })

  test('about a limit or a lost call are never used again', () => {
    const limit: QuestionData = { id: 'run:limit#1', kind: 'limit', prompt: 'More?', key: 'tokens' }
    const record = recordOf(1, [
      { type: 'question.asked', data: limit },
      { type: 'question.answered', data: { id: limit.id, answer: { kind: 'approve' } } },
    ])
    expect(takeAnswers(record, limit, undefined)).toBeUndefined()
  })
})
