/** The journal as a replayed process sees it: what it appends is compared with the record before it is stored. */
import { type Batch, evolve, type Journal, type LoomEvent, place } from '@loom-agent/kernel'
import { wrapJournal } from '../double/wrap-journal.ts'
import { give } from './given-line.ts'
import { fail, never, type Replay } from './replay.ts'
import { isFirst, isStopOfChild } from './replay-scheduler.ts'
import { isPassedOver, type Line, trackOf } from './script.ts'
import { findLine, follow, lineFor, type ThreadReplay } from './thread-replay.ts'

/** A process of the replay: after its end no operation returns. */
export interface ReplayProcess {
  alive: boolean
}

/** The journal of a process. `start` starts the run of a line. */
export function replayJournal(replay: Replay, process: ReplayProcess, start: (line: Line) => void): Journal {
  const { journal, held } = replay
  const isOver = (): boolean => replay.ended || !process.alive
  const living = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isOver()) return never
    replay.progress += 1
    const value = await work()
    return isOver() ? never : value
  }
  return {
    ...wrapJournal(journal, living),
    acquire: (thread, claim) =>
      living(async () => {
        const threadReplay = replay.threads.get(thread)
        if (threadReplay) await appendInputsBefore(replay, threadReplay, { last: nextTaking(threadReplay), start })
        if (isOver()) return never
        const taken = await journal.acquire(thread, claim)
        if (taken.kind === 'acquired') held.set(thread, { epoch: taken.epoch, incarnation: claim.incarnation })
        return taken
      }),
    release: (thread, lease) =>
      living(async () => {
        if (held.get(thread)?.epoch === lease.epoch) held.delete(thread)
        return journal.release(thread, lease)
      }),
    append: (thread, batch) =>
      living(async () => {
        const threadReplay = replay.threads.get(thread)
        const done = threadReplay ? await doneOf(replay, threadReplay, { batch, start }) : batch
        if (done === 'too early') return { kind: 'conflict', seq: threadReplay?.frame.seq ?? 0 }
        if (isOver() || done.events.length === 0 || !observe(replay, thread, done)) return never
        const result = await journal.append(thread, done)
        if (threadReplay) giveAtOnce(replay, threadReplay)
        return done === batch ? result : never
      }),
    async blob(hash) {
      const base64 = replay.fixture.blobs?.[hash]
      return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
    },
    watch: (thread, hint) =>
      journal.watch(thread, (seq) => {
        if (!isOver()) hint(seq)
      }),
  }
}

const placed = (thread: string, { expected, time, run, turn, events }: Batch): readonly LoomEvent[] =>
  place({ thread, seq: expected + 1, time, run, turn }, events)

/** Compares what will be stored; false when the replay has left the record. A batch that comes too late is not stored and not compared. */
function observe(replay: Replay, thread: string, batch: Batch): boolean {
  const threadReplay = replay.threads.get(thread)
  if (threadReplay && batch.expected !== threadReplay.frame.seq) return true
  const events = placed(thread, batch)
  try {
    if (threadReplay) for (const event of events) follow(threadReplay, event, replay.redact)
  } catch (error) {
    fail(replay, error)
    return false
  }
  for (const event of events) {
    if (event.type === 'model.requested') replay.asking.push(thread)
    const child = event.type === 'child.started' ? replay.threads.get(event.data.child) : undefined
    if (child) child.started = true
  }
  return true
}

/** Appends inputs that came when a durable body had just been entered again: it would be left before the scheduler looks. */
function giveAtOnce(replay: Replay, threadReplay: ThreadReplay): void {
  const before = threadReplay.lines[threadReplay.next - 1]
  if (before?.kind !== 'aside' || before.event.type !== 'tool.started') return
  while (threadReplay.lines[threadReplay.next]?.kind === 'given' && isFirst(replay, threadReplay, (other) => !isStopOfChild(other))) {
    if (!give(replay, threadReplay, threadReplay.next)) return
  }
}

interface Writing {
  readonly batch: Batch
  readonly start: (line: Line) => void
}

/** How often a writer must try again whose batch belongs after the end of its process, while that has not come. */
const repeats = 100

/**
 * What of a batch its process has done: all of it, unless the process was lost before. Inputs that came before are appended first.
 *
 * What a lost process did is stored when the rest of it is there; until then the writer tries again, because others wait behind it.
 */
async function doneOf(replay: Replay, threadReplay: ThreadReplay, { batch, start }: Writing): Promise<Batch | 'too early'> {
  const lines = linesOf(threadReplay, batch)
  // After its last recorded event the agent has read all inputs.
  const isAfterAll = findLine(threadReplay, ({ kind }) => kind === 'made') === undefined
  const last = isAfterAll ? threadReplay.lines.length : Math.max(-1, ...lines.filter((index) => index !== undefined))
  const isLate = batch.epoch !== undefined && (await appendInputsBefore(replay, threadReplay, { last, start }))
  if (isLate || batch.expected !== threadReplay.frame.seq) return batch
  const lost = findLine(threadReplay, ({ kind }) => kind === 'lost', last) ?? Number.POSITIVE_INFINITY
  const isBeyond = (index: number | undefined): boolean => index !== undefined && (index > lost || (threadReplay.lines[index]?.era ?? 0) > replay.era)
  if (!lines.some(isBeyond)) return batch
  const done = { ...batch, events: batch.events.filter((_event, at) => !isBeyond(lines[at])) }
  const isWhole = findLine(threadReplay, ({ kind }, index) => kind === 'made' && !lines.includes(index), Math.min(lost, last)) === undefined
  threadReplay.early += 1
  if (isWhole || threadReplay.early > repeats) return done
  await new Promise((resolve) => setImmediate(resolve))
  return 'too early'
}

interface InputRange {
  /** The line up to which inputs are appended. */
  readonly last: number
  readonly start: (line: Line) => void
}

/** Appends inputs that came before what is about to be written: the batch then conflicts, and its writer reads again. */
async function appendInputsBefore(replay: Replay, threadReplay: ThreadReplay, { last, start }: InputRange): Promise<boolean> {
  const passed = new Set<number>()
  let appended = false
  for (;;) {
    const index = findLine(threadReplay, ({ kind }, at) => (kind === 'given' || kind === 'start') && !passed.has(at), last)
    if (index === undefined || replay.ended) return appended
    passed.add(index)
    const line = threadReplay.lines[index] as Line
    if (line.kind === 'given') appended = give(replay, threadReplay, index) || appended
    else {
      appended = true
      start(line)
      while (!threadReplay.taken.has(index) && !replay.ended) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** A driver that acquired the thread had read the inputs since the agent's last event. */
function nextTaking({ takings, lines, next }: ThreadReplay): number {
  const taking = takings.find((index) => index >= next) ?? next
  return lines.slice(next, taking).some(({ kind }) => kind === 'made' || kind === 'aside') ? next : taking
}

/** The line that each event of a batch would take. */
function linesOf(threadReplay: ThreadReplay, batch: Batch): readonly (number | undefined)[] {
  const passed = new Set<number>()
  let { frame } = threadReplay
  return placed(threadReplay.thread, batch).map((event) => {
    const index = isPassedOver(frame, event) ? undefined : lineFor(threadReplay, event, { track: trackOf(frame, event), passed })
    if (index !== undefined) passed.add(index)
    frame = evolve(frame, event)
    return index
  })
}
