/** The journal as a replayed driver sees it: its thread alone, and what it appends is compared with the record. */
import { setImmediate as nextRound } from 'node:timers/promises'
import { memoryJournal } from '@loom-agent/agent'
import { type AppendResult, type Batch, evolve, type Journal, type LoomEvent, place } from '@loom-agent/kernel'
import { type EpochReplay, fail, findLine, follow, isMade, lineFor, never } from './epoch-replay.ts'
import { give, giveBefore } from './given-line.ts'
import { isPassedOver, trackOf } from './script.ts'

/** What the journal of a replay reads besides the thread that is driven. */
export interface RecordedPast {
  /** The events of a thread that is in the fixture. */
  readonly eventsOf: (thread: string) => readonly LoomEvent[]
  readonly blob: (hash: string) => Uint8Array | undefined
}

/** The journal of a driver. After the end of the replay no operation returns. */
export function replayJournal(epoch: EpochReplay, { eventsOf, blob }: RecordedPast): Journal {
  const own = epoch.thread
  const living = async <T>(work: () => T | Promise<T>): Promise<T> => {
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
        : living<AppendResult>(async () => {
            const lines = linesOf(epoch, batch)
            await untilDue(epoch, lines)
            await giveEarlier(epoch, lines)
            if (epoch.ended) return never
            if (batch.expected !== epoch.frame.seq) return { kind: 'conflict', seq: epoch.frame.seq }
            if (!observe(epoch, batch)) return never
            if (epoch.news === 'hint') giveNext(epoch)
            return { kind: 'appended', seq: batch.expected + batch.events.length }
          }),
    head: (thread) =>
      living(() => {
        const events = eventsIn(thread)
        if (events.length === 0) return undefined
        const { incarnation } = thread === own ? epoch.frame : { incarnation: thread }
        const { data, time } = epoch.acquired
        const times = { now: time, began: 0, changed: 0 }
        return { thread, incarnation, seq: events.length, epoch: data.epoch, summary: { status: 'running' }, times }
      }),
    read: (thread, { from = 1 } = {}) =>
      living(() => (thread === own && from > epoch.start.seq ? epoch.added.slice(from - epoch.start.seq - 1) : eventsIn(thread).slice(from - 1))),
    blob: (hash) => living(() => blob(hash)),
    watch(thread, hint) {
      const watching = epoch.watchers.get(thread) ?? new Set()
      epoch.watchers.set(thread, watching.add(hint))
      // A child whose end the record has is being moved on: its parent stays with this driver until then.
      if (thread !== own && endsHere(epoch, thread)) queueMicrotask(() => (watching.has(hint) ? hint(1) : undefined))
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

/** Rounds of the event loop for which an append lasts where something else has to happen meanwhile. */
const slowRounds = 20

/** Waits while what was recorded before the next input is on its way: the input would come too early. */
async function untilDue(epoch: EpochReplay, lines: readonly number[]): Promise<void> {
  const given = findLine(epoch, ({ kind }) => kind === 'given', Math.max(-1, ...lines))
  if (given === undefined) return
  const isMissing = (): boolean => findLine(epoch, (line, index) => isMade(line) && !lines.includes(index), given) !== undefined
  for (let round = 0; round < slowRounds && isMissing(); round += 1) await nextRound()
}

/** Gives the inputs that came before a batch. */
async function giveEarlier(epoch: EpochReplay, lines: readonly number[]): Promise<void> {
  const end = Math.max(-1, ...lines)
  if (epoch.news === 'late conflict' && findLine(epoch, ({ kind }) => kind === 'given', end) !== undefined) {
    for (let round = 0; round < slowRounds; round += 1) await nextRound()
  }
  if (epoch.ended) return
  // A batch that was not recorded as it is has met an input: the one before what was recorded of it, or any that is left.
  const recorded = Math.max(-1, ...lines.filter((index) => index < epoch.lines.length))
  if (!giveBefore(epoch, recorded)) giveBefore(epoch, end)
}

const endsHere = (epoch: EpochReplay, child: string): boolean =>
  findLine(epoch, ({ event }) => event.type === 'child.finished' && event.data.child === child) !== undefined

/** Gives the inputs that are next. */
function giveNext(epoch: EpochReplay): void {
  while (epoch.lines[epoch.next]?.kind === 'given') if (!give(epoch, epoch.next)) return
}

/** The lines that the events of a batch would take; none where no input is left, because then the order does not matter. */
function linesOf(epoch: EpochReplay, batch: Batch): readonly number[] {
  if (findLine(epoch, ({ kind }) => kind === 'given') === undefined) return []
  const passed = new Set<number>()
  let { frame } = epoch
  return placed(epoch.thread, batch).map((event) => {
    const index = isPassedOver(frame, event) ? -1 : lineFor(epoch, event, { track: trackOf(frame, event), passed })
    if (index !== undefined) passed.add(index)
    frame = evolve(frame, event)
    // Before it does what was not recorded, a driver that was not lost has read all inputs.
    return index ?? (epoch.isOpen ? -1 : epoch.lines.length)
  })
}
