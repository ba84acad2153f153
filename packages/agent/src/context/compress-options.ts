/** How a context is compressed, and what a summary of it is made of. */
import type { ContextSummary } from '@loom-agent/kernel'
import type { Model } from '../model/model.ts'
import type { Shares } from './zones.ts'

/** When and how far a context is compressed. */
export interface CompressOptions {
  /** The share of the budget at which the context is compressed; default 0.92. */
  readonly trigger?: number
  /** The share from which it is compressed along with any other rebase; default 0.8. */
  readonly warn?: number
  /** The share that it is compressed to; below the trigger; default 0.75, or 0.85 of a trigger that is low; and less when the last compression was a few turns ago. */
  readonly target?: number
  /** The most tokens of each of the eight sections of a summary; default 512. */
  readonly perSection?: number
  /** The most tokens of a request; default: the window of the model, without what is reserved for the reply. */
  readonly max?: number
  /** Tokens that are reserved for the reply; default: what the model replies at most, or, where that is not known, 4,096 tokens or an eighth of the window; never more than a quarter of it. */
  readonly reserve?: number
  /** Of these tools only the latest results are shown whole when the context is compressed, by name and number. */
  readonly ephemeral?: Readonly<Record<string, number>>
  /** The most that zones may have, as shares of the budget: `skills`, `memory`, `reminders`, `history`. What is over is cut at the next rebase. */
  readonly shares?: Shares
  /** The model that writes summaries. Default: none; sentences that matter are taken from the conversation. */
  readonly model?: Model
}

/** Options with every default filled in. */
export type CompleteCompressOptions = Required<Pick<CompressOptions, 'trigger' | 'warn' | 'target' | 'perSection'>> & CompressOptions

/** The summary that another one takes the place of. */
export interface Former {
  /** The entries before this one are in it. */
  readonly to: number
  /** Its number; undefined where there is none. */
  readonly number: number | undefined
  readonly summary: ContextSummary | undefined
  /** Its tokens. */
  readonly tokens: number
}

/** What a summary is made of. */
export interface Summarizing {
  readonly options: CompleteCompressOptions
  readonly former: Former
  /** The entries before this one are summarized. */
  readonly to: number
  /** The share of the budget that the context is compressed to. */
  readonly target: number
  /** The most tokens of a section. */
  readonly perSection: number
}
