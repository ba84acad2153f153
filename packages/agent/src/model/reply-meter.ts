/**
 * Measures a reply while it is read.
 *
 * REPLY-1. A reply is bounded in every direction in which it can grow: pieces, parts, calls, characters, names, arguments, data. What exceeds a bound is
 *     neither parsed nor kept: the stream is cancelled, and the attempt has failed for good.
 * REPLY-2. Reading costs the same for each piece, however many came before it.
 */
import { LoomError } from '@loom-agent/kernel'
import type { CompleteBounds } from '../types/reply-bounds.ts'

/** What is counted over a whole reply; the length of a name is measured for each name. */
type Counted = Exclude<keyof CompleteBounds, 'name'> | 'streamed'

/** What was read of a reply so far. `streamed` are the characters of arguments that came in pieces, before the calls that have them. */
export interface ReplyMeter extends Record<Counted, number> {
  readonly most: CompleteBounds
}

/** The meter of a reply of which nothing was read. */
export function createReplyMeter(most: CompleteBounds): ReplyMeter {
  return { most, characters: 0, pieces: 0, parts: 0, calls: 0, arguments: 0, data: 0, streamed: 0 }
}

/** Counts more of something. Throws when that exceeds the bound. */
export function measure(meter: ReplyMeter, counted: Counted, more: number): void {
  const bound = counted === 'streamed' ? 'arguments' : counted
  meter[counted] += more
  if (meter[counted] > meter.most[bound]) throw tooLarge(meter, bound)
}

/** Measures a name, an id or a media type; what is no text is left to those who read it. */
export function measureName(meter: ReplyMeter, name: unknown): void {
  if (typeof name === 'string' && name.length > meter.most.name) throw tooLarge(meter, 'name')
}

const words: Readonly<Record<keyof CompleteBounds, string>> = {
  characters: 'characters of text and reasoning',
  pieces: 'pieces',
  parts: 'parts',
  calls: 'calls',
  name: 'characters in a name or an id',
  arguments: 'characters of arguments',
  data: 'characters of files, sources and metadata',
}

function tooLarge({ most }: ReplyMeter, bound: keyof CompleteBounds): LoomError {
  const message = `The reply of the model has more than ${most[bound]} ${words[bound]}: it was cancelled.`
  const advice = `Raise behaviour.reply.${bound} if such replies are expected, or use another model.`
  return new LoomError('LOOM_REPLY_LIMIT', `${message} ${advice}`, { context: { bound, max: most[bound] } })
}
