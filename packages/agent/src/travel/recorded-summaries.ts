/** The summaries that the record of a thread has, by the events that they stand for. */
import type { ContextSummary, Journal, Seq } from '@loom-agent/kernel'
import { recordOf } from '../look/record-of.ts'

/** Finds recorded summaries. */
export interface RecordedSummaries {
  /** The summary of a range of events, as it was known at a moment; one that was made later, where none was. */
  find(range: { readonly from: Seq; readonly to: Seq }, at: Seq): ContextSummary | undefined
}

interface Made {
  readonly seq: Seq
  readonly summary: ContextSummary
}

/** Reads the summaries of a thread. A replay may need one before the moment at which the record has it, so they are read before it begins. */
export async function recordedSummaries(journal: Journal, thread: string): Promise<RecordedSummaries> {
  const made = new Map<string, Made[]>()
  for await (const { type, data, seq } of recordOf(journal, thread)) {
    if (type !== 'context.compressed') continue
    const key = keyOf(data)
    made.set(key, [...(made.get(key) ?? []), { seq, summary: data }])
  }
  return {
    find(range, at) {
      const alike = made.get(keyOf(range)) ?? []
      return (alike.findLast(({ seq }) => seq <= at) ?? alike[0])?.summary
    },
  }
}

const keyOf = ({ from, to }: { readonly from: Seq; readonly to: Seq }): string => `${from}-${to}`
