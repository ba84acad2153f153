/** The journal as a replayed driver sees it: its thread alone, and what it appends is compared with the record. */
import { memoryJournal } from '@loom-agent/agent'
import { type Batch, evolve, type Journal, type LoomEvent, place } from '@loom-agent/kernel'
import { type EpochReplay, fail, findLine, follow, lineFor, never } from './epoch-replay.ts'
import { give, giveBefore } from './given-line.ts'
import { isPassedOver, trackOf } from './script.ts'

/** What the journal of a replay reads besides the thread that is driven. */
export interface RecordedPast {
  /** The events of a thread that is in the fixture. */
  readonly eventsOf: (thread: string) => readonly LoomEvent[]
  readonly blob: (hash: string) => Uint8Array | undefined
  /** Whether inputs are given as soon as everything before them has happened. */
  readonly isEager: boolean
}

/** The journal of a driver. After the end of the replay no operation returns. */
export function replayJournal(epoch: EpochReplay, { eventsOf, blob, isEager }: RecordedPast): Journal {
  const own = epoch.thread
  const living = async <T>(work: () => T): Promise<T> => {
    if (epoch.ended) return never
    epoch.progress += 1
    return work()
  }
  const eventsIn = (thread: string): readonly LoomEvent[] =>
    thread === own ? [...eventsOf(own).slice(0, epoch.start.seq), ...epoch.added] : eventsOf(thread)
  return {
    ...memoryJournal(),
    acquire: () => never,
    release: () => living(() => undefined),
    leaseValid: () => !epoch.ended,
    append: (thread, batch) =>
      thread !== own
        ? never
        : (living(() => {
            const { seq } = epoch.frame
            if (batch.expected !== seq || giveBefore(epoch, lastLine(epoch, batch))) return { kind: 'conflict', seq: epoch.frame.seq }
            if (!observe(epoch, batch)) return never
            if (isEager) giveNext(epoch)
            return { kind: 'appended', seq: batch.expected + batch.events.length }
          }) as ReturnType<Journal['append']>),
    head: (thread) =>
      living(() => {
        const events = eventsIn(thread)
        const { incarnation } = thread === own ? epoch.frame : { incarnation: thread }
        return events.length === 0
          ? undefined
          : { thread, incarnation, seq: events.length, epoch: epoch.acquired.data.epoch, summary: { status: 'running' } }
      }),
    read: (thread, { from = 1 } = {}) =>
      living(() => (thread === own && from > epoch.start.seq ? epoch.added.slice(from - epoch.start.seq - 1) : eventsIn(thread).slice(from - 1))),
    blob: (hash) => living(() => blob(hash)),
    watch(thread, hint) {
      const watching = epoch.watchers.get(thread) ?? new Set()
      epoch.watchers.set(thread, watching.add(hint))
      return () => watching.delete(hint)
    },
  }
}

const placed = (thread: string, { expected, time, run, turn, events }: Batch): readonly LoomEvent[] =>
  place({ thread, seq: expected + 1, time, run, turn }, events)

/** Compares what will be stored; false when the replay has left the record. */
function observe(epoch: EpochReplay, batch: Batch): boolean {
  try {
    for (const event of placed(epoch.thread, batch)) follow(epoch, event)
    return true
  } catch (error) {
    fail(epoch, error)
    return false
  }
}

/** Gives the inputs that are next. */
function giveNext(epoch: EpochReplay): void {
  while (epoch.lines[epoch.next]?.kind === 'given') if (!give(epoch, epoch.next)) return
}

/** The last line that the events of a batch would take; -1 when there is none. */
function lastLine(epoch: EpochReplay, batch: Batch): number {
  if (findLine(epoch, ({ kind }) => kind === 'given') === undefined) return -1
  const passed = new Set<number>()
  let { frame } = epoch
  let last = -1
  for (const event of placed(epoch.thread, batch)) {
    const index = isPassedOver(frame, event) ? undefined : lineFor(epoch, event, { track: trackOf(frame, event), passed })
    if (index !== undefined) passed.add(index)
    last = Math.max(last, index ?? -1)
    frame = evolve(frame, event)
  }
  return last
}
