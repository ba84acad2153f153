/** A human's approval before a call. */

import type { Answer, Output } from '@loom-agent/kernel'
import { matchesPattern } from '../../permission/wildcard.ts'
import { callUserNow } from '../../platform/call-user.ts'
import { expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { answerWith, type Hook, type ProposedCall, skip, suspend } from '../hook.ts'

/** Which calls need a human. */
export interface HumanApprovalOptions {
  /** Names of tools, with * for anything as in policies, or a function of the call. */
  readonly tools: readonly string[] | ((call: ProposedCall) => boolean)
  /** Why it is asked; shown with the question. */
  readonly reason?: string
}

const toolsShape = expected.either(expected.list(expected.name, 'a list of names of tools, such as ["pay", "delete_*"]'), expected.function)

/** Characters of the arguments that the text of a question has. */
const shown = 2000

/**
 * Asks a human before the given tools run. The question shows the tool and its arguments; it is durable, and anyone may answer it from any process. The
 * answer holds for the arguments as the tool gets them: where other hooks change them, the question is asked again.
 *
 * Approved, the call goes on; answered with `respond(value)`, the model gets the value; rejected, the call is skipped and the model sees why.
 * Where nobody is there to answer (`unattended: 'deny'`) it is skipped at once. Permissions do the same by rules, with expiry and
 * several approvers.
 *
 * @example
 * agent({ model, tools: { pay }, hooks: [humanApproval({ tools: ['pay'], reason: 'it costs money' })] })
 */
export function humanApproval(options: HumanApprovalOptions): Hook {
  checkOptions('humanApproval', options, { tools: expected.required(toolsShape), reason: expected.text })
  const { tools, reason } = options
  const isListed = typeof tools === 'function' ? tools : ({ tool }: ProposedCall): boolean => tools.some((pattern) => matchesPattern(pattern, tool))
  return {
    name: 'humanApproval',
    beforeToolExecution({ answer, frame }, call) {
      if (!callUserNow(() => isListed(call))) return undefined
      if (answer) return applyAnswer(answer)
      if (frame.run?.request.unattended === 'deny') return skip('it needs an approval, and nobody is there to give it')
      return suspend(promptOf(call, reason))
    },
  }
}

function promptOf({ tool, input }: ProposedCall, reason: string | undefined): string {
  const text = JSON.stringify(input)
  const seen =
    text.length > shown ? `${text.slice(0, shown).toWellFormed()}... (cut: ${text.length} characters, which the question shows whole)` : text
  return `May ${tool} run with these arguments?${reason === undefined ? '' : ` (${reason})`}\n${seen}`
}

function applyAnswer(answer: Answer): ReturnType<typeof skip> | ReturnType<typeof answerWith> | undefined {
  switch (answer.kind) {
    case 'reject':
      return skip(answer.reason ?? 'a human rejected it')
    case 'respond':
      return answerWith(outputOf(answer.value))
    case 'approve':
    case 'edit':
      return undefined
  }
}

const outputOf = (value: Extract<Answer, { kind: 'respond' }>['value']): Output =>
  typeof value === 'string' ? { type: 'text', value } : { type: 'json', value }
