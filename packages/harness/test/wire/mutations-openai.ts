/** Requests to OpenAI that break one rule each. */
import { insert, type Mutation, put, remove, rename } from './edits.ts'

const open = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const strict = { ...open, additionalProperties: false }
const optional = {
  type: 'object',
  properties: { city: { type: 'string' }, day: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const long = (length: number): string => `call_${'x'.repeat(length - 5)}`

const notNamed = (place: string): string =>
  `Invalid '${place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`

/** Chat completions. */
export const chatMutations: readonly Mutation[] = [
  [
    'chat/calls-answered',
    'chat',
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_b",
    remove('body.messages.4'),
  ],
  [
    'chat/calls-answered',
    'chat',
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_a, call_b",
    remove('body.messages.3'),
    remove('body.messages.3'),
  ],
  [
    'chat/answers-asked',
    'chat',
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    insert('body.messages.7', { role: 'tool', tool_call_id: 'call_a', content: 'fine' }),
  ],
  [
    'chat/answers-asked',
    'chat',
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    insert('body.messages.5', { role: 'tool', tool_call_id: 'call_c', content: 'fine' }),
  ],
  [
    'chat/answered-once',
    'chat',
    "Invalid parameter: Duplicate value for 'tool_call_id' of 'call_a', in messages[3] and messages[5].",
    insert('body.messages.5', { role: 'tool', tool_call_id: 'call_a', content: 'fine' }),
  ],
  [
    'chat/answers-name-their-call',
    'chat',
    "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
    insert('body.messages.5', { role: 'tool', content: 'fine' }),
  ],
  [
    'chat/call-id-short',
    'chat',
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    rename('call_a', long(41)),
  ],
  [
    'chat/arguments-are-text',
    'chat',
    "Invalid type for 'messages[2].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    put('body.messages.2.tool_calls.0.function.arguments', { city: 'Bern' }),
  ],
  ['chat/called-name', 'chat', notNamed('messages[2].tool_calls[1].function.name'), put('body.messages.2.tool_calls.1.function.name', 'weather.now')],
  ['chat/content-present', 'chat', "Invalid value for 'content': expected a string, got null.", put('body.messages.5.content', null)],
  ['chat/content-present', 'chat', "Invalid value for 'content': expected a string, got null.", remove('body.messages.6.content')],
  ['chat/tool-name', 'chat', notNamed('tools[0].function.name'), put('body.tools.0.function.name', 'the weather')],
  ['chat/tool-name', 'chat', notNamed('tools[1].function.name'), put('body.tools.1.function.name', 'x'.repeat(65))],
  [
    'chat/parameters-are-an-object',
    'chat',
    `Invalid schema for function 'search': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
    put('body.tools.1.function.parameters', { type: 'string' }),
  ],
  [
    'chat/arrays-have-items',
    'chat',
    "Invalid schema for function 'search': In context=('properties', 'terms'), array schema missing items.",
    remove('body.tools.1.function.parameters.properties.terms.items'),
  ],
  [
    'chat/strict-tool-closed',
    'chat',
    "Invalid schema for function 'weather': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    put('body.tools.0.function.parameters', open),
  ],
  [
    'chat/strict-tool-required',
    'chat',
    "Invalid schema for function 'weather': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'day'.",
    put('body.tools.0.function.parameters', optional),
  ],
  [
    'chat/tools-not-empty',
    'chat',
    "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    put('body.tools', []),
  ],
  [
    'chat/choice-needs-tools',
    'chat',
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    remove('body.tools'),
  ],
  [
    'chat/strict-format-closed',
    'chat',
    "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    put('body.response_format.json_schema.schema', open),
  ],
  [
    'chat/strict-format-required',
    'chat',
    "Invalid schema for response_format 'answer': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'day'.",
    put('body.response_format.json_schema.schema', optional),
  ],
  [
    'chat/no-max-tokens',
    'chat that thinks',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    put('body.max_tokens', 100),
  ],
  [
    'chat/no-temperature',
    'chat that thinks',
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    put('body.temperature', 0.2),
  ],
  [
    'compatible/reasoning-returned',
    'compatible',
    'Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls',
    remove('body.messages.2.reasoning_content'),
  ],
]

/** Responses. */
export const responsesMutations: readonly Mutation[] = [
  ['responses/calls-answered', 'responses', 'No tool output found for function call call_a.', remove('body.input.4')],
  [
    'responses/answers-asked',
    'responses',
    'No tool call found for function call output with call_id call_z.',
    insert('body.input.5', { type: 'function_call_output', call_id: 'call_z', output: 'fine' }),
  ],
  [
    'responses/reasoning-followed',
    'responses',
    "Item 'rs_9' of type 'reasoning' was provided without its required following item.",
    insert('body.input.7', { type: 'reasoning', id: 'rs_9', summary: [] }),
  ],
  [
    'responses/reasoning-followed',
    'responses',
    "Item 'rs_9' of type 'reasoning' was provided without its required following item.",
    insert('body.input.2', { type: 'reasoning', id: 'rs_9', summary: [] }),
  ],
  [
    'responses/call-id-short',
    'responses',
    "Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    rename('call_a', long(65)),
  ],
  [
    'responses/id-characters',
    'responses',
    "Invalid 'input[2].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
    put('body.input.2.id', ''),
  ],
  ['responses/id-prefix', 'responses', "Invalid 'input[3].id': 'call_a'. Expected an ID that begins with 'fc'.", put('body.input.3.id', 'call_a')],
  ['responses/id-prefix', 'responses', "Invalid 'input[6].id': 'item_1'. Expected an ID that begins with 'msg'.", put('body.input.6.id', 'item_1')],
  [
    'responses/ids-once',
    'responses',
    'Duplicate item found with id msg_2. Remove duplicate items from your input and try again.',
    insert('body.input.6', { type: 'message', id: 'msg_2', role: 'assistant', content: 'Fine.' }),
  ],
  [
    'responses/encrypted-untouched',
    'responses',
    'The encrypted content gAAA...nged could not be verified.',
    put('body.input.2.encrypted_content', 'gAAAA-something-else-changed'),
  ],
  [
    'responses/reference-known',
    'responses that refer',
    "Item with id 'msg_7' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    put('body.input.0.id', 'msg_7'),
  ],
  [
    'responses/tool-named',
    'responses',
    "Missing required parameter: 'tools[0].name'.",
    put('body.tools.0', { type: 'function', function: { name: 'weather' } }),
  ],
  [
    'responses/parameters-are-an-object',
    'responses',
    `Invalid schema for function 'weather': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`,
    put('body.tools.0.parameters', { anyOf: [strict, strict] }),
  ],
  [
    'responses/strict-tool-closed',
    'responses',
    "Invalid schema for function 'weather': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    put('body.tools.0.parameters', open),
  ],
  [
    'responses/strict-tool-required',
    'responses',
    "Invalid schema for function 'weather': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'day'.",
    put('body.tools.0.parameters', optional),
  ],
  [
    'responses/strict-format-closed',
    'responses',
    "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    put('body.text.format.schema', open),
  ],
  [
    'responses/strict-format-required',
    'responses',
    "Invalid schema for response_format 'answer': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'day'.",
    put('body.text.format.schema', optional),
  ],
  [
    'responses/output-not-tiny',
    'responses',
    "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 5 instead.",
    put('body.max_output_tokens', 5),
  ],
]
