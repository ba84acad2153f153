/** The prompt of a thread from request to request, with where each of its messages comes from. */
import type { Frame, JsonObject, Run } from '@loom-agent/kernel'
import type { Source } from '../context/message-list.ts'
import { createPrompt, type Prompt } from '../context/prompt.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import type { SpecVersion } from '../model/model.ts'
import type { Assembled, Attempted } from './context-fold.ts'

/** A request as it was sent, and where its messages come from. */
export interface Tracked {
  /** The frame that the request was made of. */
  readonly frame: Frame
  readonly model: string
  /** Whether the rendered messages have the digest that was recorded; false without a request. */
  readonly isVerified: boolean
  /** The messages before a hook changed them, and where each comes from. */
  readonly rendered: readonly LanguageModelV4Message[]
  readonly sources: readonly Source[]
  /** How often the messages were rendered from the start; between two renderings they only grew. */
  readonly renderings: number
  /** The place of a rendered message in the request; -1 when a hook took it out. */
  placeOf(message: number): number
  /** The message at a place of the request. */
  messageAt(place: number): LanguageModelV4Message
  /** Messages that a hook put into the request, with their places. */
  readonly inserted: readonly { readonly place: number; readonly message: LanguageModelV4Message }[]
  /** How many messages of the front no hook has changed. */
  readonly keep: number
  /** How many messages the request has. */
  readonly length: number
}

/** Follows the prompt of one thread. */
export interface PromptTracker {
  /** The request of a context: of the given attempt, or as it would be. What it returns holds until the next update. */
  update(assembled: Assembled, attempt: Attempted | undefined): Tracked
}

const versions: readonly SpecVersion[] = ['v4', 'v3', 'v2']

interface Rendering {
  readonly version: SpecVersion
  readonly prompt: Prompt
  readonly sources: Source[]
}

function createRendering(version: SpecVersion): Rendering {
  const sources: Source[] = []
  const prompt = createPrompt((message, source) => {
    sources.length = message
    sources.push(source)
  })
  return { version, prompt, sources }
}

function update({ prompt, sources, version }: Rendering, frame: Frame, model: string): void {
  prompt.update(frame, version, model)
  sources.length = prompt.current().length
}

/** A tracker before the first request. The version of the model's specification is not recorded: the digest of the messages shows it. */
export function createPromptTracker(): PromptTracker {
  let current = createRendering('v4')
  let replaced = 0
  return {
    update({ after }, attempt) {
      const frame = attempt?.before ?? after
      const model = attempt?.event.data.model ?? (frame.run as Run).request.model
      const digest = attempt?.event.data.digest
      update(current, frame, model)
      let isVerified = digest !== undefined && current.prompt.digest() === digest
      for (const version of digest === undefined || isVerified ? [] : versions) {
        const other = createRendering(version)
        update(other, frame, model)
        if (other.prompt.digest() !== digest) continue
        isVerified = true
        replaced += current.prompt.renderings()
        current = other
        break
      }
      const { prompt, sources } = current
      const rendered = prompt.current()
      const renderings = replaced + prompt.renderings()
      return { frame, model, isVerified, rendered, sources, renderings, ...placesAfter(rendered, frame.run?.patch) }
    },
  }
}

type Places = Pick<Tracked, 'placeOf' | 'messageAt' | 'inserted' | 'keep' | 'length'>

/** Where messages are after the patch of a hook. What follows the front that it keeps may be there still, as a copy. */
function placesAfter(rendered: readonly LanguageModelV4Message[], patch: JsonObject | undefined): Places {
  const { keep, insert = [] } = (patch ?? {}) as { keep?: number; insert?: readonly LanguageModelV4Message[] }
  const messageAt = (place: number): LanguageModelV4Message => rendered[place] as LanguageModelV4Message
  if (keep === undefined) return { placeOf: (message) => message, messageAt, inserted: [], keep: rendered.length, length: rendered.length }
  const front = Math.min(keep, rendered.length)
  const waiting = new Map<string, number[]>()
  for (let message = rendered.length - 1; message >= front; message -= 1) {
    const text = JSON.stringify(rendered[message])
    const alike = waiting.get(text)
    if (alike) alike.push(message)
    else waiting.set(text, [message])
  }
  const moved = new Map<number, number>()
  const inserted: { place: number; message: LanguageModelV4Message }[] = []
  insert.forEach((message, index) => {
    const from = waiting.get(JSON.stringify(message))?.pop()
    if (from === undefined) inserted.push({ place: front + index, message })
    else moved.set(from, front + index)
  })
  return {
    placeOf: (message) => (message < front ? message : (moved.get(message) ?? -1)),
    messageAt: (place) => (place < front ? messageAt(place) : (insert[place - front] as LanguageModelV4Message)),
    inserted,
    keep: front,
    length: front + insert.length,
  }
}
