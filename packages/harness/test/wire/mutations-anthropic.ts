/** Requests to Anthropic that break one rule each. */
import { seal } from '../../src/wire/seal.ts'
import { insert, type Mutation, put, remove, rename } from './edits.ts'

const mark = { type: 'text', text: 'more', cache_control: { type: 'ephemeral' } }
const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }

const unanswered = (ids: string): string =>
  `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`

const thinkingFirst = (found: string): string =>
  `messages.1.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`

const requests: readonly Mutation[] = [
  ['anthropic/key', 'anthropic', 'x-api-key header is required', remove('headers.x-api-key')],
  ['anthropic/version', 'anthropic', 'anthropic-version: header is required', remove('headers.anthropic-version')],
  ['anthropic/max-tokens', 'anthropic', 'max_tokens: Field required', remove('body.max_tokens')],
  ['anthropic/temperature', 'prefilled', 'temperature: range: 0..1', put('body.temperature', 1.5)],
  [
    'anthropic/cache-marks',
    'anthropic',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    insert('body.system.0', mark),
    insert('body.system.0', mark),
    insert('body.system.0', mark),
    insert('body.messages.2.content.2', mark),
  ],
  [
    'anthropic/role',
    'prefilled',
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    insert('body.messages.0', { role: 'system', content: 'Be exact.' }),
  ],
  [
    'anthropic/user-first',
    'prefilled',
    'messages: first message must use the "user" role',
    insert('body.messages.0', { role: 'assistant', content: 'How can I help?' }),
  ],
  [
    'anthropic/content-present',
    'prefilled',
    'messages.0: all messages must have non-empty content except for the optional final assistant message',
    put('body.messages.0.content', ''),
  ],
  [
    'anthropic/content-present',
    'prefilled',
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
    insert('body.messages.1', { role: 'assistant', content: [] }),
  ],
  ['anthropic/text-present', 'anthropic', 'messages: text content blocks must be non-empty', put('body.messages.1.content.1.text', '')],
  [
    'anthropic/no-space-at-end',
    'prefilled',
    'messages: final assistant content cannot end with trailing whitespace',
    put('body.messages.1.content', 'Hello \n'),
  ],
  [
    'anthropic/no-prefill',
    'prefilled',
    'This model does not support assistant message prefill. The conversation must end with a user message.',
    put('body.model', 'claude-sonnet-4-6'),
  ],
]

const tools: readonly Mutation[] = [
  ['anthropic/calls-answered', 'anthropic', unanswered('toolu_b'), remove('body.messages.2.content.1')],
  [
    'anthropic/calls-answered',
    'anthropic',
    unanswered('toolu_a, toolu_b'),
    put('body.thinking', { type: 'adaptive' }),
    put('body.messages.2.content', 'Never mind.'),
  ],
  [
    'anthropic/answers-asked',
    'anthropic',
    'messages.2.content.2: unexpected `tool_use_id` found in `tool_result` blocks: toolu_c. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    insert('body.messages.2.content.2', { type: 'tool_result', tool_use_id: 'toolu_c', content: 'fine' }),
  ],
  [
    'anthropic/answers-first',
    'anthropic',
    unanswered('toolu_a, toolu_b'),
    insert('body.messages.2.content.0', { type: 'text', text: 'Here are the results:' }),
  ],
  [
    'anthropic/answers-first',
    'anthropic',
    unanswered('toolu_a, toolu_b'),
    insert('body.messages.2.content.1', { type: 'text', text: 'And the other:' }),
  ],
  [
    'anthropic/answered-once',
    'anthropic',
    'messages.2.content.2: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_a',
    insert('body.messages.2.content.2', { type: 'tool_result', tool_use_id: 'toolu_a', content: 'fine' }),
  ],
  [
    'anthropic/call-ids-once',
    'anthropic',
    'messages.1.content.3: `tool_use` ids must be unique',
    put('body.messages.1.content.3.id', 'toolu_a'),
    remove('body.messages.2.content.1'),
  ],
  [
    'anthropic/call-id-pattern',
    'anthropic',
    "messages.1.content.2.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    rename('toolu_a', 'functions.weather:0'),
  ],
  [
    'anthropic/input-is-an-object',
    'anthropic',
    'messages.1.content.2.tool_use.input: Input should be a valid dictionary',
    put('body.messages.1.content.2.input', '{"city":"Bern"}'),
  ],
  [
    'anthropic/input-is-an-object',
    'anthropic',
    'messages.1.content.2.tool_use.input: Input should be a valid dictionary',
    put('body.messages.1.content.2.input', []),
  ],
  [
    'anthropic/error-says-something',
    'anthropic',
    'messages.2.content.1.tool_result: content cannot be empty if `is_error` is true',
    put('body.messages.2.content.1.content', ''),
  ],
  [
    'anthropic/error-is-text',
    'anthropic',
    'messages.2.content.1.tool_result: all content must be type `text` if `is_error` is true',
    put('body.messages.2.content.1.content', [image]),
  ],
  [
    'anthropic/tool-name',
    'anthropic',
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    put('body.tools.0.name', 'the/weather'),
  ],
  ['anthropic/tools-once', 'anthropic', 'tools: Tool names must be unique.', put('body.tools.1.name', 'weather')],
  ['anthropic/schema-typed', 'anthropic', 'tools.1.custom.input_schema.type: Field required', remove('body.tools.1.input_schema.type')],
  [
    'anthropic/schema-typed',
    'anthropic',
    "tools.1.custom.input_schema.type: Input should be 'object'",
    put('body.tools.1.input_schema.type', 'array'),
  ],
  [
    'anthropic/schema-flat',
    'anthropic',
    'tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
    put('body.tools.1.input_schema.anyOf', [{ required: ['terms'] }]),
  ],
]

const thinking: readonly Mutation[] = [
  ['anthropic/thinking-first', 'anthropic', thinkingFirst('text'), remove('body.messages.1.content.0')],
  ['anthropic/thinking-first', 'anthropic', thinkingFirst('tool_use'), remove('body.messages.1.content.0'), remove('body.messages.1.content.0')],
  [
    'anthropic/thinking-signed',
    'anthropic',
    'messages.1.content.0.thinking.signature: Field required',
    remove('body.messages.1.content.0.signature'),
  ],
  [
    'anthropic/thinking-untouched',
    'anthropic',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    put('body.messages.1.content.0.thinking', 'Two calls will do!'),
  ],
  [
    'anthropic/thinking-untouched',
    'anthropic',
    'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
    put('body.messages.1.content.0', { type: 'redacted_thinking', data: `${seal('hidden')}x` }),
  ],
  [
    'anthropic/thinking-off',
    'anthropic',
    'messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.',
    remove('body.thinking'),
    remove('body.messages.2'),
    remove('body.messages.1.content.2'),
    remove('body.messages.1.content.2'),
  ],
  [
    'anthropic/thinking-budget-enough',
    'anthropic',
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
    put('body.thinking.budget_tokens', 512),
  ],
  ['anthropic/thinking-budget-within', 'anthropic', '`max_tokens` must be greater than `thinking.budget_tokens`.', put('body.max_tokens', 2000)],
  ['anthropic/thinking-temperature', 'anthropic', '`temperature` may only be set to 1 when thinking is enabled.', put('body.temperature', 0.5)],
  [
    'anthropic/thinking-unforced',
    'anthropic',
    'Thinking may not be enabled when tool_choice forces tool use.',
    put('body.tool_choice', { type: 'any' }),
  ],
]

/** Messages. */
export const anthropicMutations: readonly Mutation[] = [...requests, ...tools, ...thinking]
