/** What Anthropic refuses on messages. */
import { anthropicThinkingRows } from './anthropic-thinking-rules.ts'
import { anthropicToolRows } from './anthropic-tool-rules.ts'
import { blocksOf, bodyOf, messagesOf } from './anthropic-turns.ts'
import { isLoose } from './loose.ts'
import { firstComplaint, type RuleRow, rulesOf, type WireRule } from './wire.ts'

/** How many marks for the cache there are, wherever they are. */
function cacheMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + cacheMarks(item), 0)
  if (!isLoose(value)) return 0
  const { input: _arguments, input_schema: _schema, ...rest } = value
  return (isLoose(value['cache_control']) ? 1 : 0) + Object.values(rest).reduce((sum: number, item) => sum + cacheMarks(item), 0)
}

/** Models from 4.6 on do not continue a reply that the request begins. */
const takesNoPrefill = (model: unknown): boolean => /claude-[a-z]+-(4-[6-9]|[5-9])/.test(String(model))

const isBlank = (content: unknown): boolean => content === undefined || content === '' || (Array.isArray(content) && content.length === 0)

const requests: readonly RuleRow[] = [
  {
    id: 'anthropic/key',
    says: 'A request has a key.',
    source: 'https://github.com/n8n-io/n8n/issues/37930',
    status: 401,
    check: ({ headers }) => (headers['x-api-key'] || headers['authorization'] ? undefined : { message: 'x-api-key header is required' }),
  },
  {
    id: 'anthropic/version',
    says: 'A request names the version of the API.',
    source: 'https://github.com/pydantic/pydantic-ai-gateway/pull/75',
    check: ({ headers }) => (headers['anthropic-version'] ? undefined : { message: 'anthropic-version: header is required' }),
  },
  {
    id: 'anthropic/max-tokens',
    says: 'A request says how long the answer may be.',
    source: 'https://github.com/tickernelz/opencode-mem/issues/50',
    check: (request) => (bodyOf(request)['max_tokens'] === undefined ? { message: 'max_tokens: Field required' } : undefined),
  },
  {
    id: 'anthropic/temperature',
    says: 'The temperature is between 0 and 1.',
    source: 'https://docs.camel-ai.org/reference/camel.configs.anthropic_config',
    check(request) {
      const { temperature, thinking } = bodyOf(request)
      const isOff = typeof temperature === 'number' && (temperature < 0 || temperature > 1) && thinking === undefined
      return isOff ? { message: 'temperature: range: 0..1' } : undefined
    },
  },
  {
    id: 'anthropic/cache-marks',
    says: 'A request has at most four marks for the cache.',
    source: 'https://github.com/tghamm/Anthropic.SDK/issues/50',
    check(request) {
      const { system, tools, messages } = bodyOf(request)
      const found = cacheMarks([system, tools, messages])
      return found > 4 ? { message: `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` } : undefined
    },
  },
]

const messages: readonly RuleRow[] = [
  {
    id: 'anthropic/role',
    says: 'Messages are of the user or of the assistant; the system prompt is a field of its own.',
    source: 'https://github.com/ianarawjo/ChainForge/issues/271',
    check: (request) =>
      firstComplaint(messagesOf(request), ({ role }) => {
        if (role === 'user' || role === 'assistant') return undefined
        const where = `The Messages API accepts a top-level \`system\` parameter, not "${role}" as an input message role.`
        return { message: `messages: Unexpected role "${role}". ${where}` }
      }),
  },
  {
    id: 'anthropic/user-first',
    says: "The first message is the user's: hosts of the model still ask for it, the vendor itself no longer does.",
    source: 'https://github.com/anthropics/anthropic-sdk-typescript/issues/622',
    check: (request) =>
      messagesOf(request)[0]?.['role'] === 'assistant' ? { message: 'messages: first message must use the "user" role' } : undefined,
  },
  {
    id: 'anthropic/content-present',
    says: 'Every message has content, but for an assistant message at the end.',
    source: 'https://github.com/anthropics/claude-code/issues/3196',
    check(request) {
      const all = messagesOf(request)
      return firstComplaint(all, ({ role, content }, index) => {
        const isAllowed = role === 'assistant' && index === all.length - 1
        const said = 'all messages must have non-empty content except for the optional final assistant message'
        return isBlank(content) && !isAllowed ? { message: `messages.${index}: ${said}` } : undefined
      })
    },
  },
  {
    id: 'anthropic/text-present',
    says: 'A block of text has text.',
    source: 'https://github.com/miurla/morphic/issues/83',
    check: (request) =>
      firstComplaint(messagesOf(request), ({ content }) => {
        const isMute = Array.isArray(content) && content.some((block) => isLoose(block) && block['type'] === 'text' && block['text'] === '')
        return isMute ? { message: 'messages: text content blocks must be non-empty' } : undefined
      }),
  },
  {
    id: 'anthropic/no-space-at-end',
    says: 'An assistant message at the end does not end with white space.',
    source: 'https://github.com/tailcallhq/forgecode/issues/1872',
    check(request) {
      const last = messagesOf(request).at(-1)
      const text = last?.['role'] === 'assistant' ? blocksOf(last).at(-1)?.['text'] : undefined
      return typeof text === 'string' && /\s$/.test(text)
        ? { message: 'messages: final assistant content cannot end with trailing whitespace' }
        : undefined
    },
  },
  {
    id: 'anthropic/no-prefill',
    says: 'The beginning of the answer is not given to newer models.',
    source: 'https://github.com/agenticloops-ai/agentic-ai-engineering/issues/43',
    check(request) {
      const isPrefilled = messagesOf(request).at(-1)?.['role'] === 'assistant' && takesNoPrefill(bodyOf(request)['model'])
      const said = 'This model does not support assistant message prefill. The conversation must end with a user message.'
      return isPrefilled ? { message: said } : undefined
    },
  },
]

/** The rules of messages. */
export const anthropicRules: readonly WireRule[] = rulesOf('anthropic', [...requests, ...messages, ...anthropicToolRows, ...anthropicThinkingRows])
