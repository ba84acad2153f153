/** Another model when one fails. */
import { checkOptions, mayRecover, notify } from '@loom-agent/agent/kit'
import type { LanguageModelV4, LanguageModelV4StreamResult } from '@loom-agent/agent/language-model'
import { drop, endingOf, isSaid, nextOf, type Part, pullStream } from '../call/stream.ts'
import { isMediaRefusal } from '../registry/accepts.ts'
import { facing, type Member, membersOf } from './members.ts'

/** What happens on the way to an answer. Models go by their ids. */
export type ModelFallbackEvent =
  | { readonly type: 'answered'; readonly model: string }
  | { readonly type: 'failed'; readonly model: string; readonly error: unknown }

/** How another model is chosen. */
export interface ModelFallbackOptions {
  readonly onEvent?: (event: ModelFallbackEvent) => void
}

/**
 * The first of several models that answers. The next one is asked when a model fails in a way that another might not (an overload, a broken
 * connection, an open circuit, media that it does not take), and only until somebody has heard a word: from then on a failure is a failure.
 *
 * Who answered is told by `onEvent`, by `model.replied` in the journal, and in the reply's metadata under `loom.model`.
 *
 * @example
 * const model = fallback([breaker()(sonnet), gpt, local])
 */
export function fallback(models: readonly LanguageModelV4[], options: ModelFallbackOptions = {}): LanguageModelV4 {
  checkOptions('fallback', options, ['onEvent'])
  const { members, face } = membersOf('fallback', models)
  const { onEvent } = options

  const ask = async <T>(attempt: (member: Member) => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    for (const [index, member] of members.entries()) {
      try {
        const answer = await attempt(member)
        notify(onEvent, { type: 'answered', model: member.id })
        return answer
      } catch (error) {
        notify(onEvent, { type: 'failed', model: member.id, error })
        if (index === members.length - 1 || signal?.aborted || !(mayRecover(error) || isMediaRefusal(error))) throw error
      }
    }
    throw new Error('no model was asked')
  }

  return facing(face, {
    generate: (call) => ask((member) => member.generate(call), call.abortSignal),
    stream: (call) => ask(async (member) => spoken(await member.stream(call)), call.abortSignal),
  })
}

/** The stream, once it has said something or has ended well; a failure before that is thrown. */
async function spoken(result: LanguageModelV4StreamResult): Promise<LanguageModelV4StreamResult> {
  const reader = result.stream.getReader()
  const held: Part[] = []
  for (;;) {
    const part = await nextOf(reader)
    const ending = part === undefined ? undefined : endingOf(part)
    if (ending?.kind === 'failed' || part === undefined) {
      drop(reader)
      throw ending?.kind === 'failed' ? ending.error : new Error('the stream ended before it said anything')
    }
    held.push(part)
    if (isSaid(part)) break
  }
  const next = async (): Promise<Part | undefined> => held.shift() ?? nextOf(reader)
  return { ...result, stream: pullStream({ next, cancel: () => drop(reader) }) }
}
