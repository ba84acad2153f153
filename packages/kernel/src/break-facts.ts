/** What breakpoints are as facts. */

/**
 * Where a run stops: at these places of a turn (default: all), before calls of this tool, from this cost or depth on, after an error. All that it names must
 * hold. One that stops `once` is gone then. `on` says it as a person has; children get those that are not the thread's `own`.
 */
export type Breakpoint = Readonly<{ id: string; on?: string; places?: readonly string[]; tool?: string; cost?: number; depth?: number }> &
  Readonly<{ error?: true; once?: true; own?: true }>
