/**
 * The text of an answer as it comes: deltas where there are any, the rest from the reply.
 *
 * STREAM-3. What was yielded cannot be taken back, so text of a failed attempt is not repeated: while the next attempt says the same it yields nothing,
 *     and then it goes on. One that says something else is yielded whole, as a new paragraph.
 */

import { type Failure, LoomError } from '@loom-agent/kernel'
import { toSentence } from '../platform/normalize.ts'
import { serialIterator } from '../platform/serial-iterator.ts'
import type { Result } from '../types/result.ts'
import type { RunEvent } from '../types/run-event.ts'
import { textOf } from '../types/text-of.ts'

const newParagraph = '\n\n'

/** What a consumer has of the reply of a turn, and how much of it the current attempt has said again. */
interface Shown {
  text: string
  repeated: number
}

/** What is known of a run whose text is read. */
interface Texts {
  shown: Shown
  attempt: number | undefined
  isFollowing: boolean
  /** What people had read of the reply when the last attempt failed. */
  partial: string
  /** Nothing of a reply has come: the last one, if there is one, came before. */
  isSilent: boolean
  failure: Failure | undefined
}

/** The run whose text is read: its id once it is known, and its result once it is at rest. */
export interface TextSource {
  readonly run: () => string | undefined
  readonly result: () => Promise<Result<unknown>>
}

/**
 * The pieces of text of a run in a stream of events; it may be queued behind another. Throws at the end when it has failed. A consumer may leave while
 * it waits for a piece: an object of its own, because a generator returns only after the piece has come.
 */
export function textsOf(events: AsyncIterableIterator<RunEvent>, { run, result }: TextSource): AsyncIterableIterator<string> {
  const texts: Texts = { shown: { text: '', repeated: 0 }, attempt: undefined, isFollowing: true, partial: '', isSilent: true, failure: undefined }
  let isOver = false
  const read = async (): Promise<IteratorResult<string>> => {
    while (!isOver) {
      const item = await events.next()
      if (isOver) break
      isOver = item.done === true
      const piece = item.done ? (texts.isSilent ? (await result()).text : restOf(texts)) : item.value.run === run() ? pieceOf(texts, item.value) : ''
      if (piece !== '') return { done: false, value: piece }
    }
    const { failure } = texts
    texts.failure = undefined
    if (failure) throw incomplete(failure, await result())
    return { done: true, value: undefined }
  }
  return serialIterator(read, async () => {
    isOver = true
    texts.failure = undefined
    await events.return?.()
  })
}

/** What an event adds to the text. */
function pieceOf(texts: Texts, event: RunEvent): string {
  const { shown, attempt } = texts
  if (event.type === 'text-delta' || event.type === 'model.replied' || event.type === 'model.failed') texts.isSilent = false
  if (event.type === 'text-delta') return texts.isFollowing && event.attempt === (attempt ?? event.attempt) ? add(shown, event.text) : ''
  // What comes next does not continue what was shown: the rest comes with the reply.
  if (event.type === 'gap') texts.isFollowing = false
  else if (event.type === 'model.requested') {
    texts.attempt = event.data.attempt
    texts.isFollowing = true
    shown.repeated = 0
  } else if (event.type === 'model.failed') texts.partial = event.data.partial ?? ''
  else if (event.type === 'model.replied') {
    Object.assign(texts, { shown: { text: '', repeated: 0 }, isFollowing: false, partial: '' })
    return complete(shown, textOf(event.data.parts))
  } else if (event.type === 'run.failed') texts.failure = event.data.error
  else if (event.type === 'run.resumed') texts.failure = undefined
  return ''
}

/** What the run has at its rest of a reply that was not completed, as far as it was not shown: a consumer that joins later gets it too. */
function restOf({ shown, partial }: Texts): string {
  return shown.text.startsWith(partial) ? '' : complete(shown, partial)
}

function incomplete({ code, message: failed }: Failure, result: Result<unknown>): LoomError {
  const message = `The text is not complete: the run failed. ${toSentence(failed)} Resume the thread to go on.`
  return new LoomError('LOOM_RUN_FAILED', message, { cause: result.status === 'failed' ? result.cause : undefined, context: { code } })
}

/** Adds the next piece of an attempt; returns what is new of it. */
function add(shown: Shown, piece: string): string {
  if (shown.repeated < shown.text.length) return compare(shown, piece)
  shown.text += piece
  shown.repeated = shown.text.length
  return piece
}

function compare(shown: Shown, piece: string): string {
  const said = shown.text.slice(0, shown.repeated)
  const expected = shown.text.slice(shown.repeated, shown.repeated + piece.length)
  shown.repeated += piece.length
  if (expected === piece) return ''
  const isLonger = piece.startsWith(expected)
  shown.text = said + piece
  return isLonger ? piece.slice(expected.length) : newParagraph + shown.text
}

/** The rest of a reply. One that only begins like a failed attempt is yielded whole. */
function complete({ text: shown, repeated }: Shown, reply: string): string {
  if (reply.startsWith(shown)) return reply.slice(shown.length)
  return repeated < shown.length ? newParagraph + reply : ''
}
