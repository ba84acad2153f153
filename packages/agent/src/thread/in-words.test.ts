import { type Draft, decide } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { questionAbout, stopFor } from './in-words.ts'

const { started, turn, assembled, requested, called, finished } = facts
const round = (number: number): readonly Draft[] => [turn(number), assembled(), requested(), called({ name: 'look' }), finished(`${number}.0`)]
const cut = (finish: string): Draft => ({ type: 'model.replied', data: { parts: [], usage: { input: 1, output: 1 }, finish } })
const taken: Draft = { type: 'driver.acquired', data: { epoch: 6, worker: 'w' } }
const forked: Draft = { type: 'thread.forked', data: { from: 'p@2' } }
const stopping: Draft = { type: 'limit.raised', data: { limits: { onReached: 'stop', tokens: 0 } } }

/** What is recorded of what `decide` returns. */
function recorded(...events: readonly Draft[]): Draft | undefined {
  const { frame } = given(...events)
  const effect = decide(frame)
  if (effect.kind === 'ask') return questionAbout(frame, effect.about)
  return effect.kind === 'stop' && frame.run ? stopFor(frame, effect.cause) : undefined
}

test('a limit of tokens is a question about that limit', () => {
  const prompt = 'The limit of 1 token is reached (2 tokens used). Approve to add as much again, or set it: approve({ limits: { tokens } }).'
  const asked = recorded(...started('Hi', { tokens: 1 }), turn(1), assembled(), requested(), called({ name: 'look' }), finished('1.0'))
  expect(asked).toEqual({ type: 'question.asked', data: { id: 'run:limit#1', kind: 'limit', prompt, key: 'tokens' } })
})

test('a fork that may spend nothing yet asks for a budget', () => {
  const data = { key: 'budget', prompt: expect.stringContaining('such as approve({ limits: { tokens: 100000 } })') }
  expect(recorded(...started(), forked)).toMatchObject({ type: 'question.asked', data })
})

test('a thread that no driver gets further is asked about', () => {
  const prompt = '6 drivers took this thread in a row and none got further. Go on?'
  expect(recorded(...started(), taken)).toEqual({ type: 'question.asked', data: { id: 'run:parked#1', kind: 'parked', prompt } })
})

test.each<[string, readonly Draft[], object, string]>([
  ['a limit', [...started('Hi', { turns: 1 }), ...round(1)], { kind: 'limit', limit: 'turns', used: 1, max: 1 }, 'Raise limits.turns'],
  ['a budget', [...started(), stopping], { kind: 'budget', limit: 'tokens', used: 0, max: 0 }, 'Raise limits.tokens'],
  ['a loop', [...started(), ...[1, 2, 3, 4, 5].flatMap(round)], { kind: 'loop', used: 5 }, 'The tool look was called 5 times'],
  ['a reply that was cut', [...started(), turn(1), assembled(), requested(), cut('length')], { kind: 'length' }, 'Raise settings.maxOutputTokens'],
  ['a filter', [...started(), turn(1), assembled(), requested(), cut('content-filter')], { kind: 'filtered' }, "The provider's filter"],
])('a run that %s stops says why, with the figures', (_, events, figures, words) => {
  expect(recorded(...events)).toEqual({ type: 'run.stopped', data: { ...figures, reason: expect.stringContaining(words) } })
})
