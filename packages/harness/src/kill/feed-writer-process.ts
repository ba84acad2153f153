/** The program behind the writers of `feedRace`: appends to threads that all writers share, and reports each attempt before it and after it. */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Head, isLoomError, type Journal } from '@loom-agent/kernel'
import { randomOf } from '@loom-agent/testing/crash'
import type { FeedLine, FeedWriterJob } from './feed-race.ts'
import { openJournal } from './place.ts'

const job = JSON.parse(process.argv[2] ?? '') as FeedWriterJob
const random = randomOf(job.seed)
let left = job.appends
let ids = 0

/** A line is in the pipe before anything else happens: a kill cannot take it back. */
function report(line: FeedLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent)
}

const isAway = (error: unknown): boolean => isLoomError(error) && error.retry === 'later'

/** Tries until the journal replies. The second value says whether an attempt before has ended without a reply. */
async function persist<T>(work: () => Promise<T>): Promise<[result: T, isRepeated: boolean]> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return [await work(), isRepeated]
    } catch (error) {
      if (!isAway(error)) throw error
      await pause(20)
    }
  }
}

async function append(journal: Journal, thread: string, head: Head | undefined): Promise<void> {
  const isThere = head !== undefined && head.seq > 0
  const expected = isThere ? head.seq : 0
  const incarnation = isThere ? head.incarnation : randomUUID()
  const events = Array.from({ length: random() < 0.2 ? 3 : 1 }, (_, index) => ({
    type: 'memory.recorded' as const,
    data: { key: `w${job.writer}`, value: index },
  }))
  const id = ++ids
  const batch = { id: randomUUID(), incarnation, expected, time: Date.now(), events, summary: { status: 'idle' as const } }
  report({ id, kind: 'changed', thread, incarnation, seq: expected + events.length })
  const [result, isRepeated] = await persist(() => journal.append(thread, batch))
  if (result.kind === 'appended') {
    left -= 1
    report({ id, outcome: 'acknowledged' })
  } else if (!isRepeated) report({ id, outcome: 'refused' })
}

async function remove(journal: Journal, thread: string, { incarnation, seq }: Head): Promise<void> {
  const id = ++ids
  report({ id, kind: 'removed', thread, incarnation, seq })
  const [result, isRepeated] = await persist(() => journal.remove(thread, { expected: { incarnation, seq } }))
  // Where an attempt before has ended without a reply, the thread may be gone because of it.
  if (result === 'removed' && !isRepeated) report({ id, outcome: 'acknowledged' })
  else if (!isRepeated) report({ id, outcome: 'refused' })
}

async function write(journal: Journal): Promise<void> {
  while (left > 0) {
    const thread = `t${Math.floor(random() * job.threads)}`
    const [head] = await persist(() => journal.head(thread))
    if (head && head.seq > 0 && random() < job.removals) await remove(journal, thread, head)
    else await append(journal, thread, head)
  }
}

const [journal] = await persist(() => openJournal(job.place))
await Promise.all(Array.from({ length: job.together }, () => write(journal)))
await journal.close()
