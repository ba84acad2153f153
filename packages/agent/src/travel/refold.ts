/**
 * The record of a thread, folded again with every assembly of the context made anew.
 *
 * REPLAY-7. Events keep their places, and what is assembled anew takes the places of what was assembled: a range of events means the same in both folds.
 * REPLAY-8. No model, tool or hook is called. Where a model would write a summary, the recorded summary of the same events stands in, or else an extracted
 *     one, which is counted as estimated.
 */
import {
  type Draft,
  emptyFrame,
  evolve,
  type Frame,
  type Journal,
  type LoomEvent,
  nextPlace,
  place,
  type Run,
  type ToolSpec,
} from '@loom-agent/kernel'
import { assemble } from '../context/assemble.ts'
import { type AssemblyRequest, type AssemblySource, createAssembly, grown } from '../context/assembly.ts'
import { roomBy } from '../context/make-room.ts'
import { everything } from '../context/strategy.ts'
import type { Definition } from '../definition/definition.ts'
import { createCancellation } from '../platform/cancellation.ts'
import { recordedSummaries } from './recorded-summaries.ts'
import { sourceOf } from './replay-source.ts'

/** An assembly that was made anew. */
export interface Reassembled {
  /** Why earlier bytes would have changed, when they would. */
  readonly rebase: string | undefined
  /** How many summaries would have been made, and of how many of them a model would have written another text. */
  readonly summaries: { readonly made: number; readonly estimated: number }
}

/** A fold whose contexts are made anew. */
export interface Refold {
  /** Takes an event that no assembly makes. */
  take(event: LoomEvent): void
  /** Makes an assembly of the record anew. `fits`: whether what is sent now has no more tokens than what the recorded assembly has made. */
  assemble(event: LoomEvent, fits: boolean): Promise<Reassembled>
  /** The frame so far. */
  frame(): Frame
}

const made: ReadonlySet<LoomEvent['type']> = new Set(['context.assembled', 'context.compressed', 'context.compression-failed', 'retrieval.finished'])

/** Whether an assembly made an event: it is made anew. */
export const isMadeAnew = ({ type }: LoomEvent): boolean => made.has(type)

/** A fold of a thread before its first event. */
export async function createRefold(definition: Definition, journal: Journal, thread: string): Promise<Refold> {
  const { ports, behaviour, context: strategy } = definition
  const assembly = createAssembly()
  // A strategy that is not asked makes no summary.
  const summaries = strategy !== everything ? await recordedSummaries(journal, thread) : undefined
  let frame = emptyFrame(thread)
  /** The tools of the record. */
  let listed: readonly ToolSpec[] = []
  let source: { readonly run: string; readonly supplied: AssemblySource } | undefined
  /** An assembly right after a failure makes room for a request that was too long. */
  let isTooLong = false

  const draftsFor = async (request: AssemblyRequest, fits: boolean): Promise<readonly Draft[]> => {
    if (!isTooLong) return assemble(strategy, request)
    // A request that is as short as the one that was taken would not have been refused.
    if (fits) return grown
    const room = await roomBy(strategy, request, { version: 'v4', id: frame.run?.request.model ?? '' })
    return room.isShorter ? room.drafts : grown
  }

  return {
    take(event) {
      isTooLong = event.type === 'model.failed'
      frame = evolve(frame, event)
    },
    async assemble(event, fits) {
      const run = frame.run as Run
      if (event.type === 'context.assembled') listed = event.data.rebase?.tools ?? listed
      if (source?.run !== run.id) source = { run: run.id, supplied: await sourceOf(definition, frame, { run, listed }) }
      let estimated = 0
      const request: AssemblyRequest = {
        source: source.supplied,
        assembly,
        frame,
        cancellation: createCancellation(ports.clock, behaviour.grace),
        knowledge: definition,
        record: {
          summaryOf: (from, to) => summaries?.find({ from, to }, event.seq),
          onEstimated: () => {
            estimated += 1
          },
        },
      }
      const drafts = await draftsFor(request, fits)
      frame = placeAt(frame, drafts, event).reduce(evolve, frame)
      const rebase = drafts.flatMap((draft) => (draft.type === 'context.assembled' ? (draft.data.rebase?.reason ?? []) : []))[0]
      return { rebase, summaries: { made: drafts.filter(({ type }) => type === 'context.compressed').length, estimated } }
    },
    frame: () => frame,
  }
}

/** Drafts in the places before a recorded event, and in its own: the last of them has that. */
function placeAt(frame: Frame, drafts: readonly Draft[], { seq, time }: LoomEvent): readonly LoomEvent[] {
  const first = Math.max(frame.seq + 1, seq - drafts.length + 1)
  const placed = place({ ...nextPlace(frame, time), seq: first }, drafts)
  // The record may have made fewer events here: then some share a place.
  return placed.map((event) => (event.seq > seq ? { ...event, seq } : event))
}
