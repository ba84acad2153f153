/** Judges requests, in process and for the wire servers. */
import { anthropicRules } from './anthropic-rules.ts'
import { googleRules } from './google-rules.ts'
import { openaiChatRules, openaiCompatibleRules } from './openai-chat-rules.ts'
import { openaiResponsesRules } from './openai-responses-rules.ts'
import { errorBody } from './vendor-error.ts'
import type { Wire, WireProblem, WireRequest, WireRule } from './wire.ts'

const byWire: Readonly<Record<Wire, readonly WireRule[]>> = {
  'openai-chat': openaiChatRules,
  'openai-compatible': [...openaiChatRules, ...openaiCompatibleRules],
  'openai-responses': openaiResponsesRules,
  anthropic: anthropicRules,
  google: googleRules,
}

/** Every rule of every vendor, each with the public page that states it. */
export const wireRules: readonly WireRule[] = [
  ...openaiChatRules,
  ...openaiCompatibleRules,
  ...openaiResponsesRules,
  ...anthropicRules,
  ...googleRules,
]

/**
 * The rules of a wire that a request breaks, with the vendor's answer to each; none for a request that the vendor takes.
 *
 * @example
 * expect(validateWire('anthropic', { path: '/v1/messages', headers, body })).toEqual([])
 */
export function validateWire(wire: Wire, request: WireRequest): readonly WireProblem[] {
  return byWire[wire].flatMap(({ id, status = 400, check }) => {
    const refusal = check(request)
    if (!refusal) return []
    const complaint = typeof refusal === 'string' ? { message: refusal } : refusal
    return [{ rule: id, message: complaint.message, status, body: errorBody(wire, { status, ...complaint }) }]
  })
}
