/** The judge of prompt caches is judged: each planted change is named. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@loom-agent/agent/language-model'
import { assertCachePrefix } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

type Request = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>

const user = (text: string, providerOptions?: LanguageModelV4Message['providerOptions']): LanguageModelV4Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  ...(providerOptions && { providerOptions }),
})
const reply = (text: string): LanguageModelV4Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const system = (content: string): LanguageModelV4Message => ({ role: 'system', content })
const named = (name: string, description = 'It looks.') => ({
  type: 'function' as const,
  name,
  description,
  inputSchema: { type: 'object' as const },
})

const first: Request = { prompt: [system('Be exact.'), user('one')], tools: [named('a'), named('b')] }
const grown: Request = { prompt: [...first.prompt, reply('1'), user('two')], tools: [named('a'), named('b')] }
const mark = { anthropic: { cacheControl: { type: 'ephemeral' } } }

describe('assertCachePrefix', () => {
  test('accepts requests that only grow, and marks that move', () => {
    assertCachePrefix([])
    assertCachePrefix([first, grown, grown])
    assertCachePrefix([{ ...first, prompt: [system('Be exact.'), user('one', mark)] }, grown])
  })

  const planted: readonly (readonly [string, Request, RegExp])[] = [
    [
      'a system text that changed',
      { ...grown, prompt: [system('Be brief.'), ...grown.prompt.slice(1)] },
      /the system text differs.*Be exact.*Be brief.*cause instructions/,
    ],
    ['a system text that is gone', { ...grown, prompt: grown.prompt.slice(1) }, /the system text differs/],
    ['a tool that is gone', { ...grown, tools: [named('a')] }, /the tools differ, b is gone\..*cause tools/],
    ['a tool that is new', { ...grown, tools: [named('a'), named('b'), named('c')] }, /the tools differ, c is new/],
    ['tools in another order', { ...grown, tools: [named('b'), named('a')] }, /their order was a, b and is b, a/],
    ['a tool that changed', { ...grown, tools: [named('a'), named('b', 'It sees.')] }, /the tools differ, b changed/],
    [
      'a message that changed',
      { ...grown, prompt: [system('Be exact.'), user('One'), reply('1')] },
      /message 1 \(user\) differs.*one.*One.*cause compress/,
    ],
    [
      'a message that is gone',
      { ...grown, prompt: [system('Be exact.')] },
      /message 1 \(user\) is not there\. It was "[^"\\]*(?:\\.[^"\\]*)*"\.\.\. A rebase would/,
    ],
    ['a message of another role', { ...grown, prompt: [system('Be exact.'), reply('one')] }, /message 1 \(user\) differs/],
    [
      'options that are no marks',
      { ...grown, prompt: [system('Be exact.'), user('one', { openai: { a: 'b' } }), reply('1')] },
      /message 1 \(user\) differs/,
    ],
  ]
  test.each(planted)('names %s', (_, changed, words) => {
    expect(() => assertCachePrefix([first, changed])).toThrow(words)
    expect(() => assertCachePrefix([first, grown, changed])).toThrow(/^Request 3 does not begin with request 2/)
  })

  test('refuses events that are not those of the requests', () => {
    expect(() => assertCachePrefix([first, grown], [])).toThrow('There are 2 requests, and the events have 0.')
  })
})
