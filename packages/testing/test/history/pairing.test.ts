/** The judge of prompts is judged: it must find every way in which calls and results can come apart. */
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { checkPairing } from '../../src/history/check-pairing.ts'

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type Results = Extract<LanguageModelV4Message, { role: 'tool' }>

const user: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: 'Go.' }] }
const call = (toolCallId: string, more: { providerExecuted?: boolean } = {}): Assistant['content'][number] => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input: {},
  ...more,
})
const result = (toolCallId: string, toolName = 'look') => ({
  type: 'tool-result' as const,
  toolCallId,
  toolName,
  output: { type: 'text' as const, value: 'seen' },
})
const calling = (...ids: readonly string[]): Assistant => ({ role: 'assistant', content: ids.map((id) => call(id)) })
const answering = (...ids: readonly string[]): Results => ({ role: 'tool', content: ids.map((id) => result(id)) })
const saying: Assistant = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }

describe('a prompt is sound', () => {
  const sound: { readonly [name: string]: readonly LanguageModelV4Message[] } = {
    'without calls': [{ role: 'system', content: '' }, user, saying, user],
    'when each call has its result next to it, in order': [user, calling('a', 'b'), answering('a', 'b'), calling('c'), answering('c'), saying, user],
    'when the provider has executed a call itself': [
      user,
      { role: 'assistant', content: [call('a', { providerExecuted: true }), result('a'), call('b')] },
      answering('b'),
      { role: 'assistant', content: [call('c', { providerExecuted: true })] },
      user,
      { role: 'assistant', content: [result('c')] },
    ],
  }
  for (const [name, prompt] of Object.entries(sound)) test(name, () => expect(checkPairing(prompt)).toEqual([]))
})

describe('a prompt is refused', () => {
  const spoiled: { readonly [name: string]: readonly [prompt: readonly LanguageModelV4Message[], found: string] } = {
    'when a result is missing': [[calling('a', 'b'), answering('a')], 'message 1 (tool) has no result of b'],
    'when all results are missing': [[calling('a'), user], 'message 1 (user) comes before the result of a'],
    'when it ends with a call': [[user, calling('a')], 'the prompt ends before the result of a'],
    'when a call has two results': [[calling('a'), answering('a', 'a')], 'message 1 (tool) has 2 results of a'],
    'when a result comes again later': [[calling('a'), answering('a'), answering('a')], 'message 2 (tool) has a result of a without its call'],
    'when results are in another order': [
      [calling('a', 'b'), answering('b', 'a')],
      'message 1 (tool) has its results in another order than the calls',
    ],
    'when something is between call and result': [[calling('a'), user, answering('a')], 'message 1 (user) comes before the result of a'],
    'when a reply is between call and result': [[calling('a'), saying, answering('a')], 'message 1 (assistant) comes before the result of a'],
    'when a result has no call': [[user, answering('a')], 'message 1 (tool) has a result of a without its call'],
    'when a result has another id than its call': [[calling('a'), answering('b')], 'message 1 (tool) has a result of b without its call'],
    'when a result has another name than its call': [
      [calling('a'), { role: 'tool', content: [result('a', 'write')] }],
      'message 1 (tool) has a result of a under the name write, not look',
    ],
    'when an id is used twice in a message': [[calling('a', 'a'), answering('a')], 'message 0 (assistant) uses the id a again'],
    'when an id is used again later': [[calling('a'), answering('a'), calling('a'), answering('a')], 'message 2 (assistant) uses the id a again'],
    'when a reply is empty': [[user, { role: 'assistant', content: [] }], 'message 1 (assistant) is empty'],
    'when results are empty': [[user, { role: 'tool', content: [] }], 'message 1 (tool) is empty'],
    'when a message of the user is empty': [[{ role: 'user', content: [] }], 'message 0 (user) is empty'],
    'when a provider has a result of nothing': [
      [{ role: 'assistant', content: [result('a')] }],
      'message 0 (assistant) has a result of a without its call',
    ],
    'when what the provider executed is answered here': [
      [{ role: 'assistant', content: [call('a', { providerExecuted: true })] }, answering('a')],
      'message 1 (tool) has a result of a without its call',
    ],
  }
  for (const [name, [prompt, found]] of Object.entries(spoiled)) test(name, () => expect(checkPairing(prompt)).toContain(found))
})
