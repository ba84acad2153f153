/** Requests that the vendors take: what mutations are made of. */
import { seal, signThought } from '../../src/wire/seal.ts'
import type { Wire, WireRequest } from '../../src/wire/wire.ts'

/** A request and the wire that it is for. */
export interface Valid {
  readonly wire: Wire
  readonly request: WireRequest
}

const strict = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const loosely = {
  type: 'object',
  properties: { terms: { type: 'array', items: { type: 'string' } }, limit: { type: 'number' } },
  required: ['terms'],
}
const headers = { 'content-type': 'application/json', authorization: 'Bearer key' }

const chatCall = (id: string): object => ({ id, type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } })

const chatMessages = [
  { role: 'system', content: 'Be exact.' },
  { role: 'user', content: 'How is it in Bern and in Basel?' },
  { role: 'assistant', content: null, tool_calls: [chatCall('call_a'), chatCall('call_b')] },
  { role: 'tool', tool_call_id: 'call_a', content: 'fine' },
  { role: 'tool', tool_call_id: 'call_b', content: 'wet' },
  { role: 'assistant', content: 'Fine and wet.' },
  { role: 'user', content: 'Thanks.' },
]

const chat = {
  model: 'gpt-4.1',
  messages: chatMessages,
  tools: [
    { type: 'function', function: { name: 'weather', parameters: strict, strict: true } },
    { type: 'function', function: { name: 'search', parameters: loosely } },
  ],
  tool_choice: 'auto',
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: strict, strict: true } },
  temperature: 0.5,
  max_tokens: 100,
}

const responses = {
  model: 'gpt-5',
  input: [
    { role: 'developer', content: 'Be exact.' },
    { role: 'user', content: [{ type: 'input_text', text: 'How is it in Bern?' }] },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal('weather it is') },
    { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'weather', arguments: '{"city":"Bern"}' },
    { type: 'function_call_output', call_id: 'call_a', output: 'fine' },
    { type: 'message', id: 'msg_2', role: 'assistant', content: [{ type: 'output_text', text: 'Fine.' }] },
    { role: 'user', content: [{ type: 'input_text', text: 'Thanks.' }] },
  ],
  tools: [{ type: 'function', name: 'weather', parameters: strict, strict: true }],
  text: { format: { type: 'json_schema', name: 'answer', schema: strict, strict: true } },
  max_output_tokens: 100,
}

const referring = {
  model: 'gpt-5',
  input: [
    { type: 'item_reference', id: 'msg_2' },
    { role: 'user', content: 'Thanks.' },
  ],
}
const kept = new Map([['msg_2', { id: 'msg_2', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Fine.' }] }]])

const toolUse = (id: string): object => ({ type: 'tool_use', id, name: 'weather', input: { city: 'Bern' } })
const toolResult = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: 'fine' })
const thought = 'Two calls will do.'

const anthropic = {
  model: 'claude-sonnet-4-5',
  max_tokens: 4000,
  system: [{ type: 'text', text: 'Be exact.', cache_control: { type: 'ephemeral' } }],
  thinking: { type: 'enabled', budget_tokens: 2000 },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'How is it in Bern and in Basel?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: thought, signature: signThought(thought) },
        { type: 'text', text: 'Looking.' },
        toolUse('toolu_a'),
        toolUse('toolu_b'),
      ],
    },
    { role: 'user', content: [toolResult('toolu_a'), { ...toolResult('toolu_b'), is_error: true }] },
  ],
  tools: [
    { name: 'weather', input_schema: strict },
    { name: 'search', input_schema: loosely },
  ],
  tool_choice: { type: 'auto' },
}

const prefilled = {
  model: 'claude-3-5-haiku-latest',
  max_tokens: 100,
  temperature: 0.5,
  messages: [
    { role: 'user', content: 'Say hello.' },
    { role: 'assistant', content: 'Hello' },
  ],
}

const anthropicHeaders = { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' }

const google = {
  systemInstruction: { parts: [{ text: 'Be exact.' }] },
  contents: [
    { role: 'user', parts: [{ text: 'How is it in Bern and in Basel?' }] },
    {
      role: 'model',
      parts: [
        { text: 'Two calls will do.', thought: true },
        { functionCall: { name: 'weather', args: { city: 'Bern' } }, thoughtSignature: seal('thought') },
        { functionCall: { name: 'weather', args: { city: 'Basel' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'weather', response: { content: 'fine' } } },
        { functionResponse: { name: 'weather', response: { content: 'wet' } } },
      ],
    },
  ],
  tools: [
    {
      functionDeclarations: [
        { name: 'weather', parametersJsonSchema: strict },
        { name: 'search', parameters: loosely },
      ],
    },
  ],
}

const googleJson = { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }], generationConfig: { responseMimeType: 'application/json' } }

const deepseek = {
  ...chat,
  model: 'deepseek-reasoner',
  messages: chatMessages.slice(0, 5).map((message) => ({ ...message, reasoning_content: 'Hm.' })),
}
const thinking = { ...chat, model: 'o3', max_tokens: undefined, max_completion_tokens: 100, temperature: 1 }

const valid = (wire: Wire, path: string, body: object): Valid => {
  return { wire, request: { path, headers: wire === 'anthropic' ? anthropicHeaders : headers, body: JSON.parse(JSON.stringify(body)) as unknown } }
}

/** By name. */
export const validRequests: Readonly<Record<string, Valid>> = {
  chat: valid('openai-chat', '/openai/v1/chat/completions', chat),
  'chat that thinks': valid('openai-chat', '/openai/v1/chat/completions', thinking),
  compatible: valid('openai-compatible', '/compatible/v1/chat/completions', deepseek),
  responses: valid('openai-responses', '/openai/v1/responses', responses),
  'responses that refer': { wire: 'openai-responses', request: { ...valid('openai-responses', '/openai/v1/responses', referring).request, kept } },
  anthropic: valid('anthropic', '/anthropic/v1/messages', anthropic),
  prefilled: valid('anthropic', '/anthropic/v1/messages', prefilled),
  google: valid('google', '/google/v1beta/models/gemini-3-pro-preview:generateContent', google),
  'google json': valid('google', '/google/v1beta/models/gemini-2.5-flash:generateContent', googleJson),
}
