/** The nine lifecycle points of a turn. */
import type { HookPoint } from '@loom-agent/kernel'

/** The nine lifecycle points of a turn, in order. A point is passed once a later event is durable; until then its hooks may be called again. */
export const hookPoints: readonly HookPoint[] = [
  'beforeIterationStart',
  'beforeContextAssembly',
  'afterContextAssembly',
  'beforeModelCall',
  'afterModelReply',
  'beforeToolExecution',
  'afterToolExecution',
  'beforeRecursion',
  'afterIterationEnd',
]
