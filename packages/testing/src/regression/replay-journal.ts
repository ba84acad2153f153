/** The journal as a replayed process sees it: what it appends is compared with the record before anybody hears of it. */
import { type Batch, evolve, type Journal, type LoomEvent, place } from '@loom-agent/kernel'
import { give } from './given-line.ts'
import { fail, never, type Replay } from './replay.ts'
import { isPassedOver, type Line, laneOf } from './script.ts'
import { findLine, follow, lineFor, type Strand } from './strand.ts'

/** A process of the replay: from its end on nothing answers it. */
export interface ReplayProcess {
  alive: boolean
}

/** The journal of a process. `start` starts the run of a line. */
export function replayJournal(replay: Replay, process: ReplayProcess, start: (line: Line) => void): Journal {
  const { journal, held } = replay
  const isOver = (): boolean => replay.ended || !process.alive
  const living = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isOver()) return never
    replay.beats += 1
    const value = await work()
    return isOver() ? never : value
  }
  return {
    ...journal,
    acquire: (thread, claim) =>
      living(async () => {
        const strand = replay.strands.get(thread)
        if (strand) await hearOthers(replay, strand, { last: nextTaking(strand), start })
        if (isOver()) return never
        const taken = await journal.acquire(thread, claim)
        if (taken.kind === 'acquired') held.set(thread, taken.epoch)
        return taken
      }),
    release: (thread, epoch) =>
      living(async () => {
        if (held.get(thread) === epoch) held.delete(thread)
        return journal.release(thread, epoch)
      }),
    append: (thread, batch) =>
      living(async () => {
        const strand = replay.strands.get(thread)
        const done = strand ? await heardBefore(replay, strand, { batch, start }) : batch
        if (done === 'too early') return { kind: 'conflict', seq: strand?.frame.seq ?? 0 }
        if (isOver() || done.events.length === 0 || !observe(replay, thread, done)) return never
        const result = await journal.append(thread, done)
        return done === batch ? result : never
      }),
    head: (thread) => living(() => journal.head(thread)),
    read: (thread, range) => living(() => journal.read(thread, range)),
    threads: (query) => living(() => journal.threads(query)),
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

/** Compares what will be stored; false when the replay has left the record. A batch that comes too late is not stored, and says nothing. */
function observe(replay: Replay, thread: string, batch: Batch): boolean {
  const strand = replay.strands.get(thread)
  if (strand && batch.expected !== strand.frame.seq) return true
  const events = placed(thread, batch)
  try {
    if (strand) for (const event of events) follow(strand, event, replay.redact)
  } catch (error) {
    fail(replay, error)
    return false
  }
  for (const event of events) {
    if (event.type === 'model.requested') replay.asking.push(thread)
    const child = event.type === 'child.started' ? replay.strands.get(event.data.child) : undefined
    if (child) child.begun = true
  }
  return true
}

interface Writing {
  readonly batch: Batch
  readonly start: (line: Line) => void
}

/** How often the writer of what came after the end of its process is told to look again, while the process has not come to its end. */
const repeats = 100

/**
 * What of a batch its process has done: all of it, unless the process was lost before. Whoever spoke before is heard first.
 *
 * What a lost process did is stored when the rest of it is there; until then the writer is told to look again, because others wait behind it.
 */
async function heardBefore(replay: Replay, strand: Strand, { batch, start }: Writing): Promise<Batch | 'too early'> {
  const lines = linesOf(strand, batch)
  // What the agent does after all that it did, it does after all that others said.
  const isAfterAll = findLine(strand, ({ kind }) => kind === 'made') === undefined
  const last = isAfterAll ? strand.lines.length : Math.max(-1, ...lines.filter((index) => index !== undefined))
  const isLate = batch.epoch !== undefined && (await hearOthers(replay, strand, { last, start }))
  if (isLate || batch.expected !== strand.frame.seq) return batch
  const lost = findLine(strand, ({ kind }) => kind === 'lost', last) ?? Number.POSITIVE_INFINITY
  const isBeyond = (index: number | undefined): boolean => index !== undefined && (index > lost || (strand.lines[index]?.era ?? 0) > replay.era)
  if (!lines.some(isBeyond)) return batch
  const done = { ...batch, events: batch.events.filter((_event, at) => !isBeyond(lines[at])) }
  const isWhole = findLine(strand, ({ kind }, index) => kind === 'made' && !lines.includes(index), Math.min(lost, last)) === undefined
  strand.early += 1
  if (isWhole || strand.early > repeats) return done
  await new Promise((resolve) => setImmediate(resolve))
  return 'too early'
}

interface Hearing {
  /** The line up to which others are heard. */
  readonly last: number
  readonly start: (line: Line) => void
}

/** Where somebody else spoke before what is about to be written, he speaks now: the batch is then too late, and its writer looks again. */
async function hearOthers(replay: Replay, strand: Strand, { last, start }: Hearing): Promise<boolean> {
  const passed = new Set<number>()
  let heard = false
  for (;;) {
    const index = findLine(strand, ({ kind }, at) => (kind === 'given' || kind === 'start') && !passed.has(at), last)
    if (index === undefined || replay.ended) return heard
    passed.add(index)
    const line = strand.lines[index] as Line
    if (line.kind === 'given') heard = give(replay, strand, index) || heard
    else {
      heard = true
      start(line)
      while (!strand.taken.has(index) && !replay.ended) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Whoever took the thread had heard what was said to it since the agent last spoke. */
function nextTaking({ takings, lines, next }: Strand): number {
  const taking = takings.find((index) => index >= next) ?? next
  return lines.slice(next, taking).some(({ kind }) => kind === 'made' || kind === 'aside') ? next : taking
}

/** The line that each event of a batch would take. */
function linesOf(strand: Strand, batch: Batch): readonly (number | undefined)[] {
  const passed = new Set<number>()
  let { frame } = strand
  return placed(strand.thread, batch).map((event) => {
    const index = isPassedOver(frame, event) ? undefined : lineFor(strand, event, { lane: laneOf(frame, event), passed })
    if (index !== undefined) passed.add(index)
    frame = evolve(frame, event)
    return index
  })
}
