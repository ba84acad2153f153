/**
 * Breakpoints: where a run stops so that people can look at it. A stop is what performing comes to, as the suspension by a hook is.
 *
 * BREAK-1. What stops a run is in the frame, because a contributor has put it there: every driver stops. A stop is a pause, which only a caller ends.
 * BREAK-2. A run stops before work begins, never in the middle of it, and once at a place: what was resumed goes past it.
 */
import { type Breakpoint, callOf, type Draft, type Effect, type Frame, items, type Run } from '@loom-agent/kernel'

/** The places of a turn at which work begins. `next` and `again` begin another turn, after calls or after an answer. */
export type BreakPlace = 'first' | 'context' | 'model' | 'tools' | 'next' | 'again' | 'end'

/** The stop before an effect of which nothing has begun, where a breakpoint asks for one. */
export function stopBefore(frame: Frame, run: Run, effect: Effect): Draft | undefined {
  const place = placeOf(frame, run, effect)
  const begins = effect.kind !== 'call-tools' ? [] : effect.execute.length > 0 ? effect.execute : effect.authorize
  const at = `${frame.turn} ${place} ${effect.kind === 'call-model' ? effect.attempt : (begins.at(-1) ?? '')}`
  if (!place || run.status !== 'active' || run.passed === at) return undefined
  const names = begins.map((id) => callOf(run, id)?.part.name)
  const hasFailed = run.error !== undefined || (place === 'next' && [...items(run.calls)].some(({ outcome }) => outcome?.status === 'error'))
  const level = frame.parent?.depth ?? 0
  const meets = ({ places = [place] as readonly string[], tool, cost = 0, depth = 0, error }: Breakpoint): boolean =>
    places.includes(place) && (!tool || names.includes(tool)) && run.cost >= cost && level >= depth && (!error || hasFailed)
  const hit = frame.breakpoints.filter(meets).map(({ id }) => id)
  return hit.length > 0 ? { type: 'run.suspended', data: { reason: 'breakpoint', stop: { at, hit } } } : undefined
}

/** Where a run is before an effect; undefined where nothing begins. */
function placeOf({ turn }: Frame, { phase, firstTurn }: Run, effect: Effect): BreakPlace | undefined {
  const type = effect.kind === 'record' ? effect.events[0]?.type : effect.kind
  if (type === 'turn.entered') return phase === 'answer' ? 'again' : turn < firstTurn ? 'first' : 'next'
  if (type === 'run.finished' || type === 'run.failed') return 'end'
  return type === 'assemble' ? 'context' : type === 'call-model' ? 'model' : type === 'call-tools' ? 'tools' : undefined
}
