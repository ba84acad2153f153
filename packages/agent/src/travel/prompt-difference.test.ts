import { expect, test } from 'vitest'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { createPromptDifference, type Unshared } from './prompt-difference.ts'

const said = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })
const shown = (text: string): string => `user: [{"type":"text","text":"${text}"}]`
const unshared = (texts: readonly string[]): Unshared => ({ texts, count: texts.length })

test('shows what only one of the prompts has, in the order of its messages, turn after turn', () => {
  const difference = createPromptDifference()
  const was = [said('a'), said('b'), said('c')]
  const would = [said('b'), said('x')]
  expect(difference.update({ messages: was, renderings: 1 }, { messages: would, renderings: 1 }, 10)).toEqual({
    left: unshared([shown('a'), shown('c')]),
    added: unshared([shown('x')]),
  })
  would.push(said('a'), said('y'))
  expect(difference.update({ messages: was, renderings: 1 }, { messages: would, renderings: 1 }, 10)).toEqual({
    left: unshared([shown('c')]),
    added: unshared([shown('x'), shown('y')]),
  })
})

test('after a rebase of one prompt, what the other has is compared with its new messages', () => {
  const difference = createPromptDifference()
  const was = [said('a'), said('b'), said('c')]
  difference.update({ messages: was, renderings: 1 }, { messages: was.slice(), renderings: 1 }, 10)
  expect(difference.update({ messages: was, renderings: 1 }, { messages: [said('summary'), said('c')], renderings: 2 }, 10)).toEqual({
    left: unshared([shown('a'), shown('b')]),
    added: unshared([shown('summary')]),
  })
  expect(difference.update({ messages: [said('c')], renderings: 2 }, { messages: [said('summary'), said('c')], renderings: 2 }, 10)).toEqual({
    left: unshared([]),
    added: unshared([shown('summary')]),
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
    expect(difference.update({ messages: was, renderings: 1 }, { messages: would, renderings: 1 }, 10)).toEqual({
      left: unshared([shown('old')]),
      added: unshared([shown('new')]),
    })
    return visits - before
  })
  expect(new Set(perTurn.slice(1)).size).toBe(1)
})

test('of many messages the latest are shown, in the order of the prompt, and all are counted', () => {
  const difference = createPromptDifference()
  const was = Array.from({ length: 100 }, (_, index) => said(`m${index}`))
  difference.update({ messages: was, renderings: 1 }, { messages: was.slice(50), renderings: 1 }, 3)
  const { left, added } = difference.update({ messages: was, renderings: 1 }, { messages: was.slice(52), renderings: 2 }, 3)
  expect(left).toEqual({ texts: [shown('m49'), shown('m50'), shown('m51')], count: 52 })
  expect(added).toEqual({ texts: [], count: 0 })
})

test('a window that moves with every turn reads its own messages, never those of the other prompt again', () => {
  let visits = 0
  const counted = (text: string): LanguageModelV4Message => ({
    role: 'user',
    get content() {
      visits += 1
      return [{ type: 'text' as const, text }]
    },
  })
  const difference = createPromptDifference()
  const was: LanguageModelV4Message[] = []
  const perTurn = Array.from({ length: 200 }, (_, turn) => {
    const before = visits
    was.push(counted(`turn ${turn}`))
    const { left } = difference.update({ messages: was, renderings: 1 }, { messages: was.slice(-5), renderings: turn + 1 }, 10)
    expect(left.count).toBe(Math.max(0, turn - 4))
    return visits - before
  })
  expect(new Set(perTurn.slice(5))).toEqual(new Set([6]))
})
