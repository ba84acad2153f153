/**
 * The deltas of a reply, kept until the reply is recorded.
 *
 * DELTA-1. They are stored with the reply or the failure of their attempt, in one commit: recording adds no commit. Those of a process that is lost are lost.
 * DELTA-2. They are bounded: what comes close together is one piece, and what exceeds the bound is counted instead of kept.
 */
import type { Draft, StreamedDelta } from '@loom-agent/kernel'

/** Milliseconds in which pieces of the same text count as one. */
const together = 50
/** Pieces after which times do not count, and characters after which nothing is kept. */
const mostPieces = 1000
const mostCharacters = 1 << 18

/** The deltas of one attempt so far. */
export interface RecordedDeltas {
  /** Keeps a delta, or counts what does not fit. */
  add(delta: Omit<StreamedDelta, 'ms'>): void
  /** What is stored of them: nothing where there are none. */
  drafts(attempt: number): readonly Draft[]
}

/** Makes a record of deltas that has none yet. `elapsed` returns the milliseconds since the model was called. */
export function createRecordedDeltas(elapsed: () => number): RecordedDeltas {
  const deltas: { -readonly [K in keyof StreamedDelta]: StreamedDelta[K] }[] = []
  let characters = 0
  let dropped = 0
  return {
    add({ type, text, id }) {
      const kept = text.slice(0, Math.max(0, mostCharacters - characters))
      characters += kept.length
      dropped += text.length - kept.length
      if (kept === '') return
      const ms = Math.round(elapsed())
      const last = deltas.at(-1)
      const isNear = last && (ms - last.ms < together || deltas.length >= mostPieces)
      if (last && isNear && last.type === type && last.id === id) last.text += kept
      else deltas.push({ type, text: kept, ms, ...(id !== undefined && { id }) })
    },
    drafts: (attempt) => (deltas.length === 0 ? [] : [{ type: 'model.streamed', data: { attempt, deltas, ...(dropped > 0 && { dropped }) } }]),
  }
}
