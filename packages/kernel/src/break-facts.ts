/** What breakpoints are as facts. */

/** The places of a turn at which work begins. `next` and `again` begin another turn, after calls or after an answer. */
export type BreakPlace = 'first' | 'context' | 'model' | 'tools' | 'next' | 'again' | 'end'
/**
 * Where a run stops: at these places (default: all), before calls of this tool, from this cost or depth on, after an error. All that it names must hold. One that
 * stops `once` is gone then. `on` says it as a person has; children get those that are not the thread's `own`.
 */
export type Breakpoint = Readonly<{ id: string; places?: readonly BreakPlace[]; tool?: string; cost?: number; error?: true; once?: true }> &
  Readonly<{ on?: string; own?: true; depth?: number }>
/** Where a run has stopped, and the ids of the breakpoints that asked for it. */
export type Stop = Readonly<{ at: string; hit: readonly string[] }>
