import { expect, test } from 'vitest'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { createPromptDifference } from './prompt-difference.ts'

const said = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })
const shown = (text: string): string => `user: [{"type":"text","text":"${text}"}]`

test('shows what only one of the prompts has, in the order of its messages, turn after turn', () => {
  const difference = createPromptDifference()
  const was = [said('a'), said('b'), said('c')]
  const would = [said('b'), said('x')]
  expect(difference.update({ messages: was, rebases: 1 }, { messages: would, rebases: 1 })).toEqual({
    left: [shown('a'), shown('c')],
    added: [shown('x')],
  })
  would.push(said('a'), said('y'))
  expect(difference.update({ messages: was, rebases: 1 }, { messages: would, rebases: 1 })).toEqual({
    left: [shown('c')],
    added: [shown('x'), shown('y')],
  })
})

test('after a rebase of one prompt, what the other has is compared with its new messages', () => {
  const difference = createPromptDifference()
  const was = [said('a'), said('b'), said('c')]
  difference.update({ messages: was, rebases: 1 }, { messages: was.slice(), rebases: 1 })
  expect(difference.update({ messages: was, rebases: 1 }, { messages: [said('summary'), said('c')], rebases: 2 })).toEqual({
    left: [shown('a'), shown('b')],
    added: [shown('summary')],
  })
  expect(difference.update({ messages: [said('c')], rebases: 2 }, { messages: [said('summary'), said('c')], rebases: 2 })).toEqual({
    left: [],
    added: [shown('summary')],
  })
})

test('a turn reads only the messages that it adds', () => {
  let visits = 0
  const counted = (text: string): LanguageModelV4Message => ({
    role: 'user',
    get content() {
      visits += 1
      return [{ type: 'text' as const, text }]
    },
  })
  const difference = createPromptDifference()
  const was = [counted('old')]
  const would = [counted('new')]
  const perTurn = Array.from({ length: 50 }, (_, turn) => {
    const before = visits
    was.push(counted(`turn ${turn}`))
    would.push(counted(`turn ${turn}`))
    expect(difference.update({ messages: was, rebases: 1 }, { messages: would, rebases: 1 })).toEqual({ left: [shown('old')], added: [shown('new')] })
    return visits - before
  })
  expect(new Set(perTurn.slice(1)).size).toBe(1)
})
