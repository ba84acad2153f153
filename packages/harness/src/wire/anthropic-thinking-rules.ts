/** What Anthropic refuses about thinking. */
import { eachBlock, ofType, type Turn, turnsOf } from './anthropic-turns.ts'
import { type Loose, loose } from './loose.ts'
import { each, onBody } from './places.ts'
import { isSigned, unseal } from './seal.ts'
import type { RuleRows, WireRequest } from './wire.ts'

const typeOf = (value: unknown): unknown => loose(value)['type']
const thinks = ({ thinking }: Loose): boolean => ['enabled', 'adaptive'].includes(String(typeOf(thinking)))
/** Whether a turn brings results and nothing else: anything beside them starts a new exchange. */
const isResults = (turn: Turn | undefined): boolean => turn !== undefined && ofType(turn, 'tool_result').length === turn.blocks.length

/** The turn that began the calls whose results the request brings. */
function beganCalls(request: WireRequest): Turn | undefined {
  const turns = turnsOf(request)
  if (!isResults(turns.at(-1))) return undefined
  const asked = turns.findLastIndex((turn) => turn.role === 'user' && !isResults(turn))
  return turns.slice(asked + 1).find(({ role }) => role === 'assistant')
}

/** The rules about thinking. */
export const anthropicThinkingRules: RuleRows = {
  'anthropic/thinking-first': onBody(({ thinking }, request) => {
    const first = typeOf(thinking) === 'enabled' ? beganCalls(request)?.blocks[0] : undefined
    const type = String(typeOf(first?.value))
    if (!first || type === 'thinking' || type === 'redacted_thinking') return undefined
    return (
      `${first.at}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. ` +
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and ' +
      '`tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. ' +
      'Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking'
    )
  }),
  'anthropic/thinking-signed': eachBlock(
    'thinking',
    ({ signature }, at) => typeof signature !== 'string' && `${at}.thinking.signature: Field required`,
  ),
  'anthropic/thinking-untouched': each('messages.*.content.*', ({ type, thinking, signature, data }, at) => {
    const isForged = type === 'thinking' && typeof signature === 'string' && !isSigned(thinking, signature)
    if (isForged) return `${at}: Invalid \`signature\` in \`thinking\` block`
    return type === 'redacted_thinking' && unseal(data) === undefined && `${at}: Invalid \`data\` in \`redacted_thinking\` block`
  }),
  'anthropic/thinking-off': onBody((body, request) => {
    const last = turnsOf(request).at(-1)
    const [thought] = last?.role === 'assistant' && !thinks(body) ? ofType(last, 'thinking') : []
    const rule = 'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.'
    return thought && `${thought.at}: ${rule} To use thinking blocks, enable \`thinking\` in your request.`
  }),
  'anthropic/thinking-budget-enough': each('thinking', ({ type, budget_tokens: budget }) => {
    const isSmall = type === 'enabled' && typeof budget === 'number' && budget < 1024
    return isSmall && 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  }),
  'anthropic/thinking-budget-within': onBody(({ thinking, max_tokens: most }) => {
    const { budget_tokens: budget } = loose(thinking)
    const isOver = typeof budget === 'number' && typeof most === 'number' && most <= budget
    return isOver && '`max_tokens` must be greater than `thinking.budget_tokens`.'
  }),
  'anthropic/thinking-temperature': onBody(
    (body) => thinks(body) && (body['temperature'] ?? 1) !== 1 && '`temperature` may only be set to 1 when thinking is enabled.',
  ),
  'anthropic/thinking-unforced': onBody((body) => {
    const isForced = ['any', 'tool'].includes(String(typeOf(body['tool_choice'])))
    return thinks(body) && isForced && 'Thinking may not be enabled when tool_choice forces tool use.'
  }),
}
