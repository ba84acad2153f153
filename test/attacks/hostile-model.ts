/** Models that send what no honest one sends, and count how much of it is taken from them. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** What was taken from a hostile model. */
export interface Taken {
  /** Requests that it got. */
  requests: number
  /** Parts that were read of its replies. */
  parts: number
  /** Whether its stream was cancelled. */
  isCancelled: boolean
}

/** A hostile model and what was taken from it. */
export interface HostileModel {
  readonly model: LanguageModelV4
  readonly taken: Taken
}

/** The end of every reply that is read to its end. */
export const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
  finishReason: { unified: 'stop', raw: 'stop' },
}

/** The parts of a reply: one for each number, until there is none. Its first number is 0. */
export type Sends = (number: number) => LanguageModelV4StreamPart | undefined

/** A model that streams these parts as they are read, and then the end of the reply; every request gets the same. */
export function hostileModel(sends: Sends, version: 'v2' | 'v3' | 'v4' = 'v4'): HostileModel {
  const taken: Taken = { requests: 0, parts: 0, isCancelled: false }
  const stream = (): ReadableStream<LanguageModelV4StreamPart> => {
    let number = 0
    return new ReadableStream(
      {
        pull(controller) {
          const part = sends(number)
          number += 1
          taken.parts += 1
          controller.enqueue(part ?? finish)
          if (!part) controller.close()
        },
        cancel() {
          taken.isCancelled = true
        },
      },
      { highWaterMark: 0 },
    )
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'hostile',
    modelId: 'model',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: async () => {
      taken.requests += 1
      return { stream: stream() }
    },
  }
  return { model: { ...model, specificationVersion: version as 'v4' }, taken }
}

/** Parts that go on for so long that a reader without a bound would be at it for a while; then the reply ends. */
export const endless =
  (part: (number: number) => LanguageModelV4StreamPart, most: number): Sends =>
  (number) =>
    number < most ? part(number) : undefined

/** One reply that has these parts. */
export const parts =
  (...sent: readonly LanguageModelV4StreamPart[]): Sends =>
  (number) =>
    sent[number]
