/** Breakpoints as users ask for them, and as the kernel has them. */
import { type Breakpoint, LoomError } from '@loom-agent/kernel'
import { type HookPoint, hookPoints } from '../hook/points.ts'
import { expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { BreakPlace } from '../thread/breakpoint.ts'

/** Where runs stop; all that it names must hold. */
export interface BreakRequest {
  /** Its id; default: made of what it names. */
  readonly id?: string | undefined
  /** At this point of a turn. Points at which nothing is done in between are one place. */
  readonly hook?: HookPoint | undefined
  /** Before calls of this tool. */
  readonly tool?: string | undefined
  /** From this cost of a run on, in integer micro-units; it stops once. */
  readonly cost?: number | undefined
  /** In children of this depth and deeper, before their first turn. */
  readonly depth?: number | undefined
  /** After a call, a request or a run has ended in an error. */
  readonly error?: boolean | undefined
  /** It stops a run once, and is gone then. */
  readonly once?: boolean | undefined
}

/** Who sets breakpoints. */
export interface BreakpointOptions {
  /** Recorded with them. */
  readonly by?: string | undefined
}

/** Breakpoints, and who sets them. */
export type BreakpointArguments = [breakpoints: readonly BreakRequest[], options?: BreakpointOptions]

/** Where a run stops next, and who says so. */
export type StepArguments = [how: 'into' | 'over' | 'out', options?: BreakpointOptions]

const shape: Shape & Record<keyof BreakRequest, unknown> = {
  id: expected.name,
  hook: expected.oneOf(...hookPoints),
  tool: expected.name,
  cost: expected.finite(0),
  depth: expected.whole(1),
  error: expected.flag,
  once: expected.flag,
}

/** The places of a turn that a point stands for: work begins there when the hooks of the point have been called, or would have been. */
const placesOf: { readonly [P in HookPoint]: readonly BreakPlace[] } = {
  beforeIterationStart: ['first', 'next', 'again'],
  beforeContextAssembly: ['context'],
  afterContextAssembly: ['model'],
  beforeModelCall: ['model'],
  afterModelReply: ['tools', 'again', 'end'],
  beforeToolExecution: ['tools'],
  afterToolExecution: ['next'],
  beforeRecursion: ['next', 'again'],
  afterIterationEnd: ['next', 'again', 'end'],
}

/** How many breakpoints a thread may have. */
const most = 100

/** The id under which a step is armed. */
export const stepId = 'step'

/** Checks what was asked for, and makes facts of it. */
export function breakpointsOf(requests: readonly BreakRequest[]): readonly Breakpoint[] {
  if (!Array.isArray(requests) || requests.length > most) throw invalid(`A thread has a list of at most ${most} breakpoints.`)
  const made = requests.map(breakpointOf)
  const twice = made.find(({ id }, index) => made.findIndex((other) => other.id === id) !== index)
  if (twice) throw invalid(`Two breakpoints are ${JSON.stringify(twice.id)}. Give each an id of its own.`)
  return made
}

function breakpointOf(request: BreakRequest): Breakpoint {
  checkOptions('setBreakpoints', { breakpoint: request }, { breakpoint: expected.options(shape as Shape) })
  const { hook, tool, cost, depth, error, once } = request
  const named = Object.entries({ hook, tool, cost, depth, error: error || undefined }).flatMap(([name, value]) =>
    value === undefined ? [] : [value === true ? name : `${name} ${value}`],
  )
  if (named.length === 0) throw invalid('A breakpoint names a hook, a tool, a cost, a depth or an error.')
  const on = named.join(', ')
  const places = hook !== undefined ? placesOf[hook] : depth === undefined ? undefined : (['first'] as const)
  return {
    id: request.id ?? on,
    on,
    ...(places && { places }),
    ...(tool !== undefined && { tool }),
    ...(cost !== undefined && { cost }),
    ...(depth !== undefined && { depth }),
    ...(error && { error }),
    // A cost that was reached stays reached: it would stop at every place from then on.
    ...((once || cost !== undefined) && { once: true as const }),
  }
}

function invalid(message: string): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', message, { context: { what: 'setBreakpoints' } })
}

/** The breakpoints that a child at a depth gets from those of its parent. */
export const inherited = (breakpoints: readonly Breakpoint[]): readonly Breakpoint[] => breakpoints.filter(({ own }) => !own)
