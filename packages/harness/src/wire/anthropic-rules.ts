/** What Anthropic refuses on messages. */
import { anthropicThinkingRows } from './anthropic-thinking-rules.ts'
import { anthropicToolRows, isBlank } from './anthropic-tool-rules.ts'
import { blocksOf, eachBlock } from './anthropic-turns.ts'
import { isLoose, type Loose, looseList } from './loose.ts'
import { each, firstRefusal, onBody } from './places.ts'
import { type Check, type Refusal, type RuleRows, rulesOf, type WireRule } from './wire.ts'

/** How many marks for the cache there are, wherever they are. */
function cacheMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + cacheMarks(item), 0)
  if (!isLoose(value)) return 0
  const { input: _arguments, input_schema: _schema, ...rest } = value
  return (isLoose(value['cache_control']) ? 1 : 0) + Object.values(rest).reduce((sum: number, item) => sum + cacheMarks(item), 0)
}

/** Models from 4.6 on do not continue a reply that the request begins. */
const takesNoPrefill = (model: unknown): boolean => /claude-[a-z]+-(4-[6-9]|[5-9])/.test(String(model))

/** Checks a reply that the request begins. */
const onPrefill = (check: (last: Loose, body: Loose) => Refusal): Check =>
  onBody((body) => {
    const last = looseList(body['messages']).at(-1)
    return last?.['role'] === 'assistant' && check(last, body)
  })

const rows: RuleRows = {
  'anthropic/key': {
    says: 'A request has a key.',
    source: 'https://github.com/n8n-io/n8n/issues/37930',
    status: 401,
    check: ({ headers }) => !(headers['x-api-key'] || headers['authorization']) && 'x-api-key header is required',
  },
  'anthropic/version': {
    says: 'A request names the version of the API.',
    source: 'https://github.com/pydantic/pydantic-ai-gateway/pull/75',
    check: ({ headers }) => !headers['anthropic-version'] && 'anthropic-version: header is required',
  },
  'anthropic/max-tokens': {
    says: 'A request says how long the answer may be.',
    source: 'https://github.com/tickernelz/opencode-mem/issues/50',
    check: onBody(({ max_tokens: most }) => most === undefined && 'max_tokens: Field required'),
  },
  'anthropic/temperature': {
    says: 'The temperature is between 0 and 1.',
    source: 'https://docs.camel-ai.org/reference/camel.configs.anthropic_config',
    check: onBody(({ temperature, thinking }) => {
      const isOff = typeof temperature === 'number' && (temperature < 0 || temperature > 1)
      return isOff && thinking === undefined && 'temperature: range: 0..1'
    }),
  },
  'anthropic/cache-marks': {
    says: 'A request has at most four marks for the cache.',
    source: 'https://github.com/tghamm/Anthropic.SDK/issues/50',
    check: onBody(({ system, tools, messages }) => {
      const found = cacheMarks([system, tools, messages])
      return found > 4 && `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`
    }),
  },
  'anthropic/role': {
    says: 'Messages are of the user or of the assistant; the system prompt is a field of its own.',
    source: 'https://github.com/ianarawjo/ChainForge/issues/271',
    check: each('messages.*', ({ role }) => {
      const where = `The Messages API accepts a top-level \`system\` parameter, not "${role}" as an input message role.`
      return role !== 'user' && role !== 'assistant' && `messages: Unexpected role "${role}". ${where}`
    }),
  },
  'anthropic/user-first': {
    says: "The first message is the user's: hosts of the model still ask for it, the vendor itself no longer does.",
    source: 'https://github.com/anthropics/anthropic-sdk-typescript/issues/622',
    check: onBody(({ messages }) => looseList(messages)[0]?.['role'] === 'assistant' && 'messages: first message must use the "user" role'),
  },
  'anthropic/content-present': {
    says: 'Every message has content, but for an assistant message at the end.',
    source: 'https://github.com/anthropics/claude-code/issues/3196',
    check: onBody(({ messages }) =>
      firstRefusal(looseList(messages), ({ role, content }, index) => {
        const isAllowed = role === 'assistant' && index === looseList(messages).length - 1
        const rule = 'all messages must have non-empty content except for the optional final assistant message'
        return isBlank(content) && !isAllowed && `messages.${index}: ${rule}`
      }),
    ),
  },
  'anthropic/text-present': {
    says: 'A block of text has text.',
    source: 'https://github.com/miurla/morphic/issues/83',
    check: eachBlock('text', ({ text }) => text === '' && 'messages: text content blocks must be non-empty'),
  },
  'anthropic/no-space-at-end': {
    says: 'An assistant message at the end does not end with white space.',
    source: 'https://github.com/tailcallhq/forgecode/issues/1872',
    check: onPrefill((last) => {
      const text = blocksOf(last).at(-1)?.['text']
      return typeof text === 'string' && /\s$/.test(text) && 'messages: final assistant content cannot end with trailing whitespace'
    }),
  },
  'anthropic/no-prefill': {
    says: 'The beginning of the answer is not given to newer models.',
    source: 'https://github.com/agenticloops-ai/agentic-ai-engineering/issues/43',
    check: onPrefill((_, { model }) => {
      const rule = 'This model does not support assistant message prefill. The conversation must end with a user message.'
      return takesNoPrefill(model) && rule
    }),
  },
}

/** The rules of messages. */
export const anthropicRules: readonly WireRule[] = rulesOf('anthropic', { ...rows, ...anthropicToolRows, ...anthropicThinkingRows })
