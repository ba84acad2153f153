/** The program behind the readers of `feedRace`: reads the feed from a cursor on, and reports each entry. */
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isLoomError } from '@loom-agent/kernel'
import type { FeedReaderJob } from './feed-race.ts'
import type { SeenEntry } from './judge-feed.ts'
import { openJournal } from './place.ts'

const job = JSON.parse(process.argv[2] ?? '') as FeedReaderJob
/** How often the end is reached in a row before there is no more to come, and the milliseconds between. */
const [ends, interval] = [4, 50]

async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLoomError(error) || error.retry !== 'later') throw error
      await pause(20)
    }
  }
}

function report(entries: readonly SeenEntry[]): void {
  const lines = entries.map(({ position, kind, thread, incarnation, seq }) => JSON.stringify({ position, kind, thread, incarnation, seq }))
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent)
}

const journal = await retry(() => openJournal(job.place))
let { from } = job
const known = new Set<string>()
for (let ended = 0; !job.isLast || ended < ends; ) {
  const page = await retry(() => journal.feed({ limit: job.limit, ...(from !== undefined && { from }) }))
  report(page.entries)
  from = page.cursor
  // A feed that repeats its last entry for ever has an end all the same: the judge sees what was repeated.
  const isNew = page.entries.some(({ position }) => !known.has(position))
  for (const { position } of page.entries) known.add(position)
  ended = page.isEnd && !isNew ? ended + 1 : 0
  if (page.isEnd) await pause(interval)
}
await journal.close()
