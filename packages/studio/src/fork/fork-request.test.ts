import { expect, test } from 'vitest'
import { type ForkDraft, readFork } from './fork-request.ts'

const draft: ForkDraft = { at: 9, effects: 'ask', call: undefined, result: '', isJson: false }

test('a fork without an edit goes on as the thread did', () => {
  expect(readFork(draft)).toEqual({ body: { at: 9, effects: 'ask' } })
  expect(readFork({ ...draft, effects: 'stub', result: 'left over' })).toEqual({ body: { at: 9, effects: 'stub' } })
})

test('another result of a call is a text, or JSON where that is said', () => {
  const result = (typed: string, isJson: boolean) => readFork({ ...draft, call: '1.0', result: typed, isJson })
  expect(result('42', false)).toEqual({ body: { at: 9, effects: 'ask', edits: [{ kind: 'result', call: '1.0', result: '42' }] } })
  expect(result('{"total": 0}', true)).toEqual({ body: { at: 9, effects: 'ask', edits: [{ kind: 'result', call: '1.0', result: { total: 0 } }] } })
  expect(result('{total: 0}', true)).toEqual({ problem: 'not-json' })
})
