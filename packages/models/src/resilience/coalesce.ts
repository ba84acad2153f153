/** Shares one call among identical requests at the same time. */
import { abortedBy } from '@loom-agent/agent/kit'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@loom-agent/agent/language-model'
import { nextOf, type Part, pullStream } from '../call/stream.ts'
import { type Wrapper, wrapModel } from '../call/wrapper.ts'
import { requestKey } from './request-key.ts'

/**
 * Lets identical requests that are in flight at the same time share one call. Each gets the whole reply. The abort of one does not affect the others; the
 * call itself is aborted with the last one.
 *
 * @example
 * const shared = coalesce()(model)
 */
export function coalesce(): Wrapper {
  return (model) => {
    const replies = new Map<string, Shared<LanguageModelV4GenerateResult>>()
    const streams = new Map<string, Shared<SharedStream>>()
    return wrapModel(model, {
      async generate(call) {
        const start: Start<LanguageModelV4GenerateResult> = (abortSignal, forget) =>
          Promise.resolve(model.doGenerate({ ...call, abortSignal })).finally(forget)
        const { work, wait, leave } = join(replies, { key: requestKey('generate', model, call), signal: call.abortSignal, start })
        return wait(work).finally(leave)
      },
      async stream(call) {
        const start: Start<SharedStream> = (abortSignal, forget) => startStream(model, { ...call, abortSignal }, forget)
        const { work, wait, leave } = join(streams, { key: requestKey('stream', model, call), signal: call.abortSignal, start })
        const { result, partAt } = await wait(work)
        let index = 0
        const next = async (): Promise<Part | undefined> => {
          const part = await wait(partAt(index++))
          if (part === undefined) leave()
          return part
        }
        return { ...result, stream: pullStream({ next, cancel: leave }) }
      },
    })
  }
}

/** Starts the call. It is shared until `forget` is called. */
type Start<T> = (signal: AbortSignal, forget: () => void) => Promise<T>

interface Shared<T> {
  readonly work: Promise<T>
  readonly controller: AbortController
  readonly forget: () => void
  followers: number
}

interface Joined<T> {
  readonly work: Promise<T>
  /** Settles with a part of the work, or as soon as the signal aborts; leaves when it fails. */
  wait<V>(part: Promise<V>): Promise<V>
  /** The last one to leave aborts the call. */
  leave(): void
}

/** Joins a call that is in flight, or starts it. */
function join<T>(open: Map<string, Shared<T>>, { key, signal, start }: { key: string; signal: AbortSignal | undefined; start: Start<T> }): Joined<T> {
  const shared = open.get(key) ?? started(open, key, start)
  shared.followers += 1
  let hasLeft = false
  const leave = (): void => {
    if (hasLeft) return
    hasLeft = true
    shared.followers -= 1
    if (shared.followers > 0) return
    shared.forget()
    shared.controller.abort()
  }
  const wait = async <V>(part: Promise<V>): Promise<V> => {
    try {
      return await untilAborted(part, signal)
    } catch (error) {
      leave()
      throw error
    }
  }
  return { work: shared.work, wait, leave }
}

function started<T>(open: Map<string, Shared<T>>, key: string, start: Start<T>): Shared<T> {
  const controller = new AbortController()
  const forget = (): void => {
    if (open.get(key) === shared) open.delete(key)
  }
  const shared: Shared<T> = { controller, forget, followers: 0, work: start(controller.signal, forget) }
  open.set(key, shared)
  return shared
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortedBy(signal))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

interface SharedStream {
  readonly result: LanguageModelV4StreamResult
  /** All parts are kept until the last reader is done: each reads at its own pace, and the fastest one pulls. */
  partAt(index: number): Promise<Part | undefined>
}

async function startStream(model: LanguageModelV4, call: LanguageModelV4CallOptions, forget: () => void): Promise<SharedStream> {
  try {
    const result = await model.doStream(call)
    const source = result.stream.getReader()
    const kept: Promise<Part | undefined>[] = []
    const pull = (): Promise<Part | undefined> => {
      const pulled = nextOf(source)
      pulled.then((part) => part === undefined && forget(), forget)
      kept.push(pulled)
      return pulled
    }
    return { result, partAt: (index) => kept[index] ?? pull() }
  } catch (error) {
    forget()
    throw error
  }
}
