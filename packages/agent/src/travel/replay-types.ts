/** Replays, as users see them: what is asked for, and what was found. */
import type { Entry, Json, Seq } from '@loom-agent/kernel'
import type { AgentOptions } from '../definition/agent-options.ts'
import type { Fork, ForkOptions } from '../fork/fork-types.ts'
import type { Difference } from './diff-frames.ts'
import type { DriveForkOptions, LiveReplay } from './drive-fork.ts'

/** When a replay ends: at the first turn that differs, or with the end of the record. */
export type ReplayMode = 'stop-at-divergence' | 'continue-recorded'

/** What the model was sent, or would have been. */
export interface Sent {
  /** How many messages were sent. */
  readonly messages: number
  /** Its tokens with those of the tools, estimated, and calibrated by what the vendor counted in the record. */
  readonly tokens: number
  /** Why earlier bytes changed, when they did. */
  readonly rebase?: string
  /** Whether a summary was made for it that stands in for one that a model would have written. */
  readonly estimated?: boolean
}

/** The tools that differ in a turn, by name. */
export interface ToolNames {
  /** Tools that would be offered now and were not. */
  readonly added: readonly string[]
  /** Tools that were offered and would not be now. */
  readonly removed: readonly string[]
  /** Tools of the same name with another description or other arguments. */
  readonly changed: readonly string[]
  /** The tools are the same, in another order or with their fields in another order. */
  readonly isReordered: boolean
  /** How many more tools differ than are named here. */
  readonly more: number
}

/** How one tool differs. */
export interface ToolDifference {
  /** What became of it. */
  readonly kind: 'added' | 'removed' | 'changed' | 'reordered'
  /** The name of the tool; of tools in another order, their names. */
  readonly name: string
  /** The description as it was and as it would be, where it differs. */
  readonly description?: { readonly recorded: string; readonly replayed: string }
  /** Where the JSON Schema of its arguments differs, path by path. */
  readonly schema?: readonly Difference[]
}

/** What requests would have saved; below 0 where they would have taken more. */
export interface Saved {
  /** Tokens, estimated. */
  readonly tokens: number
  /** Micro-units, by the price of the model, with what a cache would have had; undefined where the price is unknown or there was no reply. */
  readonly cost: number | undefined
}

/** An entry of the history that would have been shown otherwise. */
export interface EntryChange {
  /** Where it comes from. */
  readonly origin: Entry['origin']
  /** The seq of the event that brought it. */
  readonly seq: Seq
  /** How it begins. */
  readonly text: string
  /** Its tokens when it is shown whole, estimated. */
  readonly tokens: number
  /** How it is not shown, or not whole: under the new strategy where it would be lost, in the record where it would be kept. */
  readonly as: 'trimmed' | 'summary' | 'dropped' | 'absent'
  /** The rule that says so: of the segment or the trim, `summary`, or `not added`. */
  readonly rule: string
  /** The first turn in which it is so. */
  readonly turn: number
  /** In how many turns it is so. */
  readonly turns: number
}

/** Entries that would have been shown otherwise, each once. */
export interface EntryChanges {
  /** How many there are. */
  readonly entries: number
  /** Their tokens. */
  readonly tokens: number
  /** The same by way and rule. */
  readonly by: readonly (Pick<EntryChange, 'as' | 'rule' | 'tokens'> & { readonly entries: number })[]
  /** The first fifty of them. */
  readonly listed: readonly EntryChange[]
}

/** Something that must always be shown, and would not have been. */
export interface EssentialLost extends Pick<EntryChange, 'seq' | 'text' | 'as' | 'rule' | 'turn'> {
  /** What it is: pinned, or the last thing that a person said. */
  readonly kind: 'pin' | 'question'
}

/** One turn, as it was and as it would have been. */
export interface TurnReplay {
  /** The number of the turn. */
  readonly turn: number
  /** The moment before its context was assembled, `thread@seq`: where a fork would differ. */
  readonly at: string
  /** What was sent. */
  readonly recorded: Sent
  /** What would be sent now. */
  readonly replayed: Sent
  /** Micro-units that the recorded call cost; undefined where the price is unknown. */
  readonly cost: number | undefined
  /** What the replayed request would have saved; below 0 where it would have taken more. */
  readonly saved: Saved
  /** Whether the two differ, in messages or in tools. */
  readonly differs: boolean
  /** What was sent and would not be sent now; of many messages, those that came to differ last. */
  readonly left: readonly string[]
  /** What would be sent now and was not sent; of many messages, those that came to differ last. */
  readonly added: readonly string[]
  /** How many more messages differ than `left` and `added` have; messages that read the same count once. Absent when they have all. */
  readonly omitted?: { readonly left: number; readonly added: number }
  /** The tools that differ; absent when none does. `report.tools` says how. */
  readonly tools?: ToolNames
}

/** The first difference between the record and the replay. */
export interface Divergence {
  /** The number of the turn. */
  readonly turn: number
  /** The moment before its context was assembled: `thread@seq`. */
  readonly at: string
  /** The first message that differs; undefined where only tools do. */
  readonly message: number | undefined
  /** The message as it was sent; long texts in it are cut. */
  readonly recorded: Json | undefined
  /** The message as it would be sent now; long texts in it are cut. */
  readonly replayed: Json | undefined
  /** The two messages around the first character that differs. */
  readonly excerpt?: { readonly recorded: string; readonly replayed: string }
  /** The tools that differ in this turn. */
  readonly tools?: ToolNames
}

/** Sums over all turns that were replayed, listed or not. */
export interface ReplayTotals {
  /** How many turns were replayed. */
  readonly turns: number
  /** How many of them differ. */
  readonly differing: number
  /** The tokens of all requests as they were and as they would be, estimated. */
  readonly tokens: { readonly recorded: number; readonly replayed: number }
  /** Micro-units that the recorded calls cost; undefined where a price is unknown. */
  readonly cost: number | undefined
  /** What all requests would have saved. What summaries cost is no part of it. */
  readonly saved: Saved
  /** How many summaries were made, would have been made, and of those stand in for what a model would have written. */
  readonly summaries: { readonly recorded: number; readonly replayed: number; readonly estimated: number }
}

/** What a replay found. Its size is bounded, however long the thread is: `totals` count everything, `omitted` what is not listed. */
export interface ReplayReport {
  /** The id of the thread that was replayed. */
  readonly thread: string
  /** How it was replayed. */
  readonly mode: ReplayMode
  /** Its turns, in order; of a long thread, those around the first that differs. */
  readonly turns: readonly TurnReplay[]
  /** The first difference; `undefined` when there is none. */
  readonly divergence: Divergence | undefined
  /** How tools differ, each difference once. */
  readonly tools: readonly ToolDifference[]
  /** Sums over all turns. */
  readonly totals: ReplayTotals
  /** Entries that the record did not show, or not whole, and the replay would have. */
  readonly kept: EntryChanges
  /** Entries that the record showed and the replay would not have, or not whole. */
  readonly lost: EntryChanges
  /** What must always be shown and would not have been; empty unless something is wrong. */
  readonly essentials: readonly EssentialLost[]
  /** What is not listed: turns, messages of listed turns, and differences of tools. */
  readonly omitted: { readonly turns: number; readonly messages: number; readonly tools: number }
}

/** How much a report holds. */
export interface ReportLimits {
  /** Turns that are listed, at most; default 1,000. */
  readonly turns?: number
  /** Messages that `left` and `added` of one turn have, at most; default 10. */
  readonly messages?: number
  /** Characters of one message, at most; default 400. */
  readonly characters?: number
  /** Characters of all messages together, at most; default 200,000. */
  readonly total?: number
}

/** How a thread is replayed. */
export interface ReplayOptions<Deps = unknown> {
  /** What is different: another context strategy, other instructions, other tools. Also the `deps` that functions among them need. */
  readonly with?: Partial<Pick<AgentOptions<Deps>, 'context' | 'window' | 'instructions' | 'layers' | 'tools' | 'deps' | 'model' | 'settings'>>
  /** Default `continue-recorded`. With `continue-live` a fork goes on for real from the first turn that differs. */
  readonly mode?: ReplayMode | 'continue-live'
  /** For `continue-live`: what the fork may do and spend. */
  readonly fork?: Pick<ForkOptions, 'thread' | 'effects' | 'limits'>
  /** How much the report holds. */
  readonly report?: ReportLimits
}

/** What a replay found, with the fork of `continue-live`. */
export type Replayed<Output = string, Deps = unknown, HasDeps extends boolean = false> = ReplayReport & {
  /** The fork that goes on live; absent when nothing differs or the mode is another. */
  readonly fork?: Fork<Output, Deps, HasDeps>
  /**
   * Drives the fork to its end instead of `fork.resume()`: the run at the cut, then every later input of the record, in order. Questions get the recorded
   * answers.
   */
  readonly driveFork?: (options?: DriveForkOptions) => Promise<LiveReplay>
}

/** What a replay by an agent found whose types are not known. */
export type ErasedReplayed = Replayed<unknown, never, true>
