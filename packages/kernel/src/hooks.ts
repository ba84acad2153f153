/**
 * The nine lifecycle points.
 *
 * K17. Replay calls no hooks: the patch that `hook.applied` stores is the fact. A patch holds what changes, never the whole.
 */

/** The points in order. A point is passed once a later event is durable; until then its hooks may be called again. */
export const hookPoints = [
  'beforeIterationStart',
  'beforeContextAssembly',
  'afterContextAssembly',
  'beforeModelCall',
  'afterModelReply',
  'beforeToolExecution',
  'afterToolExecution',
  'beforeRecursion',
  'afterIterationEnd',
] as const

export type HookPoint = (typeof hookPoints)[number]
