/** What the stages of the pipeline pass to each other. */
import type { Call, Draft, Frame, Json, JsonObject, Outbox, Taint, ToolOutcome } from '@loom-agent/kernel'
import type { Cancellation } from '../platform/cancellation.ts'
import type { ReadyTool } from '../tool/toolbox.ts'

/** A call on its way through the stages; each fills in what it finds out. */
export interface CallJob {
  readonly call: Call
  readonly cancellation: Cancellation
  /** The tool, with the effect class that these arguments have. */
  tool: ReadyTool
  readonly input: Json
  /** The input as the schema made it. */
  value: unknown
  /** The lock that the tool chose for these arguments. */
  lock: string | undefined
  /** Digest of tool definition, canonical arguments and deciding rules; only where a rule or a human decided. */
  digest: string | undefined
  allowedBy: string | undefined
  /** Code was asked for the verdict: it is asked again when the call is admitted (ADMIT-2). */
  isConditional: boolean
  /** By what it is tainted when it sends something out. */
  taint: Taint | undefined
  /** Milliseconds that the stages took; those that took none are left out. */
  times: JsonObject | undefined
}

/** What ends a call before it is executed: its result, or a question. */
export type Refusal = readonly Draft[]

/** What the stages before execution came to: a call that may run, or what ends it. */
export type Prepared = CallJob | Refusal

/** Whether a call ends here. */
export function isRefusal(found: object): found is Refusal {
  return Array.isArray(found)
}

/** Whether questions of the run are denied instead of asked. */
export function isUnattended({ run }: Frame): boolean {
  return run?.request.unattended === 'deny'
}

/** A call that ends before it was executed: an error result the model can read and repair. */
export function refuse(call: Call, errorType: string, text: string): Refusal {
  const outcome: ToolOutcome = { status: 'error', output: { type: 'error', value: text }, errorType }
  return [{ type: 'tool.finished', data: { call: call.id, ...outcome } }]
}

/** A call that new code cannot go on with: a human decides. */
export function incompatible(frame: Frame, call: Call, problem: string): Refusal {
  const advice = call.start ? 'It was started: verify what it did before you call this again.' : 'Do without it.'
  if (isUnattended(frame)) return refuse(call, 'incompatible', `${problem} ${advice}`)
  const prompt = `${problem} Respond with a result, approve to try again, or reject.`
  const data = { id: `${call.id}#${frame.asked + 1}`, kind: 'incompatible', call: call.id, prompt, show: call.input } as const
  return [{ type: 'question.asked', data }]
}

/** Makes an intent durable, unless there is none any more: again while contributors are faster, and not at all once the run is to stop. */
export async function intend(outbox: Outbox, draft: () => Draft | undefined, cancellation: Cancellation): Promise<boolean | 'refused'> {
  while (!cancellation.isAborted && !outbox.isClosed() && outbox.frame.run?.stop === undefined) {
    const intent = draft()
    if (!intent) return 'refused'
    if (await outbox.append([intent], 'intended')) return true
  }
  return false
}
