/**
 * Checks that what an import reads can be a thread. The hashes of lines prove that nothing was changed by accident, not that Loom wrote them.
 *
 * IMPORT-1. A summary has the types that it must have, and does not contradict the event that started its thread.
 * IMPORT-2. No thread is its own parent, directly or over others.
 */
import type { Journal, LoomEvent, Summary } from '@loom-agent/kernel'
import { oneOf, statuses } from '../storage/options.ts'
import { broken, type ImportPart, type Reading } from './import-parts.ts'
import { cycleOf } from './parents.ts'

type ThreadPart = Extract<ImportPart, { kind: 'thread' }>

/** The parts as they come; throws at the first that cannot be one of a thread. */
export async function* checkedParts(journal: Journal, parts: AsyncIterable<ImportPart>, reading: Reading): AsyncGenerator<ImportPart, void> {
  const parents = new Map<string, string | undefined>()
  let current: ThreadPart | undefined
  let first: LoomEvent | undefined
  for await (const part of parts) {
    const problem = part.kind === 'thread' ? problemOfThread(part) : undefined
    if (problem !== undefined) throw broken(reading, problem)
    if (part.kind === 'thread') {
      current = part
      first = undefined
    } else if (part.kind === 'events') {
      if (current && !first) checkStart(reading, current, part.events[0])
      first ??= part.events[0]
    } else if (current) {
      checkSummary(reading, { thread: current.thread, first, summary: part.summary })
      parents.set(current.thread, part.summary.parent)
      const cycle = await cycleOf(journal, current.thread, parents)
      if (cycle) throw broken(reading, `${current.thread} would be its own parent (${cycle.join(' of ')})`)
    }
    yield part
  }
}

/** Whether a text can name a thread, as agents name theirs. */
const isName = (thread: string): boolean => thread.length > 0 && thread.length <= 200 && !/[#@\p{Cc}\p{Cs}]/u.test(thread) && thread.trim() === thread

function problemOfThread({ thread, forkOf }: ThreadPart): string | undefined {
  const wrong = [thread, ...(forkOf ? [forkOf.thread] : [])].find((name) => !isName(name))
  return wrong === undefined ? undefined : `${JSON.stringify(wrong.slice(0, 80))} cannot be the id of a thread`
}

function checkStart(reading: Reading, { thread, incarnation }: ThreadPart, first: LoomEvent | undefined): void {
  const started = first?.type === 'thread.started' || first?.type === 'thread.forked' ? first.data.incarnation : undefined
  if (started === undefined || started === incarnation) return
  throw broken(reading, `${thread} was started with the incarnation ${started}, and its header has ${incarnation}`)
}

interface Summarized {
  readonly thread: string
  readonly first: LoomEvent | undefined
  readonly summary: Summary
}

function checkSummary(reading: Reading, { thread, first, summary }: Summarized): void {
  const wrong = Object.entries(fields).find(([name, fits]) => !fits(summary[name as keyof Summary]))
  if (wrong) throw broken(reading, `the ${wrong[0]} in the summary of ${thread} is not one`)
  const parent = first?.type === 'thread.started' ? first.data.parent?.thread : summary.parent
  if (parent === summary.parent) return
  const [named, started] = [summary.parent, parent].map((name) => (name === undefined ? 'no parent' : `the parent ${name}`))
  throw broken(reading, `the summary of ${thread} has ${named}, and the thread was started with ${started}`)
}

const isAbsentOr =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || fits(value)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const fields: Readonly<Record<keyof Summary, (value: unknown) => boolean>> = {
  status: oneOf(...statuses).fits,
  agent: isAbsentOr((value) => typeof value === 'string'),
  parent: isAbsentOr((value) => typeof value === 'string' && isName(value)),
  wakeAt: isAbsentOr(Number.isFinite),
  labels: isAbsentOr(isObject),
}
