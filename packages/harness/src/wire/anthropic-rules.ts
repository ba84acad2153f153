/** What Anthropic refuses on messages. */
import { isBlank } from './anthropic-tool-rules.ts'
import { blocksOf, eachBlock } from './anthropic-turns.ts'
import { isLoose, type Loose, looseList } from './loose.ts'
import { each, firstRefusal, onBody } from './places.ts'
import type { Check, Refusal, RuleRows } from './wire.ts'

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

/** The rules of messages. */
export const anthropicRules: RuleRows = {
  'anthropic/key': ({ headers }) => !(headers['x-api-key'] || headers['authorization']) && { message: 'x-api-key header is required', status: 401 },
  'anthropic/version': ({ headers }) => !headers['anthropic-version'] && 'anthropic-version: header is required',
  'anthropic/max-tokens': onBody(({ max_tokens: most }) => most === undefined && 'max_tokens: Field required'),
  'anthropic/temperature': onBody(({ temperature, thinking }) => {
    const isOff = typeof temperature === 'number' && (temperature < 0 || temperature > 1)
    return isOff && thinking === undefined && 'temperature: range: 0..1'
  }),
  'anthropic/cache-marks': onBody(({ system, tools, messages }) => {
    const found = cacheMarks([system, tools, messages])
    return found > 4 && `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`
  }),
  'anthropic/role': each('messages.*', ({ role }) => {
    const where = `The Messages API accepts a top-level \`system\` parameter, not "${role}" as an input message role.`
    return role !== 'user' && role !== 'assistant' && `messages: Unexpected role "${role}". ${where}`
  }),
  // Hosts of the model still ask for it, the vendor itself no longer does.
  'anthropic/user-first': onBody(
    ({ messages }) => looseList(messages)[0]?.['role'] === 'assistant' && 'messages: first message must use the "user" role',
  ),
  'anthropic/content-present': onBody(({ messages }) =>
    firstRefusal(looseList(messages), ({ role, content }, index) => {
      const isAllowed = role === 'assistant' && index === looseList(messages).length - 1
      const rule = 'all messages must have non-empty content except for the optional final assistant message'
      return isBlank(content) && !isAllowed && `messages.${index}: ${rule}`
    }),
  ),
  'anthropic/text-present': eachBlock('text', ({ text }) => text === '' && 'messages: text content blocks must be non-empty'),
  'anthropic/no-space-at-end': onPrefill((last) => {
    const text = blocksOf(last).at(-1)?.['text']
    return typeof text === 'string' && /\s$/.test(text) && 'messages: final assistant content cannot end with trailing whitespace'
  }),
  'anthropic/no-prefill': onPrefill((_, { model }) => {
    const rule = 'This model does not support assistant message prefill. The conversation must end with a user message.'
    return takesNoPrefill(model) && rule
  }),
}
