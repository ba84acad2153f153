/** The figures of trials with real processes, and their sums. */
import type { Finding } from '@loom-agent/testing/crash'

const figureNames = [
  /** Kills that came before the first append or after the end: they do not count. */
  'stray',
  'processes',
  'threads',
  'events',
  /** Events that clients were notified of. */
  'notified',
  /** Effects in the external world. */
  'effects',
  /** Calls and steps that were in doubt. */
  'doubts',
  'questions',
  /** Files with a torn end that processes found. */
  'torn',
] as const

/** What is counted, and what is wrong. */
export type Figures = { readonly [Name in (typeof figureNames)[number]]: number } & { readonly findings: readonly Finding[] }

/** The figures of several trials together. */
export function sumOf(trials: readonly Figures[]): Figures {
  const sums = figureNames.map((name) => [name, trials.reduce((sum, trial) => sum + trial[name], 0)] as const)
  return { ...(Object.fromEntries(sums) as Omit<Figures, 'findings'>), findings: trials.flatMap(({ findings }) => findings) }
}
