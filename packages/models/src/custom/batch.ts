/** Independent calls, several at a time. */
import { abortedBy, checkOptions, expected } from '@loom-agent/agent/kit'
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@loom-agent/agent/language-model'
import { checkVersion } from '../call/wrapper.ts'

/** The outcome of one request. */
export type BatchItem =
  | {
      readonly status: 'done'
      /** The text of the reply. */
      readonly text: string
      /** The whole result of the model. */
      readonly result: LanguageModelV4GenerateResult
    }
  | {
      readonly status: 'failed'
      /** What the model threw, or the abort. */
      readonly error: unknown
    }

/** The options of a batch. */
export interface BatchOptions {
  /** How many calls at once; default 5. */
  readonly concurrency?: number
  /** Ends the calls in flight and starts no more; finished items are kept. */
  readonly signal?: AbortSignal
}

const requestList = expected.list(expected.either(expected.text, expected.object), 'a list of texts or requests')

/**
 * Sends independent requests to a model. The items are in the order of the requests; a request that fails has the status `failed` and does not stop the
 * others. Nothing is retried.
 *
 * @example
 * const items = await batch(model, reviews.map((review) => `Is this friendly? ${review}`), { concurrency: 8 })
 */
export async function batch(
  model: LanguageModelV4,
  requests: readonly (string | LanguageModelV4CallOptions)[],
  options: BatchOptions = {},
): Promise<readonly BatchItem[]> {
  checkOptions('batch', { requests }, { requests: expected.required(requestList) })
  checkOptions('batch', options, { concurrency: expected.number(1), signal: expected.signal })
  checkVersion(model)
  const { concurrency = 5, signal } = options
  const items: BatchItem[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < requests.length; index = next++) {
      items[index] = await ask(model, requests[index] as string | LanguageModelV4CallOptions, signal)
    }
  }
  await Promise.all(Array.from({ length: Math.min(Math.floor(concurrency), requests.length) }, work))
  return items
}

async function ask(model: LanguageModelV4, request: string | LanguageModelV4CallOptions, signal: AbortSignal | undefined): Promise<BatchItem> {
  if (signal?.aborted) return { status: 'failed', error: abortedBy(signal) }
  const options: LanguageModelV4CallOptions =
    typeof request === 'string' ? { prompt: [{ role: 'user', content: [{ type: 'text', text: request }] }] } : request
  const signals = [signal, options.abortSignal].filter((given) => given !== undefined)
  try {
    const result = await model.doGenerate({ ...options, ...(signals.length > 0 && { abortSignal: AbortSignal.any(signals) }) })
    return { status: 'done', text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''), result }
  } catch (error) {
    return { status: 'failed', error }
  }
}
