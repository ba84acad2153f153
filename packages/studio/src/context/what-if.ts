/** Another context for a replay, as a person chooses it, and what became of the selected entry under it. */

import type { Operations } from '@loom-agent/server/client'
import type { ContextChange, EntryChange, ReplayReport } from './facts.ts'

type Body = Operations['replayThread']['body']

/** The strategies that can be tried. */
export const strategies = ['own', 'everything', 'window', 'compress'] as const
export type Strategy = (typeof strategies)[number]

/** What is tried: a strategy, its bound, and a change of what it keeps. */
export interface Trial {
  readonly strategy: Strategy
  /** Turns of a window, or tokens that compression keeps to; 0 for the usual ones. */
  readonly bound: number
  readonly change?: ContextChange | undefined
}

/** The request of a trial. Figures of hints are estimates; the server takes whole ones. */
export function bodyOf({ strategy, bound, change }: Trial): Body {
  const kept = change && (('more' in change ? { ...change, more: Math.max(1, Math.ceil(change.more)) } : change) as ContextChange)
  return {
    mode: 'continue-recorded',
    context: {
      strategy,
      ...(strategy === 'window' && bound > 0 && { turns: bound }),
      ...(strategy === 'compress' && bound > 0 && { max: bound }),
      ...(kept && { keep: [kept] }),
    },
  }
}

/** What became of an entry under a trial. `unlisted`: more entries changed than the report lists. */
export type Outcome = { readonly as: 'kept' | 'lost'; readonly change: EntryChange } | { readonly as: 'same' | 'unlisted' }

/** Looks an entry up in a report. */
export function outcomeOf({ kept, lost }: Pick<ReplayReport, 'kept' | 'lost'>, seq: number): Outcome {
  const back = kept.listed.find((change) => change.seq === seq)
  if (back) return { as: 'kept', change: back }
  const gone = lost.listed.find((change) => change.seq === seq)
  if (gone) return { as: 'lost', change: gone }
  const all = kept.entries === kept.listed.length && lost.entries === lost.listed.length
  return { as: all ? 'same' : 'unlisted' }
}
