/** Requests to Google that break one rule each. */
import { insert, type Mutation, put, remove } from './edits.ts'

const counted = 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
const search = 'tools[0].function_declarations[1].parameters'
const answer = { functionResponse: { name: 'weather', response: { content: 'fine' } } }

/** GenerateContent. */
export const googleMutations: readonly Mutation[] = [
  ['google/contents-present', 'google', '* GenerateContentRequest.contents: contents is not specified\n', put('body.contents', [])],
  ['google/role', 'google', 'Please use a valid role: user, model.', put('body.contents.0.role', 'system')],
  [
    'google/parts-present',
    'google',
    '* GenerateContentRequest.contents[3].parts: contents.parts must not be empty.\n',
    insert('body.contents.3', { role: 'model', parts: [] }),
  ],
  [
    'google/part-filled',
    'google',
    "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n",
    put('body.contents.0.parts.0.text', ''),
  ],
  [
    'google/part-filled',
    'google',
    "* GenerateContentRequest.contents[2].parts[2].data: required oneof field 'data' must have one initialized field\n",
    insert('body.contents.2.parts.2', {}),
  ],
  [
    'google/system-filled',
    'google',
    "* GenerateContentRequest.system_instruction.parts[0].data: required oneof field 'data' must have one initialized field\n",
    put('body.systemInstruction.parts.0.text', ''),
  ],
  [
    'google/call-after-user',
    'google',
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    insert('body.contents.1', { role: 'model', parts: [{ text: 'Well.' }] }),
  ],
  [
    'google/call-after-user',
    'google',
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    remove('body.contents.0'),
  ],
  [
    'google/answer-after-call',
    'google',
    'Please ensure that function response turn comes immediately after a function call turn.',
    insert('body.contents.1', { role: 'user', parts: [answer] }),
  ],
  ['google/answers-counted', 'google', counted, remove('body.contents.2.parts.1')],
  ['google/answers-counted', 'google', counted, insert('body.contents.2.parts.0', answer)],
  ['google/answers-counted', 'google', counted, put('body.contents.2.parts', [{ text: 'Never mind.' }])],
  [
    'google/answer-is-an-object',
    'google',
    `Invalid JSON payload received. Unknown name "response" at 'contents[2].parts[0].function_response': Proto field is not repeating, cannot start list.`,
    put('body.contents.2.parts.0.functionResponse.response', ['fine']),
  ],
  [
    'google/answer-is-an-object',
    'google',
    `Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "fine"`,
    put('body.contents.2.parts.0.functionResponse.response', 'fine'),
  ],
  [
    'google/call-signed',
    'google',
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:weather` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
    remove('body.contents.1.parts.1.thoughtSignature'),
  ],
  ['google/signature-untouched', 'google', 'Corrupted thought signature.', put('body.contents.1.parts.1.thoughtSignature', 'abcd')],
  [
    'google/function-name',
    'google',
    '* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.\n',
    put('body.tools.0.functionDeclarations.0.name', '1st weather'),
  ],
  [
    'google/schema-keys',
    'google',
    `Invalid JSON payload received. Unknown name "additionalProperties" at '${search}': Cannot find field.`,
    put('body.tools.0.functionDeclarations.1.parameters.additionalProperties', false),
  ],
  [
    'google/schema-one-type',
    'google',
    `Invalid JSON payload received. Unknown name "type" at '${search}.properties[limit]': Proto field is not repeating, cannot start list.`,
    put('body.tools.0.functionDeclarations.1.parameters.properties.limit.type', ['number', 'null']),
  ],
  [
    'google/schema-type-known',
    'google',
    `Invalid value at '${search}.properties[limit].type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "float"`,
    put('body.tools.0.functionDeclarations.1.parameters.properties.limit.type', 'float'),
  ],
  [
    'google/arrays-have-items',
    'google',
    `* GenerateContentRequest.${search}.properties[terms].items: missing field.\n`,
    remove('body.tools.0.functionDeclarations.1.parameters.properties.terms.items'),
  ],
  [
    'google/objects-have-properties',
    'google',
    `* GenerateContentRequest.${search}.properties: should be non-empty for OBJECT type\n`,
    put('body.tools.0.functionDeclarations.1.parameters', { type: 'object', properties: {} }),
  ],
  [
    'google/json-without-functions',
    'google json',
    "Function calling with a response mime type: 'application/json' is unsupported",
    put('body.tools', [{ functionDeclarations: [{ name: 'weather' }] }]),
  ],
]
