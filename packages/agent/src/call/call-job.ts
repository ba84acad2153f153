/** What the stages of the pipeline hand to each other. */
import type { Call, Desk, Draft, Json, ToolOutcome } from '@loom-agent/kernel'
import type { CompiledPolicy } from '../permission/policy.ts'
import type { Ports } from '../platform/ports.ts'
import type { ReadyTool, Toolbox } from '../tool/toolbox.ts'

/** What the stages know of the run they work for. */
export interface CallScene {
  readonly thread: string
  readonly deps: unknown
  readonly ports: Ports
  readonly toolbox: Toolbox
  /** The agent's own policy first, then those of its ancestors. */
  readonly policies: readonly (CompiledPolicy | undefined)[]
  readonly grants: readonly string[]
  readonly asked: number
  readonly unattended: boolean
  readonly signal: AbortSignal
}

/** A call on its way through the stages before execution. */
export interface CallJob {
  readonly call: Call
  readonly tool: ReadyTool
  readonly input: Json
  /** The input as the schema made it. */
  readonly value: unknown
  /** The lock that the tool chose for these arguments. */
  readonly lock?: string
  /** Digest of tool definition, canonical arguments and deciding rules; only where somebody decided. */
  readonly digest?: string
  readonly allowedBy?: string
}

/** How a stage ends: the job goes on, or the call has its result, or somebody is asked. */
export type Staged = { readonly kind: 'go'; readonly job: CallJob } | { readonly kind: 'done'; readonly drafts: readonly Draft[] }

/** A call that ends before it was executed: an error result the model can read and repair. */
export function refuse(call: Call, errorType: string, text: string): Staged {
  const outcome: ToolOutcome = { status: 'error', output: { type: 'error', value: text }, errorType }
  return { kind: 'done', drafts: [{ type: 'tool.finished', data: { call: call.id, ...outcome } }] }
}

/** A call that new code cannot go on with: a human decides. */
export function incompatible(call: Call, scene: Pick<CallScene, 'asked' | 'unattended'>, problem: string): Staged {
  const advice = call.start ? 'It had begun: verify what it did before you call this again.' : 'Do without it.'
  if (scene.unattended) return refuse(call, 'incompatible', `${problem} ${advice}`)
  const prompt = `${problem} Respond with a result, approve to try again, or reject.`
  const data = { id: `${call.id}#${scene.asked + 1}`, kind: 'incompatible', call: call.id, prompt, show: call.input } as const
  return { kind: 'done', drafts: [{ type: 'question.asked', data }] }
}

/** Makes an intent durable: again while visitors are faster, and not at all once the run is to stop. */
export async function intend(desk: Desk, draft: Draft, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted && !desk.isClosed() && desk.frame.run?.stop === undefined) if (await desk.append([draft], 'intended')) return true
  return false
}
