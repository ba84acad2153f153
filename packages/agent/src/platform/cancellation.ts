/** Cancelling work: it is asked to end, and no longer waited for when it does not. No signal, listener or timer is made before it is needed. */
import { type Clock, LoomError } from '@loom-agent/kernel'

/** The cancellation of one piece of work. */
export interface Cancellation {
  readonly clock: Clock
  /** Milliseconds that the work has to end. */
  readonly grace: number
  isAborted: boolean
  reason: string | undefined
  /** Whether the grace period has started; it is counted from the work's beginning at the earliest. */
  isLimited: boolean
  controller: AbortController | undefined
  giveUp: (() => void) | undefined
  cancelTimer: (() => void) | undefined
}

/** The cancellation of work that has not begun. */
export function createCancellation(clock: Clock, grace: number): Cancellation {
  return {
    clock,
    grace,
    isAborted: false,
    reason: undefined,
    isLimited: false,
    controller: undefined,
    giveUp: undefined,
    cancelTimer: undefined,
  }
}

/** The signal that the work may listen to. Made on demand: most work never asks for it. */
export function signalOf(cancellation: Cancellation): AbortSignal {
  cancellation.controller ??= new AbortController()
  const { signal } = cancellation.controller
  if (cancellation.isAborted && !signal.aborted) cancellation.controller.abort(cancellation.reason)
  return signal
}

/** Asks the work to end, and starts its grace period. */
export function abort(cancellation: Cancellation, reason?: string): void {
  if (cancellation.isAborted) return
  cancellation.isAborted = true
  cancellation.reason = reason
  cancellation.controller?.abort(reason)
  startGracePeriod(cancellation)
}

/** Starts the grace period without asking the work to end: it has this long, and no longer. */
export function startGracePeriod(cancellation: Cancellation): void {
  cancellation.isLimited = true
  if (cancellation.giveUp) armTimer(cancellation)
}

function armTimer(cancellation: Cancellation): void {
  const { clock, grace } = cancellation
  cancellation.cancelTimer ??= clock.at(clock.now() + grace, () => cancellation.giveUp?.())
}

/** Calls back when the grace period of the work is over. `endWait` ends it. */
export function limitWait(cancellation: Cancellation, giveUp: () => void): void {
  cancellation.giveUp = giveUp
  if (cancellation.isLimited) armTimer(cancellation)
}

/** The work has ended, or is no longer waited for. */
export function endWait(cancellation: Cancellation): void {
  cancellation.cancelTimer?.()
  cancellation.cancelTimer = undefined
  cancellation.giveUp = undefined
}

/** The work's own end, or LOOM_ABORTED when its grace period is over. What it does after that is ignored. */
export function waitFor<T>(cancellation: Cancellation, work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      endWait(cancellation)
      settle()
    }
    const lost = 'The work was asked to end and did not end in time. It is no longer waited for.'
    limitWait(cancellation, () => end(() => reject(new LoomError('LOOM_ABORTED', lost))))
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
