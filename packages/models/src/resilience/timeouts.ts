/** Models that take too long are let go. */
import { systemClock } from '@loom-agent/agent'
import { checkNumbers, checkOptions } from '@loom-agent/agent/kit'
import type { LanguageModelV4StreamResult } from '@loom-agent/agent/language-model'
import { type Clock, LoomError } from '@loom-agent/kernel'
import { drop, isSaid, nextOf, type Part, pullStream } from '../call/stream.ts'
import { type Wrapper, wrapModel } from '../call/wrapper.ts'

/** How long a model may take, in milliseconds. */
export interface TimeoutOptions {
  /** Until it says something; default 60,000. */
  readonly firstToken?: number
  /** Between two parts of its reply; default 60,000. */
  readonly idle?: number
  /** For the whole reply; default 600,000. */
  readonly total?: number
  readonly clock?: Clock
}

const bounds = { firstToken: { min: 1 }, idle: { min: 1 }, total: { min: 1 } } as const

/**
 * Ends calls that take too long with `LOOM_MODEL_TIMEOUT`, and closes their connection. A reply in one piece has only the total time.
 *
 * @example
 * const patient = timeouts({ firstToken: 120_000 })(model)
 */
export function timeouts(options: TimeoutOptions = {}): Wrapper {
  checkOptions('timeouts', options, [...Object.keys(bounds), 'clock'])
  checkNumbers('timeouts', options, bounds)
  const { firstToken = 60_000, idle = 60_000, total = 600_000, clock = systemClock } = options
  return (model) =>
    wrapModel(model, {
      async generate(call) {
        const watchdog = createWatchdog(clock, call.abortSignal)
        watchdog.allow('its reply', total)
        try {
          return await watchdog.race(model.doGenerate({ ...call, abortSignal: watchdog.signal }))
        } finally {
          watchdog.close()
        }
      },
      async stream(call) {
        const watchdog = createWatchdog(clock, call.abortSignal)
        watchdog.allow('its reply', total)
        const began = clock.now()
        watchdog.allow('its first word', firstToken)
        try {
          const result = await watchdog.race(model.doStream({ ...call, abortSignal: watchdog.signal }))
          watchdog.forgive('its first word')
          return timed(result, watchdog, { clock, idle, firstToken, left: firstToken - (clock.now() - began) })
        } catch (error) {
          watchdog.close()
          throw error
        }
      },
    })
}

interface Pace {
  readonly clock: Clock
  readonly idle: number
  readonly firstToken: number
  /** What is left of the time for the first word. */
  left: number
}

/** The stream, with an eye on the time that it takes. Time in which nobody asks for the next part is the reader's own. */
function timed(result: LanguageModelV4StreamResult, watchdog: Watchdog, pace: Pace): LanguageModelV4StreamResult {
  const reader = result.stream.getReader()
  let hasSpoken = false
  const next = async (): Promise<Part | undefined> => {
    const began = pace.clock.now()
    try {
      if (hasSpoken) watchdog.allow('its next word', pace.idle)
      else watchdog.allow('its first word', pace.firstToken, pace.left)
      const part = await watchdog.race(nextOf(reader))
      watchdog.forgive(hasSpoken ? 'its next word' : 'its first word')
      pace.left -= pace.clock.now() - began
      if (part === undefined) watchdog.close()
      else hasSpoken ||= isSaid(part)
      return part
    } catch (error) {
      watchdog.close()
      drop(reader)
      throw error
    }
  }
  const cancel = (): void => {
    watchdog.close()
    drop(reader)
  }
  return { ...result, stream: pullStream({ next, cancel }) }
}

type Deadline = 'its reply' | 'its first word' | 'its next word'

interface Watchdog {
  readonly signal: AbortSignal
  /** Gives it so many milliseconds, of which some may be used up. */
  allow(what: Deadline, ms: number, left?: number): void
  forgive(what: Deadline): void
  /** What settles first: the work, or a deadline. */
  race<T>(work: PromiseLike<T>): Promise<T>
  close(): void
}

function createWatchdog(clock: Clock, outer: AbortSignal | undefined): Watchdog {
  const controller = new AbortController()
  const deadlines = new Map<Deadline, () => void>()
  let expired: LoomError | undefined
  let fail: ((error: LoomError) => void) | undefined
  const onAbort = (): void => controller.abort()
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })
  const forgive = (what: Deadline): void => {
    deadlines.get(what)?.()
    deadlines.delete(what)
  }
  return {
    signal: controller.signal,
    allow(what, ms, left = ms) {
      forgive(what)
      const ring = (): void => {
        expired = new LoomError('LOOM_MODEL_TIMEOUT', `The model took more than ${ms} ms for ${what}. Give it more time, or try another model.`)
        fail?.(expired)
        controller.abort()
      }
      deadlines.set(what, clock.at(clock.now() + Math.max(0, left), ring))
    },
    forgive,
    // Not Promise.race: a promise that outlives the parts would keep something of each of them.
    race: (work) =>
      new Promise((resolve, reject) => {
        if (expired) return reject(expired)
        fail = reject
        work.then(resolve, reject)
      }),
    close() {
      for (const what of [...deadlines.keys()]) forgive(what)
      outer?.removeEventListener('abort', onAbort)
    },
  }
}
