/**
 * The deltas of a reply, kept until the reply is recorded.
 *
 * DELTA-1. They are stored with the reply or the failure of their attempt, in one commit: recording adds no commit. Those of a process that is lost are lost.
 * DELTA-2. They are bounded: what comes close together is one piece, and what exceeds the bound is counted instead of kept.
 */
import type { StreamedDelta } from '@loom-agent/kernel'

/** Milliseconds in which pieces of the same text count as one. */
const together = 50
/** Pieces after which times do not count, and characters after which nothing is kept. */
const mostPieces = 1000
const mostCharacters = 1 << 18

/** The deltas of one attempt so far. */
export interface RecordedDeltas {
  readonly deltas: { -readonly [K in keyof StreamedDelta]: StreamedDelta[K] }[]
  /** Returns the milliseconds since the model was called. */
  readonly elapsed: () => number
  characters: number
  dropped: number
}

/** Makes a record of deltas that has none yet. */
export const createRecordedDeltas = (elapsed: () => number): RecordedDeltas => ({ deltas: [], elapsed, characters: 0, dropped: 0 })

/** Keeps a delta, or counts what does not fit. */
export function recordDelta(recorded: RecordedDeltas, { type, text, id }: Omit<StreamedDelta, 'ms'>): void {
  const { deltas } = recorded
  const kept = text.slice(0, Math.max(0, mostCharacters - recorded.characters))
  recorded.characters += kept.length
  recorded.dropped += text.length - kept.length
  if (kept === '') return
  const ms = Math.round(recorded.elapsed())
  const last = deltas.at(-1)
  const isNear = last && (ms - last.ms < together || deltas.length >= mostPieces)
  if (last && isNear && last.type === type && last.id === id) last.text += kept
  else deltas.push({ type, text: kept, ms, ...(id !== undefined && { id }) })
}
