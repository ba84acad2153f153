/** Time-outs for models. */
import { systemClock } from '@loom-agent/agent'
import { checkOptions, expected, type Shape } from '@loom-agent/agent/kit'
import { type Clock, LoomError } from '@loom-agent/kernel'
import { derived, isContent, type Part, type Read } from '../call/stream.ts'
import { type Wrapper, wrapModel } from '../call/wrapper.ts'

/** How long a model may take, in milliseconds. */
export interface TimeoutOptions {
  /** Until the first content; default 60,000. */
  readonly firstToken?: number
  /** Between two parts of its reply; default 60,000. */
  readonly idle?: number
  /** For the whole reply; default 600,000. */
  readonly total?: number
  /** The clock; default: the clock of the platform. */
  readonly clock?: Clock
}

const wait = expected.number(1)
const shape: Shape = { firstToken: wait, idle: wait, total: wait, clock: expected.clock }

/**
 * Ends calls that take too long with `LOOM_MODEL_TIMEOUT`, and closes their connection. For a reply in one piece only `total` counts.
 *
 * @example
 * const patient = timeouts({ firstToken: 120_000 })(model)
 */
export function timeouts(options: TimeoutOptions = {}): Wrapper {
  checkOptions('timeouts', options, shape)
  const { firstToken = 60_000, idle = 60_000, total = 600_000, clock = systemClock } = options
  return (model) =>
    wrapModel(model, {
      async generate(call) {
        const timed = startTimer(clock, total, call.abortSignal)
        try {
          return await timed.wait(model.doGenerate({ ...call, abortSignal: timed.signal }))
        } finally {
          timed.stop()
        }
      },
      async stream(call) {
        const timed = startTimer(clock, total, call.abortSignal)
        let left = firstToken
        let hasContent = false
        /** The time until the reader asks for the next part does not count. */
        const wait = async <T>(work: () => PromiseLike<T>): Promise<T> => {
          const began = clock.now()
          try {
            return await timed.wait(work(), hasContent ? { what: 'its next word', ms: idle } : { what: 'its first word', ms: firstToken, left })
          } catch (error) {
            timed.stop()
            throw error
          } finally {
            left -= clock.now() - began
          }
        }
        const result = await wait(() => model.doStream({ ...call, abortSignal: timed.signal }))
        const next = async (read: Read): Promise<Part | undefined> => {
          const part = await wait(read)
          if (part === undefined) timed.stop()
          else hasContent ||= isContent(part)
          return part
        }
        return { ...result, stream: derived(result.stream, next, timed.stop) }
      },
    })
}

interface Deadline {
  readonly what: 'its reply' | 'its first word' | 'its next word'
  readonly ms: number
  /** The milliseconds that are left of it; default: all. */
  readonly left?: number
}

interface Timer {
  /** Aborts when a deadline has passed, or with the signal of the caller. */
  readonly signal: AbortSignal
  /** What settles first: the work, its deadline, or that of the whole call. */
  wait<T>(work: PromiseLike<T>, deadline?: Deadline): Promise<T>
  stop(): void
}

/** Starts the time of a whole call. */
function startTimer(clock: Clock, total: number, outer: AbortSignal | undefined): Timer {
  const controller = new AbortController()
  let expired: LoomError | undefined
  let fail: ((error: LoomError) => void) | undefined
  const start = ({ what, ms, left = ms }: Deadline): (() => void) =>
    clock.at(clock.now() + Math.max(0, left), () => {
      const message = `The model took more than ${ms} ms for ${what}. Give it more time, or try another model.`
      expired = new LoomError('LOOM_MODEL_TIMEOUT', message, { context: { ms, what } })
      fail?.(expired)
      controller.abort()
    })
  const stop = start({ what: 'its reply', ms: total })
  const wait = <T>(work: PromiseLike<T>, deadline?: Deadline): Promise<T> => {
    const clear = deadline && start(deadline)
    // Not Promise.race: a promise that outlives the parts would keep something of each of them.
    const settled = new Promise<T>((resolve, reject) => {
      if (expired) reject(expired)
      fail = reject
      work.then(resolve, reject)
    })
    return settled.finally(clear)
  }
  return { signal: outer ? AbortSignal.any([outer, controller.signal]) : controller.signal, wait, stop }
}
