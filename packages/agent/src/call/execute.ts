/** Stage 5: run the body, within its time, until it ends, is aborted or suspends. */
import type { Clock } from '@loom-agent/kernel'

/** How a body ended. */
export type Executed =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out'; readonly ms: number }
  | { readonly kind: 'aborted'; readonly reason: string }
  | { readonly kind: 'suspended' }

/** A body to run. */
export interface Execution {
  /** Enters the body. */
  readonly enter: () => unknown
  readonly clock: Clock
  readonly timeout: number
  /** How long a body may take to end after an abort. */
  readonly grace: number
  readonly controller: AbortController
  /** Resolves when only waits are outstanding in a durable body. */
  readonly suspended?: Promise<void>
  readonly progress: (data: unknown) => void
  /** Whether time that passes now is not the body's own: an agent that it has called is at work. */
  readonly excused?: () => boolean
}

/** Runs a body. A body that has its value at once is not waited for. */
export function execute(execution: Execution): Executed | Promise<Executed> {
  try {
    const returned = execution.enter()
    if (isThenable(returned)) return race(execution, returned)
    if (isGenerator(returned)) return race(execution, drain(returned, execution))
    return { kind: 'returned', value: returned }
  } catch (error) {
    return { kind: 'threw', error }
  }
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value

/** A generator's yields are progress, its return value is the result. */
async function drain(generator: AsyncGenerator<unknown, unknown>, { progress, controller }: Execution): Promise<unknown> {
  for (;;) {
    const { done, value } = await generator.next()
    if (done) return value
    if (controller.signal.aborted) return generator.return(undefined).then(() => undefined)
    progress(value)
  }
}

/** Whichever comes first: the end, the time, the abort and its grace, the suspension. A late end is ignored. */
function race(execution: Execution, body: PromiseLike<unknown>): Promise<Executed> {
  const { clock, timeout, grace, controller, suspended, excused } = execution
  const { signal } = controller
  return new Promise((resolve) => {
    let cancelGrace: (() => void) | undefined
    const settle = (executed: Executed): void => {
      cancelTimeout()
      cancelGrace?.()
      signal.removeEventListener('abort', onAbort)
      resolve(executed)
    }
    const onAbort = (): void => {
      cancelGrace ??= clock.at(clock.now() + grace, () => settle({ kind: 'aborted', reason: String(signal.reason ?? 'aborted') }))
    }
    const onTime = (): void => {
      if (excused?.()) {
        cancelTimeout = clock.at(clock.now() + timeout, onTime)
        return
      }
      settle({ kind: 'timed-out', ms: timeout })
      controller.abort('timed out')
    }
    let cancelTimeout = clock.at(clock.now() + timeout, onTime)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    body.then(
      (value) => settle({ kind: 'returned', value }),
      (error: unknown) => settle(signal.aborted ? { kind: 'aborted', reason: String(signal.reason ?? 'aborted') } : { kind: 'threw', error }),
    )
    void suspended?.then(() => settle({ kind: 'suspended' }))
  })
}
