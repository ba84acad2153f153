/**
 * A circuit breaker: stops calling what keeps failing, and finds out with one call whether it works again.
 *
 * BREAKER-1. It opens only when enough calls of the recent past are known: one failure is no rate.
 * BREAKER-2. Old calls do not count: they expire with the window.
 * BREAKER-3. While it is half open exactly one call, the probe, goes through. Only the probe closes the circuit or opens it again.
 */
import { type Clock, LoomError } from '@loom-agent/kernel'
import { notify } from '../platform/call-user.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { systemClock } from '../platform/ports.ts'
import { createCallWindow } from './call-window.ts'
import { mayRecover } from './recoverable.ts'

/** What happens to a circuit. */
export type BreakerEvent =
  | {
      readonly type: 'opened'
      /** Recent calls that count. */
      readonly calls: number
      /** Those among them that failed. */
      readonly failures: number
      /** When the next call probes, in milliseconds since 1970. */
      readonly retryAt: number
    }
  | { readonly type: 'probing' }
  | { readonly type: 'closed' }

/** When a circuit opens and closes. */
export interface BreakerOptions {
  /** The part of recent calls that must have failed; default .5. */
  readonly failureRate?: number
  /** Calls that must be known before the rate means anything; default 5. */
  readonly minimum?: number
  /** Milliseconds that count as recent; default 60,000. */
  readonly window?: number
  /** Counts the last so many calls at most; default 10,000. */
  readonly calls?: number
  /** Milliseconds without calls after opening; default 60,000. */
  readonly openFor?: number
  /** The name of the function in errors; default `the function`. */
  readonly name?: string
  /** Whether an error counts as a failure of the function; default: unless it is final (an abort, a refusal, a code that says never). */
  readonly isFailure?: (error: unknown) => boolean
  /** Notified when the circuit opens, probes and closes. */
  readonly onEvent?: (event: BreakerEvent) => void
  /** Replaces the platform's clock. */
  readonly clock?: Pick<Clock, 'now'>
}

/** A guarded function. */
export interface CircuitBreaker<Args extends readonly unknown[], T> {
  (...args: Args): Promise<T>
  /** Whether calls go through (`closed`), fail at once (`open`), or one probes (`half-open`). */
  readonly status: 'closed' | 'open' | 'half-open'
}

const shape: Shape & Record<keyof BreakerOptions, Expected> = {
  failureRate: expected.number(0, 1),
  minimum: expected.number(1),
  window: expected.number(1),
  calls: expected.number(1),
  openFor: expected.number(0),
  name: expected.text,
  isFailure: expected.function,
  onEvent: expected.function,
  clock: expected.object,
}

/**
 * Guards a function. While the circuit is open, calls fail at once with `LOOM_CIRCUIT_OPEN`, which says when to try again.
 *
 * @example
 * const search = circuitBreaker(searchTheWeb, { name: 'search' })
 * await search('weaving')
 */
export function circuitBreaker<Args extends readonly unknown[], T>(
  fn: (...args: Args) => T | PromiseLike<T>,
  options: BreakerOptions = {},
): CircuitBreaker<Args, T> {
  checkOptions('circuitBreaker', { fn }, { fn: expected.required(expected.function) })
  const circuit = createCircuit('circuitBreaker', options)
  const guarded = async (...args: Args): Promise<T> => {
    const pass = circuit.enter()
    try {
      const value = await fn(...args)
      pass.succeeded()
      return value
    } catch (error) {
      pass.failed(error)
      throw error
    }
  }
  return Object.defineProperty(guarded, 'status', { get: () => circuit.status() }) as typeof guarded & CircuitBreaker<Args, T>
}

/** Permission to call, which takes the outcome of the call. */
interface Pass {
  succeeded(): void
  /** An error that does not count as a failure is inconclusive. */
  failed(error: unknown): void
  wasInconclusive(): void
}

/** A circuit by itself, for calls that end in other ways than by returning. */
export interface Circuit {
  /** Lets a call through, or throws. */
  enter(): Pass
  status(): 'closed' | 'open' | 'half-open'
}

/** A closed circuit; `what` names it in errors about its options. */
export function createCircuit(what: string, options: BreakerOptions): Circuit {
  checkOptions(what, options, shape)
  const { failureRate = 0.5, minimum = 5, window = 60_000, openFor = 60_000, isFailure = mayRecover, onEvent, clock = systemClock } = options
  const recent = createCallWindow(options.calls ?? 10_000, window, clock)
  let openUntil: number | undefined
  let probe: { readonly began: number } | undefined

  const open = (): void => {
    openUntil = clock.now() + openFor
    probe = undefined
    notify(onEvent, { type: 'opened', ...recent.count(), retryAt: openUntil })
  }

  const count = (failed: boolean): void => {
    recent.add(failed)
    // Calls that were started before it opened do not count.
    if (!failed || openUntil !== undefined) return
    const { calls, failures } = recent.count()
    if (calls >= minimum && failures >= calls * failureRate) open()
  }

  const closed: Pass = { succeeded: () => count(false), failed: (error) => isFailure(error) && count(true), wasInconclusive: () => {} }

  const probing = (): Pass => {
    const own = { began: clock.now() }
    probe = own
    notify(onEvent, { type: 'probing' })
    const wasInconclusive = (): void => {
      if (probe === own) probe = undefined
    }
    return {
      wasInconclusive,
      succeeded() {
        if (probe !== own) return
        openUntil = undefined
        probe = undefined
        recent.clear()
        notify(onEvent, { type: 'closed' })
      },
      failed(error) {
        if (!isFailure(error)) return wasInconclusive()
        recent.add(true)
        if (probe === own) open()
      },
    }
  }

  /** Whether a probe is under way; one that never ends must not keep the circuit open forever. */
  const isProbed = (now: number): boolean => probe !== undefined && now - probe.began < openFor

  return {
    enter() {
      if (openUntil === undefined) return closed
      const now = clock.now()
      if (now < openUntil || isProbed(now)) throw circuitOpen(options.name, { now, openUntil })
      return probing()
    },
    status: () => (openUntil === undefined ? 'closed' : clock.now() < openUntil ? 'open' : 'half-open'),
  }
}

function circuitOpen(name = 'the function', { now, openUntil }: { now: number; openUntil: number }): LoomError {
  const what = `The circuit of ${name} is open: it kept failing.`
  if (now >= openUntil)
    return new LoomError('LOOM_CIRCUIT_OPEN', `${what} One call is finding out whether it works again. Try later.`, { context: { name } })
  const wait = openUntil - now
  return new LoomError('LOOM_CIRCUIT_OPEN', `${what} Try again in ${wait} ms.`, { context: { name, retryAt: openUntil, retryAfterMs: wait } })
}
