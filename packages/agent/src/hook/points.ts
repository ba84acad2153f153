/**
 * The nine lifecycle points of a turn, and when they are passed.
 *
 * HOOK-2. Replay calls no hooks: the patch that `hook.applied` stores is the fact. A patch holds what changes, never the whole.
 */
import { type CallTools, callWindow, type Effect, type EventType, type Frame, type Run } from '@loom-agent/kernel'

/** The nine lifecycle points of a turn, in order. A point is passed once a later event is durable; until then its hooks may be called again. */
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

/** The name of a lifecycle point of a turn. */
export type HookPoint = (typeof hookPoints)[number]

const passages = {
  none: [],
  first: ['beforeIterationStart'],
  context: ['beforeContextAssembly'],
  model: ['afterContextAssembly', 'beforeModelCall'],
  tools: ['afterModelReply'],
  next: ['afterToolExecution', 'beforeRecursion', 'afterIterationEnd', 'beforeIterationStart'],
  again: ['afterModelReply', 'beforeRecursion', 'afterIterationEnd', 'beforeIterationStart'],
  end: ['afterModelReply', 'afterIterationEnd'],
  stop: ['afterToolExecution', 'afterIterationEnd'],
  cancel: ['afterToolExecution'],
} as const satisfies { readonly [place: string]: readonly HookPoint[] }

/** The points that are passed before an effect is performed. */
export function pointsBefore(effect: Effect, frame: Frame, run: Run): readonly HookPoint[] {
  switch (effect.kind) {
    case 'record':
      return pointsBeforeEvent(effect.events[0]?.type, frame, run)
    case 'stop':
      if (run.stop) return passages.cancel
      return run.phase === 'enter' ? passages.stop : run.phase === 'answer' ? passages.end : passages.none
    case 'assemble':
      return passages.context
    case 'call-model':
      return effect.attempt === 1 && effect.notBefore === undefined ? passages.model : passages.none
    case 'call-tools':
      // The point after the reply is passed once any call has left the state `proposed`.
      return run.unsettled === run.calls.length && isUntouched(effect, run) ? passages.tools : passages.none
    default:
      return passages.none
  }
}

/** Whether all calls that are decided about are only proposed: those behind them cannot have begun. */
const isUntouched = ({ authorize }: CallTools, { calls }: Run): boolean => authorize.length === Math.min(calls.length, callWindow)

function pointsBeforeEvent(type: EventType | undefined, { turn }: Frame, { phase, firstTurn }: Run): readonly HookPoint[] {
  if (type === 'turn.entered') return phase === 'answer' ? passages.again : turn < firstTurn ? passages.first : passages.next
  if (type === 'run.finished') return passages.end
  return type === 'run.stopped' ? passages.cancel : passages.none
}
