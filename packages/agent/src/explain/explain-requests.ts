/** Every request of a thread, explained: what checkers compare with what models received. */
import type { Frame, LoomEvent } from '@loom-agent/kernel'
import { createScales } from '../context/tokens.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { type Assembled, type Attempted, createContextFold } from './context-fold.ts'
import type { ContextPart } from './explanation.ts'
import { partsOf } from './parts.ts'
import { createPromptTracker } from './prompt-tracker.ts'

/** A request, and its parts. */
export interface ExplainedRequest {
  /** The context that it was made of. */
  readonly assembled: Assembled
  /** The intent of the call; undefined when no request was made of the context. */
  readonly attempt: Attempted | undefined
  /** The frame that the request was made of. */
  readonly frame: Frame
  /** The messages as the facts have them. */
  readonly messages: readonly LanguageModelV4Message[]
  /** Whether the messages have the digest that was recorded. */
  readonly isVerified: boolean
  /** Every part, with its fate. */
  readonly parts: readonly ContextPart[]
}

/** The requests of the events of one thread, in order. */
export function explainRequests(thread: string, events: Iterable<LoomEvent>): readonly ExplainedRequest[] {
  const fold = createContextFold(thread)
  const contexts: Assembled[] = []
  for (const event of events) contexts.push(...[fold.take(event) ?? []].flat())
  contexts.push(...[fold.end() ?? []].flat())
  const tracker = createPromptTracker()
  const scaleOf = createScales()
  return contexts.flatMap((assembled) => {
    const attempts = assembled.requests.length > 0 ? assembled.requests : [undefined]
    return attempts.map((attempt): ExplainedRequest => {
      const tracked = tracker.update(assembled, attempt)
      const { frame, isVerified } = tracked
      const messages = Array.from({ length: tracked.length }, (_, place) => tracked.messageAt(place))
      return {
        assembled,
        attempt,
        frame,
        messages,
        isVerified,
        parts: partsOf({ assembled, attempt, tracked, latest: fold.frame(), scale: scaleOf(frame) }),
      }
    })
  })
}
