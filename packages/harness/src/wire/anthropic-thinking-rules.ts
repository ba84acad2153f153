/** What Anthropic refuses about thinking. */
import { bodyOf, eachBlock, ofType, type Turn, turnsOf } from './anthropic-turns.ts'
import { loose } from './loose.ts'
import { isSigned, unseal } from './seal.ts'
import type { RuleRow, WireRequest } from './wire.ts'

const thinkingOf = (request: WireRequest): { type?: unknown; budget_tokens?: unknown } => loose(bodyOf(request)['thinking'])
const thinks = (request: WireRequest): boolean => ['enabled', 'adaptive'].includes(String(thinkingOf(request).type))
/** Whether a turn brings results and nothing else: anything beside them starts a new exchange. */
const isResults = (turn: Turn | undefined): boolean => turn !== undefined && ofType(turn, 'tool_result').length === turn.blocks.length
const guide = 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking'

/** The turn that began the calls whose results the request brings. */
function beganCalls(request: WireRequest): Turn | undefined {
  const turns = turnsOf(request)
  if (!isResults(turns.at(-1))) return undefined
  const asked = turns.findLastIndex((turn) => turn.role === 'user' && !isResults(turn))
  return turns.slice(asked + 1).find(({ role }) => role === 'assistant')
}

/** The rows about thinking. */
export const anthropicThinkingRows: readonly RuleRow[] = [
  {
    id: 'anthropic/thinking-first',
    says: 'With thinking on, the turn that began the calls begins with a thought.',
    source: 'https://github.com/mastra-ai/mastra/issues/7799',
    check(request) {
      const first = thinkingOf(request).type === 'enabled' ? beganCalls(request)?.blocks[0] : undefined
      const type = String(first?.block['type'])
      if (!first || type === 'thinking' || type === 'redacted_thinking') return undefined
      const wanted =
        'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and ' +
        '`tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.'
      const said = `${first.at}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. ${wanted}`
      return { message: `${said} Please consult our documentation at ${guide}` }
    },
  },
  {
    id: 'anthropic/thinking-signed',
    says: 'A thought comes back with its signature.',
    source: 'https://github.com/JohnnyZ93/oai-compatible-copilot/issues/217',
    check: (request) =>
      eachBlock(request, 'thinking', ({ signature }, at) =>
        typeof signature === 'string' ? undefined : { message: `${at}.thinking.signature: Field required` },
      ),
  },
  {
    id: 'anthropic/thinking-untouched',
    says: 'A thought comes back as it was given, word for word.',
    source: 'https://github.com/anthropics/anthropic-sdk-python/issues/1598',
    check: (request) =>
      eachBlock(request, 'thinking', ({ thinking, signature }, at) => {
        const isForged = typeof signature === 'string' && !isSigned(thinking, signature)
        return isForged ? { message: `${at}: Invalid \`signature\` in \`thinking\` block` } : undefined
      }) ??
      eachBlock(request, 'redacted_thinking', ({ data }, at) =>
        unseal(data) === undefined ? { message: `${at}: Invalid \`data\` in \`redacted_thinking\` block` } : undefined,
      ),
  },
  {
    id: 'anthropic/thinking-off',
    says: 'With thinking off, the assistant turn at the end has no thoughts.',
    source: 'https://github.com/tailcallhq/forgecode/issues/1853',
    check(request) {
      const last = turnsOf(request).at(-1)
      const thought = last?.role === 'assistant' && !thinks(request) ? ofType(last, 'thinking')[0] : undefined
      const said = 'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.'
      return thought && { message: `${thought.at}: ${said} To use thinking blocks, enable \`thinking\` in your request.` }
    },
  },
  {
    id: 'anthropic/thinking-budget-enough',
    says: 'A budget for thinking has at least 1024 tokens.',
    source: 'https://github.com/themaximalist/llm.js/issues/30',
    check(request) {
      const { type, budget_tokens: budget } = thinkingOf(request)
      const isSmall = type === 'enabled' && typeof budget === 'number' && budget < 1024
      return isSmall ? { message: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024' } : undefined
    },
  },
  {
    id: 'anthropic/thinking-budget-within',
    says: 'The budget for thinking leaves tokens for the answer.',
    source: 'https://github.com/griffinmartin/opencode-claude-auth/pull/143',
    check(request) {
      const { budget_tokens: budget } = thinkingOf(request)
      const { max_tokens: most } = bodyOf(request)
      const isOver = typeof budget === 'number' && typeof most === 'number' && most <= budget
      return isOver ? { message: '`max_tokens` must be greater than `thinking.budget_tokens`.' } : undefined
    },
  },
  {
    id: 'anthropic/thinking-temperature',
    says: 'With thinking on, the temperature is 1.',
    source: 'https://github.com/MartialBE/one-hub/issues/529',
    check(request) {
      const { temperature } = bodyOf(request)
      const said = '`temperature` may only be set to 1 when thinking is enabled.'
      return thinks(request) && temperature !== undefined && temperature !== 1 ? { message: said } : undefined
    },
  },
  {
    id: 'anthropic/thinking-unforced',
    says: 'With thinking on, no call is forced.',
    source: 'https://github.com/mastra-ai/mastra/issues/7507',
    check(request) {
      const { type } = loose(bodyOf(request)['tool_choice'])
      const isForced = type === 'any' || type === 'tool'
      return thinks(request) && isForced ? { message: 'Thinking may not be enabled when tool_choice forces tool use.' } : undefined
    },
  },
]
