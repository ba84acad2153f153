import { LoomError } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { type Asked, afterAnswer, answersTo, beside, inOrder, mayRemember, shownQuestion } from './asked.ts'
import { conflictOf } from './conflict.ts'
import { type Draft, readDraft } from './draft.ts'

const asked = (more: Partial<Asked> = {}): Asked => ({
  id: 'q#1',
  thread: 't',
  kind: 'approval',
  prompt: 'May it?',
  call: { id: 'c', tool: 'pay', input: { amount: 5 } },
  digest: 'a.b',
  approvers: 1,
  approvals: 0,
  ...more,
})
const draft = (more: Partial<Draft>): Draft => ({ kind: 'approve', text: '', isForThread: false, isJson: false, ...more })

describe('a question', () => {
  test('shows the arguments whole, however long they are', () => {
    const paths = Array.from({ length: 5_000 }, (_, index) => `/logs/${index}`)
    const { body } = shownQuestion(asked({ call: { id: 'c', tool: 'delete', input: { paths } } }))
    expect(JSON.parse(body ?? '')).toEqual({ paths })
  })

  test('is another one to look at when anything that it shows has changed', () => {
    const { key } = shownQuestion(asked())
    const changes: readonly Partial<Asked>[] = [
      { digest: 'a.c' },
      { prompt: 'May it now?' },
      { id: 'q#2' },
      { call: { id: 'c', tool: 'pay', input: { amount: 500 } } },
      { call: { id: 'c', tool: 'give', input: { amount: 5 } } },
    ]
    for (const change of changes) expect(shownQuestion(asked(change)).key).not.toBe(key)
    expect(shownQuestion(asked({ approvals: 1 })).key).toBe(key)
  })

  test('offers no approval for later calls when a part of it is hidden', () => {
    expect(mayRemember(asked())).toBe(true)
    expect(mayRemember(asked({ call: { id: 'c', tool: 'pay', input: { to: 'ann\u202eeve' } } }))).toBe(false)
    expect(mayRemember(asked({ prompt: 'a\u200bb' }))).toBe(false)
    expect(mayRemember(asked({ kind: 'limit' }))).toBe(false)
  })

  test('takes the answers that fit its kind', () => {
    expect(answersTo(asked())).toEqual(['approve', 'edit', 'reject', 'respond'])
    expect(answersTo(asked({ approvers: 2 }))).toEqual(['approve', 'edit', 'reject'])
    expect(answersTo(asked({ kind: 'choice' }))).toEqual(['respond', 'reject'])
    expect(answersTo(asked({ kind: 'limit' }))).toEqual(['approve', 'reject'])
    expect(answersTo(asked({ kind: 'in-doubt' }))).toEqual(['approve', 'reject', 'respond'])
  })
})

describe('the list', () => {
  const items = [asked({ id: 'a' }), asked({ id: 'b', expires: 9 }), asked({ id: 'c', expires: 4 })]

  test('has what expires first at the top', () => {
    expect(inOrder(items).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  })

  test('is walked through without falling out of it', () => {
    expect([beside(items, 'a', 1), beside(items, 'a', -1), beside(items, 'c', 1), beside(items, 'gone', 1)]).toEqual(['b', 'a', 'c', 'a'])
    expect([afterAnswer(items, 'a'), afterAnswer(items, 'c'), afterAnswer([asked()], 'q#1')]).toEqual(['b', 'b', undefined])
  })
})

describe('a draft', () => {
  test('becomes the answer, with the digest of what was shown', () => {
    expect(readDraft(asked(), draft({}))).toEqual({ body: { kind: 'approve', digest: 'a.b' } })
    expect(readDraft(asked(), draft({ isForThread: true }))).toEqual({ body: { kind: 'approve', scope: 'thread', digest: 'a.b' } })
    expect(readDraft(asked(), draft({ kind: 'reject', text: ' too much ' }))).toEqual({ body: { kind: 'reject', reason: 'too much', digest: 'a.b' } })
    expect(readDraft(asked(), draft({ kind: 'reject' }))).toEqual({ body: { kind: 'reject', digest: 'a.b' } })
    expect(readDraft(asked(), draft({ kind: 'edit', text: '{"amount": 4}' }))).toEqual({
      body: { kind: 'edit', input: { amount: 4 }, digest: 'a.b' },
    })
    expect(readDraft({}, draft({ kind: 'respond', text: '42' }))).toEqual({ body: { kind: 'respond', value: '42' } })
    expect(readDraft({}, draft({ kind: 'respond', text: '42', isJson: true }))).toEqual({ body: { kind: 'respond', value: 42 } })
  })

  test('says what is wrong with it', () => {
    expect(readDraft(asked(), draft({ kind: 'edit', text: '{amount: 4}' }))).toEqual({ problem: 'not-json' })
    expect(readDraft(asked(), draft({ kind: 'edit', text: '  ' }))).toEqual({ problem: 'empty' })
    expect(readDraft(asked(), draft({ kind: 'respond', text: 'x', isJson: true }))).toEqual({ problem: 'not-json' })
  })
})

test('an answer that came too late says why', () => {
  const settled = (context: object): LoomError => new LoomError('LOOM_QUESTION_SETTLED', 'Late.', { context: { ...context } })
  expect(conflictOf(settled({ given: 'reject' }))).toBe('faster')
  expect(conflictOf(settled({ expires: 5 }))).toBe('expired')
  expect(conflictOf(settled({ question: 'q' }))).toBe('changed')
  expect(conflictOf(new LoomError('LOOM_QUESTION_NOT_FOUND', 'None.', { context: {} }))).toBe('gone')
  expect(conflictOf(new LoomError('LOOM_ANSWER_INVALID', 'No.', { context: {} }))).toBeUndefined()
  expect(conflictOf(new TypeError('no'))).toBeUndefined()
})
