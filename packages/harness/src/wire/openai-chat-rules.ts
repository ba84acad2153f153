/** What OpenAI refuses on chat completions. */
import { type Exchange, type Named, pairing } from './exchanges.ts'
import { type Loose, loose, looseList } from './loose.ts'
import { arrayWithoutItems, notAnObject, onParameters, openObject, optionalProperty, type SchemaCheck, tooLong } from './openai-schema.ts'
import { each, onBody } from './places.ts'
import type { Check, Refusal, RuleRows, WireRequest } from './wire.ts'

const messages = 'messages[*]'
const calls = 'messages[*].tool_calls[*]'
const functions = 'tools[*].function'

const callsOf = (message: Loose): readonly Loose[] => looseList(message['tool_calls'])
/** `messages[3].role` as it is written in the parameter of a complaint. */
const paramOf = (at: string): string => at.replace('[', '.[')

/** A message, and the tool messages right after it. An answer that names no call has a rule of its own. */
function exchangesOf({ body }: WireRequest): readonly Exchange[] {
  const exchanges: (Exchange & { readonly answers: Named[] })[] = [{ index: -1, calls: [], answers: [] }]
  for (const [index, message] of looseList(loose(body)['messages']).entries()) {
    const { role, tool_call_id: id } = message
    if (role !== 'tool') exchanges.push({ index, calls: callsOf(message).map((call) => ({ id: call['id'], index })), answers: [] })
    else if (id !== undefined) exchanges.at(-1)?.answers.push({ id, index })
  }
  return exchanges
}

const { answered, asked, once } = pairing(exchangesOf)

const strictFormat = (check: SchemaCheck): Check =>
  each('response_format.json_schema', ({ name, strict, schema }) => {
    return strict === true && check({ schema, called: `response_format '${name}'`, param: 'response_format' })
  })

function misnamed(name: unknown, param: string): Refusal {
  const isGood = typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)
  const message = `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
  return !isGood && { message, param, code: 'invalid_value' }
}

/** The o-series and GPT-5 think before they answer, and take fewer settings. */
const thinks = ({ model, reasoning_effort: effort }: Loose): boolean => typeof model === 'string' && /^(o\d|gpt-5)/.test(model) && effort !== 'none'

/** The rules of chat completions. */
export const openaiChatRules: RuleRows = {
  'chat/calls-answered': answered((open, { index }) => {
    const rule = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
    const message = `${rule} The following tool_call_ids did not have response messages: ${open.join(', ')}`
    return { message, param: `messages.[${index + 1}].role` }
  }),
  'chat/answers-asked': asked(({ index }) => {
    const message = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
    return { message, param: `messages.[${index}].role` }
  }),
  'chat/answered-once': once(({ id, index }, first) => {
    const message = `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', in messages[${first.index}] and messages[${index}].`
    return { message, param: `messages.[${index}].tool_call_id` }
  }),
  'chat/answers-name-their-call': each(messages, ({ role, tool_call_id: id }, at) => {
    const message = "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."
    return role === 'tool' && id === undefined && { message, param: `${paramOf(at)}.tool_call_id` }
  }),
  'chat/content-present': each(messages, (message, at) => {
    const isBare = (message['content'] ?? null) === null && callsOf(message).length === 0
    return isBare && { message: "Invalid value for 'content': expected a string, got null.", param: `${paramOf(at)}.content` }
  }),
  'chat/call-id-short': each(calls, ({ id }, at) => tooLong(`${at}.id`, id, 40)),
  'chat/arguments-are-text': each(`${calls}.function`, ({ arguments: given }, at) => {
    const param = `${at}.arguments`
    const got = typeof given === 'object' ? 'an object' : `a ${typeof given}`
    const message = `Invalid type for '${param}': expected a string, but got ${got} instead.`
    return typeof given !== 'string' && { message, param, code: 'invalid_type' }
  }),
  'chat/called-name': each(`${calls}.function`, ({ name }, at) => misnamed(name, `${at}.name`)),
  'chat/tool-name': each(functions, ({ name }, at) => misnamed(name, `${at}.name`)),
  'chat/parameters-are-an-object': onParameters(notAnObject, functions, 'all'),
  'chat/arrays-have-items': onParameters(arrayWithoutItems, functions, 'all'),
  'chat/strict-tool-closed': onParameters(openObject, functions, 'strict'),
  'chat/strict-tool-required': onParameters(optionalProperty, functions, 'strict'),
  'chat/tools-not-empty': onBody(({ tools }) => {
    const message = "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead."
    return Array.isArray(tools) && tools.length === 0 && { message, param: 'tools', code: 'empty_array' }
  }),
  'chat/choice-needs-tools': onBody(({ tools, tool_choice: choice }) => {
    const message = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
    return choice !== undefined && tools === undefined && { message, param: 'tool_choice' }
  }),
  'chat/strict-format-closed': strictFormat(openObject),
  'chat/strict-format-required': strictFormat(optionalProperty),
  'chat/no-max-tokens': onBody((body) => {
    const message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    return thinks(body) && body['max_tokens'] !== undefined && { message, param: 'max_tokens', code: 'unsupported_parameter' }
  }),
  'chat/no-temperature': onBody((body) => {
    const { temperature = 1 } = body
    const message = `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`
    return thinks(body) && temperature !== 1 && { message, param: 'temperature', code: 'unsupported_value' }
  }),
}

/** Further rules of vendors with the API of chat completions. */
export const openaiCompatibleRules: RuleRows = {
  'compatible/reasoning-returned': onBody(({ model, messages: given }) => {
    const all = looseList(given)
    const last = all.findLastIndex(({ role }) => role === 'user')
    const index = all.findIndex((message, at) => at > last && callsOf(message).length > 0 && typeof message['reasoning_content'] !== 'string')
    const advice = 'For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls'
    const message = `Missing \`reasoning_content\` field in the assistant message at message index ${index}. ${advice}`
    return /deepseek-(reasoner|v4)/.test(String(model)) && index !== -1 && { message, code: 'invalid_request_error' }
  }),
}
