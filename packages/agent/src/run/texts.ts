/**
 * The text of an answer as it comes: deltas where there are any, the rest from the reply.
 *
 * STREAM-3. What was yielded cannot be taken back, so text of a failed attempt is not repeated: while the next attempt says the same it yields nothing,
 *     and then it goes on. One that says something else is yielded whole, as a new paragraph.
 */
import { type Failure, LoomError } from '@loom-agent/kernel'
import { toSentence } from '../platform/normalize.ts'
import type { RunEvent } from '../types/run-event.ts'
import { textOf } from '../types/text-of.ts'

const newParagraph = '\n\n'

/** What a consumer has of the reply of a turn, and how much of it the current attempt has said again. */
interface Shown {
  text: string
  repeated: number
}

/** The run whose text it is: its id, once it is known, and what was thrown where it has failed in this process. */
export interface TextSource {
  readonly run: () => string | undefined
  readonly thrown: () => Promise<unknown>
}

/** The pieces of text of a run in a stream of events; it may be queued behind another. Throws at the end when it has failed. */
export async function* textsOf(events: AsyncIterableIterator<RunEvent>, { run, thrown }: TextSource): AsyncGenerator<string, void> {
  let shown: Shown = { text: '', repeated: 0 }
  let attempt: number | undefined
  let isFollowing = true
  let failure: Failure | undefined
  for await (const event of events) {
    if (event.run !== run()) continue
    let piece = ''
    if (event.type === 'text-delta') {
      if (isFollowing && event.attempt === (attempt ?? event.attempt)) piece = add(shown, event.text)
    } else if (event.type === 'gap') {
      // What comes next does not continue what was shown: the rest comes with the reply.
      isFollowing = false
    } else if (event.type === 'model.requested') {
      attempt = event.data.attempt
      shown.repeated = 0
      isFollowing = true
    } else if (event.type === 'model.replied') {
      piece = complete(shown, textOf(event.data.parts))
      shown = { text: '', repeated: 0 }
      isFollowing = false
    } else if (event.type === 'run.failed') failure = event.data.error
    else if (event.type === 'run.resumed') failure = undefined
    if (piece !== '') yield piece
  }
  if (failure) throw incomplete(failure, await thrown())
}

function incomplete({ code, message: failed }: Failure, cause: unknown): LoomError {
  const message = `The text is not complete: the run failed. ${toSentence(failed)} Resume the thread to go on.`
  return new LoomError('LOOM_RUN_FAILED', message, { cause, context: { code } })
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
