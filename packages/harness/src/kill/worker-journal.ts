/** The journal of a worker: it reports its appends, and may have faults planted in it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AppendResult, Batch, Draft, Journal, LoomEvent } from '@loom-agent/kernel'
import type { PlantedFault, WorkerJob } from './job.ts'
import { openJournal } from './place.ts'
import type { Reporter } from './reporter.ts'

/** The journal of a worker. */
export async function workerJournal(job: WorkerJob, reporter: Reporter): Promise<Journal> {
  const opened = await openJournal(job.place, () => reporter.write({ kind: 'torn' }))
  return reported(job.faults?.includes('acknowledges-early') ? acknowledgingEarly(opened) : opened, reporter, job)
}

function reported(journal: Journal, reporter: Reporter, { faults = [], delays = {}, yields = false }: WorkerJob): Journal {
  let isFirst = true
  return {
    ...journal,
    async acquire(thread, claim) {
      if (yields) await untilTaken(journal, thread, claim.seen)
      return journal.acquire(thread, claim)
    },
    async append(thread, batch) {
      reporter.enter('append')
      if (isFirst) {
        reporter.enter('started')
        reporter.leave('opening')
      }
      isFirst = false
      if (faults.includes('notifies-early')) notifyEarly(reporter, batch)
      if (delays.append && batch.events.some(({ type }) => type === 'tool.finished')) await pause(delays.append)
      const result = await appendWith(faults, journal, { thread, batch })
      reporter.leave('append')
      if (result.kind === 'appended') for (const event of batch.events) recorded(reporter, thread, event)
      return result
    },
  }
}

/** Looks that a process takes for another one that takes a thread, and the milliseconds between them. */
const [looks, between] = [100, 20]

async function untilTaken(journal: Journal, thread: string, seen: number): Promise<void> {
  for (let look = 0; look < looks && (await journal.head(thread))?.epoch === seen; look += 1) await pause(between)
}

/** Results that are durable now. */
function recorded(reporter: Reporter, thread: string, { type, data }: Draft): void {
  if (type === 'tool.finished') reporter.recorded(`${thread}/${data.call}`)
  if (type === 'tool.step-finished') reporter.recorded(`${thread}/${data.call}/${data.key}`)
}

/** Notifies clients of what is not durable yet. A driver's drafts have their place already. */
function notifyEarly({ write }: Reporter, { events }: Batch): void {
  for (const event of events) if ('seq' in event) write({ kind: 'notified', event: event as LoomEvent })
}

/** Appends as a journal with these faults does. One that fences nobody stores a batch behind whatever is there. */
async function appendWith(faults: readonly PlantedFault[], journal: Journal, given: { thread: string; batch: Batch }): Promise<AppendResult> {
  const { thread } = given
  const batch = corrupted(given.batch, faults)
  const result = await journal.append(thread, batch)
  return faults.includes('unfenced') && result.kind === 'conflict' ? journal.append(thread, { ...batch, expected: result.seq }) : result
}

function corrupted(batch: Batch, faults: readonly PlantedFault[]): Batch {
  const given = faults.includes('unfenced') ? { ...batch, epoch: undefined } : batch
  if (faults.includes('alters')) return { ...given, events: batch.events.map(altered) }
  return faults.includes('loses-class') ? { ...given, events: batch.events.map(declassed) } : given
}

function altered(event: Draft): Draft {
  if (event.type !== 'tool.finished') return event
  return { ...event, data: { ...event.data, output: { type: 'text', value: 'something else' } } }
}

function declassed(event: Draft): Draft {
  return event.type === 'tool.started' && event.data.effect === 'unsafe' ? { ...event, data: { ...event.data, effect: 'pure' } } : event
}

/** A journal that keeps the last batch of each thread in memory, and acknowledges it as stored. */
function acknowledgingEarly(journal: Journal): Journal {
  const kept = new Map<string, Batch>()
  const write = async (thread: string): Promise<AppendResult | undefined> => {
    const batch = kept.get(thread)
    kept.delete(thread)
    return batch && journal.append(thread, batch)
  }
  const after = <T>(thread: string, work: () => Promise<T>): Promise<T> => write(thread).then(work)
  return {
    ...journal,
    async append(thread, batch) {
      await write(thread)
      kept.set(thread, batch)
      return { kind: 'appended', seq: batch.expected + batch.events.length }
    },
    acquire: (thread, claim) => after(thread, () => journal.acquire(thread, claim)),
    head: (thread) => after(thread, () => journal.head(thread)),
    read: (thread, range) => after(thread, () => journal.read(thread, range)),
    release: (thread, lease) => after(thread, () => journal.release(thread, lease)),
    async close() {
      for (const thread of [...kept.keys()]) await write(thread)
      await journal.close()
    },
  }
}
