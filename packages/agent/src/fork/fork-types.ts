/** Forks, as users see them: what is asked for, what it would come to, and what is made. */
import type { EffectClass, FileChange, FileConflict, ForkEffects, ForkOf, Limits, LoomEvent } from '@loom-agent/kernel'
import type { OptionsOf, RunOptions } from '../definition/agent-options.ts'
import type { Model } from '../model/model.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { Input } from '../types/input.ts'

/**
 * Something that a fork makes different. An edit of a fact cuts the thread just before that fact, wherever the fork was asked for.
 *
 * - `input`: another input from here on
 * - `result`: a call returned something else
 * - `deny`: a call was not permitted
 * - `instructions`: the agent gets other instructions, in all runs of the fork; they replace those of hooks too
 * - `model`: another model replies, in all runs of the fork for which no other model is given
 * - `remove-turn`: a turn, and what followed from it, did not happen
 */
export type Edit =
  | {
      readonly kind: 'input'
      /** What the run is asked instead. */
      readonly input: Input
    }
  | {
      readonly kind: 'result'
      /** The call, by its id `turn.index`. */
      readonly call: string
      /** What it returned instead. */
      readonly result: unknown
    }
  | {
      readonly kind: 'deny'
      /** The call, by its id `turn.index`. */
      readonly call: string
      /** Shown to the model. */
      readonly reason?: string
    }
  | {
      readonly kind: 'instructions'
      /** The system text from the cut on. */
      readonly text: string
    }
  | {
      readonly kind: 'model'
      /** Replies from the cut on. Another process finds it by its id, or is given it: `resume(thread, { model })`. */
      readonly model: Model
    }
  | {
      readonly kind: 'remove-turn'
      /** The number of the turn that did not happen. */
      readonly turn: number
    }

/** A call that the parent had open at the cut, or that its model proposed after the cut on the same run: the fork may make it again. */
export interface PlannedCall {
  /** The call, by its id `turn.index`. */
  readonly call: string
  /** The name of the tool. */
  readonly tool: string
  /** The effect class of the tool; `unsafe` where it is not known. */
  readonly effect: EffectClass
  /**
   * What would happen to it in the fork, if it were made again with the same arguments.
   *
   * - `runs`: it is executed
   * - `recorded`: it gets its result from the record of the parent
   * - `stubbed`: it is left out, and the model reads that
   * - `asked`: people are asked about it first
   * - `denied`: a policy does not permit it
   * - `refused`: there is no such tool now, it is not available, or the arguments do not fit
   * - `skipped`: a hook of the agent skipped it in the parent, or answered for it
   */
  readonly fate: 'runs' | 'recorded' | 'stubbed' | 'asked' | 'denied' | 'refused' | 'skipped'
}

/** What a fork would reuse, run and risk. */
export interface ForkPlan {
  /** Where it is cut: `thread@seq`. */
  readonly from: string
  /** What happens to effects after the cut. */
  readonly effects: ForkEffects
  /** What is shared with the parent: events, turns, and the tokens and micro-units that are not spent again. `cost` is undefined where a price is unknown. */
  readonly reused: { readonly events: number; readonly turns: number; readonly tokens: number; readonly cost: number | undefined }
  /** What the parent spent on the same run after the cut: the best guess of what going on may cost. `cost` is undefined where a price is unknown. */
  readonly estimate: { readonly turns: number; readonly tokens: number; readonly cost: number | undefined }
  /** Calls that are open at the cut, and those that the parent's model proposed after it on the same run; each of them once. */
  readonly calls: readonly PlannedCall[]
  /** Those among them that would change the world without a question: they run and are neither `pure` nor `read`, or a step or a child of them was not. */
  readonly unsafe: readonly PlannedCall[]
  /** Calls and questions that are open at the cut and are decided anew. */
  readonly reopened: readonly string[]
}

/** How a thread is forked. */
export interface ForkOptions {
  /** The id of the fork; default: made up. */
  readonly thread?: string
  /** What is different from the cut on; default: nothing. */
  readonly edit?: Edit | readonly Edit[]
  /** What happens to effects after the cut; default `ask`: those that change the world are asked about. */
  readonly effects?: ForkEffects
  /** What the run that goes on may spend. Without it the run asks before it spends anything; a run that an `input` edit starts has the agent's limits. */
  readonly limits?: Limits
}

/** Where and how a thread is cut. */
export interface Cut {
  readonly moment: ForkOf
  readonly edits: readonly Edit[]
  readonly effects: ForkEffects
  readonly limits: Limits | undefined
  /** All events of the parent. */
  readonly events: readonly LoomEvent[]
  /** The thread that has the moment is quarantined. */
  readonly quarantined: true | undefined
}

/** A fork: a thread of its own. */
export interface Fork<Output = string, Deps = unknown, HasDeps extends boolean = false> {
  /** The id of the fork. */
  readonly thread: string
  /** Where it was cut. */
  readonly from: string
  /** What it reuses, runs and risks. */
  readonly plan: ForkPlan
  /** Goes on from the cut. */
  resume(...options: OptionsOf<Deps, HasDeps, Omit<RunOptions<Deps>, 'thread' | 'id' | 'permissions' | 'whenBusy'>>): RunHandle<Output>
}

/** How a thread is rewound. */
export interface RewindOptions extends ForkOptions {
  /** The thread whose files the folder has, where it is a fork of this one; default: the thread itself. */
  readonly from?: string
}

/** What a rewind does to files. */
interface RewoundFiles {
  /** The moment whose files the folder had: the end of a thread. */
  readonly folder: string
  /** The files that are put back: what they had, and what they get. */
  readonly files: readonly FileChange[]
  /** Files that stay as they are, and why. */
  readonly conflicts: readonly FileConflict[]
  /** Calls that may have changed more files than are known. */
  readonly unseen: readonly string[]
  /** The paths among `files` that were changed while a command ran: by it, or by somebody else meanwhile. What goes is in the journal. */
  readonly shared: readonly string[]
}

/** What a rewind would do. */
export interface RewindPlan extends RewoundFiles {
  /** What the fork would reuse, run and risk. */
  readonly fork: ForkPlan
}

/** A fork whose files were put back. */
export interface Rewound<Output = string, Deps = unknown, HasDeps extends boolean = false> extends Fork<Output, Deps, HasDeps>, RewoundFiles {}

/** A rewind by an agent whose types are not known. */
export type ErasedRewound = Rewound<unknown, never, true>

/** A fork of an agent whose types are not known. */
export type ErasedFork = Fork<unknown, never, true>
