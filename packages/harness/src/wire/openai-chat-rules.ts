/** What OpenAI refuses on chat completions. */
import { type Loose, loose, looseList } from './loose.ts'
import { arrayWithoutItems, notAnObject, openaiName, openObject, optionalProperty, type SchemaOwner } from './openai-schema.ts'
import { type Complaint, firstComplaint, type RuleRow, rulesOf, type WireRequest, type WireRule } from './wire.ts'

const bodyOf = (request: WireRequest): Loose => loose(request.body)
const messagesOf = (request: WireRequest): readonly Loose[] => looseList(bodyOf(request)['messages'])
const callsOf = (message: Loose | undefined): readonly Loose[] => looseList(message?.['tool_calls'])
const functionsOf = (request: WireRequest): readonly Loose[] => looseList(bodyOf(request)['tools']).map((tool) => loose(tool['function']))
const isTool = (message: Loose | undefined): boolean => message?.['role'] === 'tool'

/** The tool messages right after a message. */
function answersAfter(messages: readonly Loose[], index: number): readonly Loose[] {
  let end = index + 1
  while (isTool(messages[end])) end += 1
  return messages.slice(index + 1, end)
}

/** The message that a run of tool messages answers. */
function askedBy(messages: readonly Loose[], index: number): Loose | undefined {
  let start = index
  while (isTool(messages[start])) start -= 1
  return messages[start]
}

const eachCall = (request: WireRequest, check: (call: Loose, at: string) => Complaint | undefined): Complaint | undefined =>
  firstComplaint(messagesOf(request), (message, index) =>
    firstComplaint(callsOf(message), (call, nth) => check(call, `messages[${index}].tool_calls[${nth}]`)),
  )

const ownerOf = (tool: Loose, index: number): SchemaOwner => {
  return { called: `function '${tool['name']}'`, param: `tools[${index}].function.parameters`, code: 'invalid_function_parameters' }
}

const eachStrictTool = (request: WireRequest, check: (schema: unknown, owner: SchemaOwner) => Complaint | undefined): Complaint | undefined =>
  firstComplaint(functionsOf(request), (tool, index) => (tool['strict'] === true ? check(tool['parameters'], ownerOf(tool, index)) : undefined))

const formatOf = (request: WireRequest): Loose => loose(loose(bodyOf(request)['response_format'])['json_schema'])

const strictFormat = (request: WireRequest, check: (schema: unknown, owner: SchemaOwner) => Complaint | undefined): Complaint | undefined => {
  const { name, strict, schema } = formatOf(request)
  return strict === true ? check(schema, { called: `response_format '${name}'`, param: 'response_format' }) : undefined
}

const pattern = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."

const misnamed = (name: unknown, at: string): Complaint | undefined =>
  typeof name === 'string' && openaiName.test(name) ? undefined : { message: `Invalid '${at}': ${pattern}`, param: at, code: 'invalid_value' }

/** The o-series and GPT-5 think before they answer, and take fewer settings. */
const thinks = ({ model, reasoning_effort: effort }: Loose): boolean => typeof model === 'string' && /^(o\d|gpt-5)/.test(model) && effort !== 'none'

const pairing: readonly RuleRow[] = [
  {
    id: 'chat/calls-answered',
    says: 'Every call is answered by the tool messages right after it.',
    source: 'https://github.com/sdcb/chats/pull/132',
    check: (request) => {
      const messages = messagesOf(request)
      return firstComplaint(messages, (message, index) => {
        const answered = answersAfter(messages, index).map((answer) => answer['tool_call_id'])
        const open = callsOf(message).flatMap(({ id }) => (answered.includes(id) ? [] : [id]))
        const said =
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
          `The following tool_call_ids did not have response messages: ${open.join(', ')}`
        return open.length > 0 ? { message: said, param: `messages.[${index + 1}].role` } : undefined
      })
    },
  },
  {
    id: 'chat/answers-asked',
    says: 'A tool message answers a call of the assistant message before it.',
    source: 'https://github.com/openai/openai-go/issues/43',
    check: (request) => {
      const messages = messagesOf(request)
      return firstComplaint(messages, (message, index) => {
        if (!isTool(message) || message['tool_call_id'] === undefined) return undefined
        const isAsked = callsOf(askedBy(messages, index)).some(({ id }) => id === message['tool_call_id'])
        const said = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        return isAsked ? undefined : { message: said, param: `messages.[${index}].role` }
      })
    },
  },
  {
    id: 'chat/answered-once',
    says: 'No call is answered twice.',
    source: 'https://github.com/agno-agi/agno/issues/5116',
    check: (request) => {
      const messages = messagesOf(request)
      return firstComplaint(messages, (message, index) => {
        const id = message['tool_call_id']
        if (!isTool(message) || id === undefined) return undefined
        const again = answersAfter(messages, index).findIndex((answer) => answer['tool_call_id'] === id) + index + 1
        const said = `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', in messages[${index}] and messages[${again}].`
        return again > index ? { message: said, param: `messages.[${again}].tool_call_id` } : undefined
      })
    },
  },
  {
    id: 'chat/answers-name-their-call',
    says: 'A tool message says which call it answers.',
    source: 'https://github.com/vercel/ai/issues/2178',
    check: (request) =>
      firstComplaint(messagesOf(request), (message, index) => {
        const said = "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."
        return isTool(message) && message['tool_call_id'] === undefined ? { message: said, param: `messages.[${index}].tool_call_id` } : undefined
      }),
  },
]

const calls: readonly RuleRow[] = [
  {
    id: 'chat/call-id-short',
    says: 'The id of a call has at most 40 characters.',
    source: 'https://github.com/vercel/ai/issues/5171',
    check: (request) =>
      eachCall(request, ({ id }, at) => {
        const length = String(id).length
        const said = `Invalid '${at}.id': string too long. Expected a string with maximum length 40, but got a string with length ${length} instead.`
        return length > 40 ? { message: said, param: `${at}.id`, code: 'string_above_max_length' } : undefined
      }),
  },
  {
    id: 'chat/arguments-are-text',
    says: 'The arguments of a call are a text that holds JSON.',
    source: 'https://github.com/aaif-goose/goose-mobile/pull/20',
    check: (request) =>
      eachCall(request, (call, at) => {
        const given = loose(call['function'])['arguments']
        const param = `${at}.function.arguments`
        const got = typeof given === 'object' ? 'an object' : `a ${typeof given}`
        const said = `Invalid type for '${param}': expected a string, but got ${got} instead.`
        return typeof given === 'string' ? undefined : { message: said, param, code: 'invalid_type' }
      }),
  },
  {
    id: 'chat/called-name',
    says: 'The name in a call has letters, digits, underscores and dashes.',
    source: 'https://github.com/mcp-use/mcp-use/pull/94',
    check: (request) => eachCall(request, (call, at) => misnamed(loose(call['function'])['name'], `${at}.function.name`)),
  },
  {
    id: 'chat/content-present',
    says: 'A message without calls has content.',
    source: 'https://github.com/langchain-ai/langchainjs/issues/4153',
    check: (request) =>
      firstComplaint(messagesOf(request), (message, index) => {
        const isBare = (message['content'] ?? null) === null && callsOf(message).length === 0
        return isBare ? { message: "Invalid value for 'content': expected a string, got null.", param: `messages.[${index}].content` } : undefined
      }),
  },
]

const tools: readonly RuleRow[] = [
  {
    id: 'chat/tool-name',
    says: 'The name of a tool has 1 to 64 letters, digits, underscores and dashes.',
    source: 'https://github.com/brekkylab/ailoy/pull/109',
    check: (request) => firstComplaint(functionsOf(request), ({ name }, index) => misnamed(name, `tools[${index}].function.name`)),
  },
  {
    id: 'chat/parameters-are-an-object',
    says: 'The schema of parameters is an object.',
    source: 'https://github.com/FoundationAgents/OpenManus/issues/1162',
    check: (request) => firstComplaint(functionsOf(request), (tool, index) => notAnObject(tool['parameters'], ownerOf(tool, index))),
  },
  {
    id: 'chat/arrays-have-items',
    says: 'An array in a schema says what is in it.',
    source: 'https://github.com/streamnative/streamnative-mcp-server/issues/26',
    check: (request) => firstComplaint(functionsOf(request), (tool, index) => arrayWithoutItems(tool['parameters'], ownerOf(tool, index))),
  },
  {
    id: 'chat/strict-tool-closed',
    says: 'The objects of a strict tool allow nothing else.',
    source: 'https://github.com/lastmile-ai/openai-agents-mcp/issues/2',
    check: (request) => eachStrictTool(request, openObject),
  },
  {
    id: 'chat/strict-tool-required',
    says: 'A strict tool has no optional parameters.',
    source: 'https://github.com/kevinwatt/mysql-mcp/issues/5',
    check: (request) => eachStrictTool(request, optionalProperty),
  },
  {
    id: 'chat/tools-not-empty',
    says: 'A list of tools has tools.',
    source: 'https://github.com/vllm-project/vllm/pull/40311',
    check: (request) => {
      const { tools: given } = bodyOf(request)
      const said = "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead."
      return Array.isArray(given) && given.length === 0 ? { message: said, param: 'tools', code: 'empty_array' } : undefined
    },
  },
  {
    id: 'chat/choice-needs-tools',
    says: 'A tool is chosen among tools.',
    source: 'https://github.com/RageAgainstThePixel/OpenAI-DotNet/issues/479',
    check: (request) => {
      const { tools: given, tool_choice: choice } = bodyOf(request)
      const said = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
      return choice !== undefined && given === undefined ? { message: said, param: 'tool_choice' } : undefined
    },
  },
]

const settings: readonly RuleRow[] = [
  {
    id: 'chat/strict-format-closed',
    says: 'The objects of a strict answer allow nothing else.',
    source: 'https://github.com/moeru-ai/xsai/issues/145',
    check: (request) => strictFormat(request, openObject),
  },
  {
    id: 'chat/strict-format-required',
    says: 'A strict answer has no optional properties.',
    source: 'https://github.com/sherifkozman/the-llm-council/issues/9',
    check: (request) => strictFormat(request, optionalProperty),
  },
  {
    id: 'chat/no-max-tokens',
    says: 'Models that think take max_completion_tokens instead of max_tokens.',
    source: 'https://github.com/sipeed/picoclaw/issues/16',
    check: (request) => {
      const said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
      const isRefused = thinks(bodyOf(request)) && bodyOf(request)['max_tokens'] !== undefined
      return isRefused ? { message: said, param: 'max_tokens', code: 'unsupported_parameter' } : undefined
    },
  },
  {
    id: 'chat/no-temperature',
    says: 'Models that think take no temperature but 1.',
    source: 'https://github.com/OpenHands/OpenHands/issues/4131',
    check: (request) => {
      const { temperature } = bodyOf(request)
      const said = `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`
      const isRefused = thinks(bodyOf(request)) && temperature !== undefined && temperature !== 1
      return isRefused ? { message: said, param: 'temperature', code: 'unsupported_value' } : undefined
    },
  },
]

/** The rules of chat completions. */
export const openaiChatRules: readonly WireRule[] = rulesOf('openai-chat', [...pairing, ...calls, ...tools, ...settings])

/** Further rules of vendors with the API of chat completions. */
export const openaiCompatibleRules: readonly WireRule[] = rulesOf('openai-compatible', [
  {
    id: 'compatible/reasoning-returned',
    says: 'A model that thinks between calls gets its reasoning back with them.',
    source: 'https://github.com/AstrBotDevs/AstrBot/issues/4174',
    check(request) {
      const messages = messagesOf(request)
      if (!/deepseek-(reasoner|v4)/.test(String(bodyOf(request)['model']))) return undefined
      const asked = messages.findLastIndex(({ role }) => role === 'user')
      const index = messages.findIndex((message, at) => at > asked && callsOf(message).length > 0 && typeof message['reasoning_content'] !== 'string')
      const advice = 'For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls'
      const said = `Missing \`reasoning_content\` field in the assistant message at message index ${index}. ${advice}`
      return index === -1 ? undefined : { message: said, code: 'invalid_request_error' }
    },
  },
])
