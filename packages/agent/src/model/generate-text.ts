/** One question to a model, outside of any turn: a text in, a text out. */
import type { Usage } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { enterUser } from '../platform/call-user.ts'
import { defaultBounds } from '../types/reply-bounds.ts'
import { textOf } from '../types/text-of.ts'
import type { ModelObject } from './model.ts'
import { readStream, type Streamed, stopReading } from './read-stream.ts'
import { createReading } from './reading.ts'

/** What a model is asked. */
export interface TextRequest {
  readonly system: string
  readonly prompt: string
  readonly maxOutputTokens: number
  readonly signal: AbortSignal
}

/** What it replied. */
export interface GeneratedText {
  readonly text: string
  readonly usage: Usage
}

/** Nobody views a question that is no part of the conversation. */
const unseen = { isViewed: () => false, signal: () => {} }
const nowhere = { thread: '', run: '', turn: 0, attempt: 1 }

/** Asks a model for a text. Rejects with what the model throws. */
export async function generateText(model: ModelObject, { system, prompt, maxOutputTokens, signal }: TextRequest): Promise<GeneratedText> {
  const request: LanguageModelV4CallOptions = {
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    maxOutputTokens,
    abortSignal: signal,
  }
  const reading = createReading({ channel: unseen, place: nowhere, recorded: undefined }, defaultBounds)
  const stop = (): void => stopReading(reading)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { parts, usage } = await readStream(
      reading,
      enterUser(() => model.doStream(request as never) as PromiseLike<Streamed>),
      () => {},
    )
    return { text: textOf(parts), usage }
  } catch (error) {
    // A reply that exceeds a bound goes on until somebody cancels it.
    stop()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
