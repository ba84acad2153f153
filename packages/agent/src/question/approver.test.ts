import { expect, test } from 'vitest'
import { comparableName, hasApproved } from './approver.ts'

test.each([
  ['Ann', 'ann'],
  [' ann\t', 'ANN'],
  ['Straße', 'STRASSE'],
  ['\u00e9', 'E\u0301'],
  ['\uff41nn', 'a\u200bnn'],
  ['Ann\u00a0 Lee', 'ann lee'],
  ['ΣΑΣ', 'σας'],
])('%j and %j are one person', (one, other) => {
  expect(comparableName(one)).toBe(comparableName(other))
  expect(hasApproved([one], other)).toBe(true)
})

test.each([
  ['ann', 'anna'],
  ['ann lee', 'annlee'],
  ['ann', '\u0430nn'],
])('%j and %j are two', (one, other) => {
  expect(hasApproved([one], other)).toBe(false)
})

test('a name of which nothing can be seen is empty', () => {
  for (const name of ['', ' ', '\u200b', '\u00ad\u2060', '\n']) expect(comparableName(name)).toBe('')
})
