/**
 * Checks that what an import reads can be threads. The hashes of lines prove that nothing was changed by accident, not that Loom wrote them.
 *
 * IMPORT-1. The summary of a thread of an agent follows from its events; of the lines it takes only that a copy is not whole, which allows less. The summary
 *           in the lines has the types that it must have, and does not contradict the event that started the thread.
 * IMPORT-2. No thread is its own parent, directly or over others, and none is a fork of itself or of one that comes after it.
 */
import { emptyFrame, evolve, type Frame, type Journal, type LoomEvent, readEvents, type Summary, summarize } from '@loom-agent/kernel'
import { oneOf, statuses } from '../storage/options.ts'
import { amount, maybe, name, object, threadName, word } from './event-fields.ts'
import { asPartial } from './export.ts'
import { historyProblem, placeProblem } from './import-history.ts'
import { broken, type ImportPart, type PartOf, type Reading } from './import-parts.ts'
import type { Spool } from './import-spool.ts'
import { parentOf } from './lineage.ts'
import { cycleOf } from './parents.ts'

/** The moments of each thread at which others in the same lines were cut. */
export type Cuts = Map<string, Set<number>>

/** How many threads one import may have. */
const mostThreads = 10_000

/** The parts as they come, with their lines; throws at the first that names no thread, or a thread for the second time. Notes the cuts of forks. */
export async function* namedParts(parts: AsyncIterable<ImportPart>, reading: Reading, cuts: Cuts): AsyncGenerator<ImportPart, void> {
  const threads = new Set<string>()
  let isExported = false
  for await (const part of parts) {
    if (part.kind === 'thread') {
      const problem = isExported ? 'it continues after the exported thread' : problemOfThread(part, threads)
      if (problem !== undefined) throw broken(reading, problem)
      threads.add(part.thread)
      isExported = !part.isNeeded
      const { forkOf } = part
      if (forkOf) cuts.set(forkOf.thread, (cuts.get(forkOf.thread) ?? new Set()).add(forkOf.seq))
    }
    yield { ...part, line: reading.line }
  }
  if (!isExported) throw broken(reading, 'the exported thread is missing')
}

function problemOfThread({ thread, forkOf }: PartOf<'thread'>, threads: ReadonlySet<string>): string | undefined {
  const wrong = [thread, ...(forkOf ? [forkOf.thread] : [])].find((id) => !threadName(id))
  if (wrong !== undefined) return `${JSON.stringify(wrong.slice(0, 80))} cannot be the id of a thread`
  if (threads.has(thread)) return `the thread ${thread} is there twice`
  if (forkOf?.thread === thread) return `the thread ${thread} would be a fork of itself`
  return threads.size >= mostThreads ? `it has more than ${mostThreads} threads` : undefined
}

/** A thread that is folded. */
interface Folding {
  readonly part: PartOf<'thread'>
  frame: Frame
  /** Whether an agent started it: other threads have a row that follows from nothing. */
  isOfAgent: boolean
  /** Its first own event. */
  first: LoomEvent | undefined
  /** A fork that had no driver yet. */
  isEdited: boolean
}

/** Folds all threads, and returns the summary of each; throws at the first event that cannot be where it is. */
export async function foldParts(journal: Journal, spool: Spool, cuts: Cuts): Promise<ReadonlyMap<string, Summary>> {
  const summaries = new Map<string, Summary>()
  const parents = new Map<string, string | undefined>()
  const moments = new Map<string, Frame>()
  let folding: Folding | undefined
  for await (const part of spool.parts()) {
    const reading = { line: part.line ?? 0 }
    if (part.kind === 'thread') folding = await startFolding(journal, part, moments)
    else if (folding && part.kind === 'events') foldEvents(reading, folding, { events: part.events, keep: keeping(folding.part, cuts, moments) })
    else if (folding && part.kind === 'whole') {
      const { thread } = folding.part
      const summary = summaryOf(reading, folding, part)
      summaries.set(thread, { ...summary, quarantined: true })
      parents.set(thread, summary.parent)
      const cycle = await cycleOf(journal, thread, parents)
      if (cycle) throw broken(reading, `${thread} would be its own parent (${cycle.join(' of ')})`)
    }
  }
  return summaries
}

/** Keeps the frames of a thread at which others were cut. */
function keeping({ thread, incarnation }: PartOf<'thread'>, cuts: Cuts, moments: Map<string, Frame>): (frame: Frame) => void {
  const wanted = cuts.get(thread)
  return (frame) => {
    if (wanted?.has(frame.seq)) moments.set(momentOf({ thread, incarnation, seq: frame.seq }), frame)
  }
}

const momentOf = ({ thread, incarnation, seq }: { thread: string; incarnation: string; seq: number }): string =>
  JSON.stringify([thread, incarnation, seq])

async function startFolding(journal: Journal, part: PartOf<'thread'>, moments: ReadonlyMap<string, Frame>): Promise<Folding> {
  const { thread, forkOf } = part
  let frame = forkOf ? moments.get(momentOf(forkOf)) : emptyFrame(thread)
  if (!frame && forkOf) {
    await parentOf(journal, thread, forkOf)
    frame = emptyFrame(thread)
    for await (const event of readEvents(journal, forkOf.thread, { incarnation: forkOf.incarnation })) {
      if (event.seq > forkOf.seq) break
      frame = evolve(frame, event)
    }
  }
  const start: Frame = { ...(frame ?? emptyFrame(thread)), thread }
  return { part, frame: start, isOfAgent: forkOf !== undefined && start.agent !== undefined, first: undefined, isEdited: forkOf !== undefined }
}

function foldEvents(reading: Reading, folding: Folding, { events, keep }: { events: readonly LoomEvent[]; keep: (frame: Frame) => void }): void {
  for (const event of events) {
    const refuse = (problem: string | undefined): void => {
      if (problem !== undefined) throw broken(reading, `the event ${event.seq} (${event.type}) cannot be there: ${problem}`)
    }
    if (!folding.first) start(reading, folding, event)
    else if (event.type === 'thread.forked') refuse('only a fork begins with it')
    folding.first ??= event
    refuse(folding.isOfAgent || ofNobody.has(event.type) ? historyProblem(folding, event) : 'no agent has started the thread')
    if (event.type === 'driver.acquired') folding.isEdited = false
    folding.frame = evolve(folding.frame, event)
    refuse(placeProblem(folding.frame, event))
    keep(folding.frame)
  }
}

/** What a thread has that no agent has started: facts that mean nothing to an agent. */
const ofNobody: ReadonlySet<LoomEvent['type']> = new Set(['memory.recorded', 'labels.changed', 'driver.acquired'])

/** Looks at the event that a thread or a fork begins with. */
function start(reading: Reading, folding: Folding, first: LoomEvent): void {
  const { thread, incarnation, forkOf } = folding.part
  if (forkOf && folding.isOfAgent) {
    const isFork = first.type === 'thread.forked' && first.data.from === `${forkOf.thread}@${forkOf.seq}`
    if (!isFork) throw broken(reading, `${thread} does not begin as a fork of ${forkOf.thread}@${forkOf.seq}`)
  } else if (first.type === 'thread.forked') throw broken(reading, `${thread} begins as a fork, and its header has no cut`)
  folding.isOfAgent ||= first.type === 'thread.started'
  const started = first.type === 'thread.started' || first.type === 'thread.forked' ? first.data.incarnation : undefined
  if (started !== undefined && started !== incarnation)
    throw broken(reading, `${thread} was started with the incarnation ${started}, and its header has ${incarnation}`)
}

/** The summary that a thread gets (IMPORT-1). */
function summaryOf(reading: Reading, { part, frame, isOfAgent, first }: Folding, { epoch, summary }: PartOf<'whole'>): Summary {
  const { thread, isNeeded } = part
  if (epoch < frame.epoch) throw broken(reading, `the epoch of ${thread} is ${epoch}, and a driver has recorded the epoch ${frame.epoch}`)
  checkSummary(reading, { thread, first, summary })
  if (!isOfAgent) return isNeeded && summary.status === 'idle' ? asPartial(summary) : summary
  const folded = summarize(frame)
  // Exports of older versions call a past idle that is not whole.
  const isPartial = summary.status === 'partial' || (isNeeded && summary.status === 'idle' && folded.status !== 'idle')
  return isPartial ? asPartial(folded) : folded
}

interface Summarized {
  readonly thread: string
  readonly first: LoomEvent | undefined
  readonly summary: Summary
}

function checkSummary(reading: Reading, { thread, first, summary }: Summarized): void {
  const wrong = Object.entries(fields).find(([field, fits]) => !fits(summary[field as keyof Summary]))
  if (wrong) throw broken(reading, `the ${wrong[0]} in the summary of ${thread} is not one`)
  const parent = first?.type === 'thread.started' ? first.data.parent?.thread : summary.parent
  if (parent === summary.parent) return
  const [named, started] = [summary.parent, parent].map((id) => (id === undefined ? 'no parent' : `the parent ${id}`))
  throw broken(reading, `the summary of ${thread} has ${named}, and the thread was started with ${started}`)
}

const fields: Readonly<Record<keyof Summary, (value: unknown) => boolean>> = {
  status: oneOf(...statuses).fits,
  agent: maybe(name),
  parent: maybe(threadName),
  wakeAt: maybe(amount),
  labels: maybe(object),
  quarantined: maybe(word(true)),
}
