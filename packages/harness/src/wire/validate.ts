/** Judges requests, in process and for the wire servers. */
import { anthropicRules } from './anthropic-rules.ts'
import { anthropicThinkingRules } from './anthropic-thinking-rules.ts'
import { anthropicToolRules } from './anthropic-tool-rules.ts'
import { googleRules } from './google-rules.ts'
import { googleToolRules } from './google-tool-rules.ts'
import { openaiChatRules, openaiCompatibleRules } from './openai-chat-rules.ts'
import { openaiResponsesRules } from './openai-responses-rules.ts'
import { ruleSources } from './rule-sources.ts'
import { errorBody } from './vendor-error.ts'
import type { RuleRows, Wire, WireProblem, WireRequest, WireRule } from './wire.ts'

const byWire: Readonly<Record<Wire, RuleRows>> = {
  'openai-chat': openaiChatRules,
  'openai-compatible': { ...openaiChatRules, ...openaiCompatibleRules },
  'openai-responses': openaiResponsesRules,
  anthropic: { ...anthropicRules, ...anthropicToolRules, ...anthropicThinkingRules },
  google: { ...googleRules, ...googleToolRules },
}

const checks = Object.assign({}, ...Object.values(byWire)) as Required<RuleRows>

/** Every rule of every vendor, each with the public page that states it. */
export const wireRules: readonly WireRule[] = Object.entries(ruleSources).map(([id, source]) => ({ id, source, check: checks[id as keyof RuleRows] }))

/**
 * The rules of a wire that a request breaks, with the vendor's answer to each; none for a request that the vendor takes.
 *
 * @example
 * expect(validateWire('anthropic', { path: '/v1/messages', headers, body })).toEqual([])
 */
export function validateWire(wire: Wire, request: WireRequest): readonly WireProblem[] {
  return Object.entries(byWire[wire]).flatMap(([rule, check]) => {
    const refusal = check(request)
    if (!refusal) return []
    const complaint = { status: 400, ...(typeof refusal === 'string' ? { message: refusal } : refusal) }
    return [{ rule, message: complaint.message, status: complaint.status, body: errorBody(wire, complaint) }]
  })
}
