/** Shares one call among identical requests at the same time. */
import { abortedBy } from '@loom-agent/agent/kit'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@loom-agent/agent/language-model'
import { nextOf, type Part, type Parts, pullStream } from '../call/stream.ts'
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
        const key = requestKey('generate', model, call)
        const shared = join(replies, key, (abortSignal) => Promise.resolve(model.doGenerate({ ...call, abortSignal })))
        return shared.follow(call.abortSignal).finally(shared.leave)
      },
      async stream(call) {
        const key = requestKey('stream', model, call)
        const shared = join(streams, key, (abortSignal) => startStream(model, { ...call, abortSignal }, () => streams.delete(key)))
        try {
          const { result, reader } = await shared.follow(call.abortSignal)
          return { ...result, stream: reader.open(call.abortSignal, shared.leave) }
        } catch (error) {
          shared.leave()
          throw error
        }
      },
    })
  }
}

interface Shared<T> {
  readonly work: Promise<T>
  readonly controller: AbortController
  followers: number
}

interface Followed<T> {
  /** Settles with the work, or as soon as the signal aborts. */
  follow(signal: AbortSignal | undefined): Promise<T>
  leave(): void
}

/** Joins a call that is in flight, or starts it. */
function join<T>(open: Map<string, Shared<T>>, key: string, start: (signal: AbortSignal) => Promise<T>): Followed<T> {
  let shared = open.get(key)
  if (!shared) {
    const controller = new AbortController()
    const started: Shared<T> = { controller, followers: 0, work: start(controller.signal) }
    shared = started
    open.set(key, started)
    const forget = (): void => {
      if (open.get(key) === started) open.delete(key)
    }
    // A stream is shared until it ends.
    started.work.then((value) => isStream(value) || forget(), forget)
  }
  const joined = shared
  joined.followers += 1
  let hasLeft = false
  return {
    follow: (signal) => untilAborted(joined.work, signal),
    leave() {
      if (hasLeft) return
      hasLeft = true
      joined.followers -= 1
      if (joined.followers > 0) return
      if (open.get(key) === joined) open.delete(key)
      joined.controller.abort()
    },
  }
}

const isStream = (value: unknown): boolean => typeof value === 'object' && value !== null && 'reader' in value

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortedBy(signal))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

interface SharedStream {
  readonly result: LanguageModelV4StreamResult
  readonly reader: SharedReader
}

interface SharedReader {
  /** The whole stream from its first part, for one more reader. */
  open(signal: AbortSignal | undefined, leave: () => void): Parts
}

async function startStream(model: LanguageModelV4, call: LanguageModelV4CallOptions, ended: () => void): Promise<SharedStream> {
  const result = await model.doStream(call)
  return { result, reader: shareReader(result.stream, ended) }
}

/** Keeps all parts until the last reader is done. Each reads at its own pace; the fastest one pulls. */
function shareReader(stream: Parts, ended: () => void): SharedReader {
  const source = stream.getReader()
  const kept: Promise<Part | undefined>[] = []
  const at = (index: number): Promise<Part | undefined> => {
    if (kept[index]) return kept[index]
    const pulled = nextOf(source)
    pulled.then((part) => part === undefined && ended(), ended)
    kept.push(pulled)
    return pulled
  }
  return {
    open(signal, leave) {
      let index = 0
      const next = async (): Promise<Part | undefined> => {
        try {
          const part = await untilAborted(at(index++), signal)
          if (part === undefined) leave()
          return part
        } catch (error) {
          leave()
          throw error
        }
      }
      return pullStream({ next, cancel: leave })
    },
  }
}
