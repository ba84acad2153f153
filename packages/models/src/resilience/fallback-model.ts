/** Another model when one fails. */
import { checkOptions, expected, mayRecover, modelId, notify } from '@loom-agent/agent/kit'
import type { LanguageModelV4, LanguageModelV4StreamResult } from '@loom-agent/agent/language-model'
import { drop, endingOf, isContent, nextOf, type Part, pullStream } from '../call/stream.ts'
import { wrapModel } from '../call/wrapper.ts'
import { isMediaRefusal } from '../registry/accepts.ts'
import { membersOf } from './members.ts'

/** What happens until there is an answer. */
export type ModelFallbackEvent =
  | {
      readonly type: 'answered'
      /** The id of the model that answered. */
      readonly model: string
    }
  | {
      readonly type: 'failed'
      /** The id of the model that failed. */
      readonly model: string
      /** What it threw. */
      readonly error: unknown
    }

/** The options of a fallback. */
export interface ModelFallbackOptions {
  /** Called when a model has answered or failed. */
  readonly onEvent?: (event: ModelFallbackEvent) => void
}

/**
 * Uses the first of several models that answers. The next one is called when a model fails in a way that another might not (an overload, a broken
 * connection, an open circuit, media that it does not take), and only before the reader has received content: after that a failure is a failure.
 *
 * `onEvent`, `model.replied` in the journal, and `loom.model` in the metadata of the reply name the model that answered.
 *
 * @example
 * const model = fallbackModel([breaker()(sonnet), gpt, local])
 */
export function fallbackModel(models: readonly LanguageModelV4[], options: ModelFallbackOptions = {}): LanguageModelV4 {
  checkOptions('fallbackModel', options, { onEvent: expected.function })
  const { members, identity } = membersOf('fallbackModel', models)
  const { onEvent } = options

  const ask = async <T>(attempt: (member: LanguageModelV4) => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> => {
    for (const [index, member] of members.entries()) {
      try {
        const answer = await attempt(member)
        notify(onEvent, { type: 'answered', model: modelId(member) })
        return answer
      } catch (error) {
        notify(onEvent, { type: 'failed', model: modelId(member), error })
        if (index === members.length - 1 || signal?.aborted || !(mayRecover(error) || isMediaRefusal(error))) throw error
      }
    }
    throw new Error('no model was called')
  }

  return wrapModel(identity, {
    generate: (call) => ask((member) => member.doGenerate(call), call.abortSignal),
    stream: (call) => ask(async (member) => withContent(await member.doStream(call)), call.abortSignal),
  })
}

/** Parts without content that are held back. A model that sends more of them has begun to answer: the reader of the stream has bounds of its own. */
const mostHeld = 10_000

/** The stream, once it has content or has ended well; throws on a failure before that. */
async function withContent(result: LanguageModelV4StreamResult): Promise<LanguageModelV4StreamResult> {
  const reader = result.stream.getReader()
  const held: Part[] = []
  for (;;) {
    const part = await nextOf(reader)
    const ending = part === undefined ? undefined : endingOf(part)
    if (ending?.kind === 'failed' || part === undefined) {
      drop(reader)
      throw ending?.kind === 'failed' ? ending.error : new Error('the stream ended without content')
    }
    held.push(part)
    if (isContent(part) || held.length >= mostHeld) break
  }
  let index = 0
  const next = async (): Promise<Part | undefined> => held[index++] ?? nextOf(reader)
  return { ...result, stream: pullStream({ next, cancel: () => drop(reader) }) }
}
