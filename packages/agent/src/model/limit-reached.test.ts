import { facts, given } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { amountOf, limitReached } from './limit-reached.ts'

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
  const { frame } = given(...facts.started())

  test('is a question that says what an approval adds', () => {
    expect(limitReached(frame, { limit: 'tokens', used: 120, max: 100, asks: true })).toEqual({
      type: 'question.asked',
      data: {
        id: 'run:limit#1',
        kind: 'limit',
        prompt: 'The limit of 100 tokens is reached (120 tokens used). Approve to add as much again, or set it: approve({ limits: { tokens } }).',
        key: 'tokens',
      },
    })
    const { data } = limitReached(frame, { limit: 'tokens', used: 0, max: 0, asks: true })
    expect(data).toMatchObject({ prompt: expect.stringContaining('Approve to add 10000 tokens') })
  })

  test.each([
    ['turns', 'limit'],
    ['cost', 'budget'],
  ] as const)('of %s ends the run as %s, with the figures', (limit, kind) => {
    const { type, data } = limitReached(frame, { limit, used: 3, max: 2, asks: false })
    expect(type).toBe('run.stopped')
    expect(data).toEqual({ kind, reason: expect.stringContaining(`Raise limits.${limit} and resume the thread.`), limit, used: 3, max: 2 })
  })

  test('of a fork without limits says what may be granted', () => {
    const fork = given(...facts.started(), { type: 'thread.forked', data: { from: 'p@2' } }).frame
    const { data } = limitReached(fork, { limit: 'tokens', used: 0, max: 0, asks: true })
    expect(data).toMatchObject({ key: 'budget', prompt: expect.stringContaining('such as approve({ limits: { tokens: 100000 } })') })
  })
})
