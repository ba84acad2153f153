import { describe, expect, test } from 'vitest'
import { amountOf, limitReason } from './limit-words.ts'

describe('the amount of a limit', () => {
  test.each([
    ['turns', 1, '1 turn'],
    ['tokens', 1500, '1500 tokens'],
    ['cost', 1_000_000, '1 money unit'],
    ['cost', 50_000, '0.05 money units'],
    ['time', 0, '0 seconds'],
    ['time', 1000, '1 second'],
    ['time', 1500, '1.5 seconds'],
    ['time', 60_000, '1 minute'],
    ['time', 90_000, '90 seconds'],
    ['time', 86_400_000, '24 hours'],
  ] as const)('of %s, %d, is in words: %s', (limit, count, words) => {
    expect(amountOf(limit, count)).toBe(words)
  })
})

describe('a limit that is reached', () => {
  const reached = { limit: 'tokens', used: 120, max: 100 } as const

  test('says what an approval adds, where it is asked about', () => {
    expect(limitReason(reached, true)).toBe(
      'The limit of 100 tokens is reached (120 tokens used). Approve to add as much again, or set it: approve({ limits: { tokens } }).',
    )
    expect(limitReason({ ...reached, max: 0 }, true)).toContain('Approve to add 10000 tokens,')
  })

  test('says what to raise, where it stops the run', () => {
    expect(limitReason(reached, false)).toBe('The limit of 100 tokens is reached (120 tokens used). Raise limits.tokens and resume the thread.')
  })
})
