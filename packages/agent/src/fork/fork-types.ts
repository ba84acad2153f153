/** Forks, as users see them: what is asked for, what it would come to, and what is made. */
import type { EffectClass, ForkEffects, Limits } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import type { Model } from '../model/model.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { Input } from '../types/input.ts'

/**
 * Something that a fork makes different. An edit of a fact cuts the thread just before that fact, wherever the fork was asked for.
 *
 * - `input`: somebody says something else from here on
 * - `result`: a call gave something else
 * - `deny`: a call was not permitted
 * - `instructions`: the agent gets other instructions
 * - `model`: another model goes on
 * - `remove-turn`: a turn, and what followed from it, did not happen
 */
export type Edit =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'result'; readonly call: string; readonly result: unknown }
  | { readonly kind: 'deny'; readonly call: string; readonly reason?: string }
  | { readonly kind: 'instructions'; readonly text: string }
  | { readonly kind: 'model'; readonly model: Model }
  | { readonly kind: 'remove-turn'; readonly turn: number }

/** A call that the parent made after the cut, and that the fork may make again. */
export interface PlannedCall {
  readonly call: string
  readonly tool: string
  readonly effect: EffectClass
  /** What would become of it in the fork, were it made again with the same arguments. */
  readonly fate: 'runs' | 'recorded' | 'stubbed' | 'asked'
}

/** What a fork comes to. */
export interface ForkPlan {
  readonly from: string
  readonly effects: ForkEffects
  /** What is shared with the parent: events, turns, and the tokens and micro-units that are not spent again. */
  readonly reused: { readonly events: number; readonly turns: number; readonly tokens: number; readonly cost: number }
  /** What the parent spent after the cut: the best guess of what going on may cost. `cost` is undefined where a price is unknown. */
  readonly estimate: { readonly turns: number; readonly tokens: number; readonly cost: number | undefined }
  /** Calls that the parent made after the cut. */
  readonly calls: readonly PlannedCall[]
  /** Those among them that would change the world without anybody being asked. */
  readonly unsafe: readonly PlannedCall[]
  /** Calls and questions that are open at the cut and are decided anew. */
  readonly reopened: readonly string[]
}

/** How a thread is forked. */
export interface ForkOptions {
  /** The id of the fork; default: made up. */
  readonly thread?: string
  readonly edit?: Edit | readonly Edit[]
  /** What becomes of effects after the cut; default `ask`: those that change the world are asked about. */
  readonly effects?: ForkEffects
  /** What the run that goes on may spend. Without it, it spends nothing until somebody grants it. */
  readonly limits?: Limits
}

/** A fork: a thread of its own. */
export interface Fork<Output = string> {
  readonly thread: string
  /** Where it was cut. */
  readonly from: string
  readonly plan: ForkPlan
  /** Goes on from the cut. */
  resume(options?: Omit<RunOptions<never>, 'thread' | 'whenBusy'>): RunHandle<Output>
}
