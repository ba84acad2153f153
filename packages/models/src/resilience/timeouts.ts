/** Time-outs for models. */

import { systemClock } from '@loom-agent/agent'
import { checkOptions, expected, type Shape } from '@loom-agent/agent/kit'
import type { LanguageModelV4StreamResult } from '@loom-agent/agent/language-model'
import { type Clock, LoomError } from '@loom-agent/kernel'
import { drop, isContent, nextOf, type Part, pullStream } from '../call/stream.ts'
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
          watchdog.clear('its first word')
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
  /** The milliseconds left for the first content. */
  left: number
}

/** The stream with time-outs. The time until the reader asks for the next part does not count. */
function timed(result: LanguageModelV4StreamResult, watchdog: Watchdog, pace: Pace): LanguageModelV4StreamResult {
  const reader = result.stream.getReader()
  let hasContent = false
  const next = async (): Promise<Part | undefined> => {
    const began = pace.clock.now()
    try {
      if (hasContent) watchdog.allow('its next word', pace.idle)
      else watchdog.allow('its first word', pace.firstToken, pace.left)
      const part = await watchdog.race(nextOf(reader))
      watchdog.clear(hasContent ? 'its next word' : 'its first word')
      pace.left -= pace.clock.now() - began
      if (part === undefined) watchdog.close()
      else hasContent ||= isContent(part)
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
  /** Starts a deadline of `ms` milliseconds, of which `left` are left. */
  allow(what: Deadline, ms: number, left?: number): void
  clear(what: Deadline): void
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
  const clear = (what: Deadline): void => {
    deadlines.get(what)?.()
    deadlines.delete(what)
  }
  return {
    signal: controller.signal,
    allow(what, ms, left = ms) {
      clear(what)
      const expire = (): void => {
        expired = new LoomError('LOOM_MODEL_TIMEOUT', `The model took more than ${ms} ms for ${what}. Give it more time, or try another model.`, {
          context: { ms, what },
        })
        fail?.(expired)
        controller.abort()
      }
      deadlines.set(what, clock.at(clock.now() + Math.max(0, left), expire))
    },
    clear,
    // Not Promise.race: a promise that outlives the parts would keep something of each of them.
    race: (work) =>
      new Promise((resolve, reject) => {
        if (expired) return reject(expired)
        fail = reject
        work.then(resolve, reject)
      }),
    close() {
      for (const what of [...deadlines.keys()]) clear(what)
      outer?.removeEventListener('abort', onAbort)
    },
  }
}
