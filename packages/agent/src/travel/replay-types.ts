/** Replays, as users see them: what is asked for, and what was found. */
import type { Json } from '@loom-agent/kernel'
import type { AgentOptions } from '../definition/agent-options.ts'
import type { Fork, ForkOptions } from '../fork/fork-types.ts'

/** When a replay ends: at the first turn that differs, or with the end of the record. */
export type ReplayMode = 'stop-at-divergence' | 'continue-recorded'

/** What the model was sent, or would have been. */
export interface Sent {
  /** How many messages were sent. */
  readonly messages: number
  /** An estimate: a token for every four characters. */
  readonly tokens: number
  /** Why earlier bytes changed, when they did. */
  readonly rebase?: string
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
  /** Whether the two differ. */
  readonly differs: boolean
  /** What was sent and would not be sent now. */
  readonly left: readonly string[]
  /** What would be sent now and was not sent. */
  readonly added: readonly string[]
}

/** The first difference between the record and the replay. */
export interface Divergence {
  /** The number of the turn. */
  readonly turn: number
  /** The moment before its context was assembled: `thread@seq`. */
  readonly at: string
  /** The first message that differs. */
  readonly message: number
  /** The message as it was sent. */
  readonly recorded: Json | undefined
  /** The message as it would be sent now. */
  readonly replayed: Json | undefined
}

/** What a replay found. */
export interface ReplayReport {
  /** The id of the thread that was replayed. */
  readonly thread: string
  /** How it was replayed. */
  readonly mode: ReplayMode
  /** Its turns, in order. */
  readonly turns: readonly TurnReplay[]
  /** The first difference; `undefined` when there is none. */
  readonly divergence: Divergence | undefined
}

/** How a thread is replayed. */
export interface ReplayOptions {
  /** What is different: another context strategy, other instructions, other tools. */
  readonly with?: Partial<Pick<AgentOptions<never>, 'context' | 'instructions' | 'tools' | 'deps' | 'model' | 'settings'>>
  /** Default `continue-recorded`. With `continue-live` a fork goes on for real from the first turn that differs. */
  readonly mode?: ReplayMode | 'continue-live'
  /** For `continue-live`: what the fork may do and spend. */
  readonly fork?: Pick<ForkOptions, 'thread' | 'effects' | 'limits'>
}

/** What a replay found, with the fork of `continue-live`. */
export type Replayed<Output = string> = ReplayReport & {
  /** The fork that goes on live; absent when nothing differs or the mode is another. */
  readonly fork?: Fork<Output>
}
