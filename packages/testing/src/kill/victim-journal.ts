/** The journal of a process that will be killed: it announces its appends, and may have mistakes planted in it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AppendResult, Batch, Draft, Journal, LoomEvent } from '@loom-agent/kernel'
import type { Announcer } from './announcer.ts'
import type { PlantedFault } from './fault.ts'
import type { Job } from './job.ts'
import { openPlace } from './place.ts'

/** The journal of a process. */
export async function victimJournal(job: Job, announcer: Announcer): Promise<Journal> {
  const opened = await openPlace(job.place, () => announcer.say({ kind: 'torn' }))
  return announced(job.faults.includes('acknowledges-early') ? acknowledgingEarly(opened) : opened, announcer, job)
}

function announced(journal: Journal, announcer: Announcer, { faults, linger }: Job): Journal {
  let isFirst = true
  return {
    ...journal,
    async append(thread, batch) {
      announcer.enter('append')
      if (isFirst) {
        announcer.enter('begun')
        announcer.leave('opening')
      }
      isFirst = false
      if (faults.includes('tells-early')) await tellEarly(announcer, batch)
      if (linger.append && batch.events.some(({ type }) => type === 'tool.finished')) await pause(linger.append)
      const result = await journal.append(thread, spoilt(batch, faults))
      announcer.leave('append')
      if (result.kind === 'appended') for (const event of batch.events) recorded(announcer, thread, event)
      return result
    },
  }
}

/** Results that are durable now: whoever dies from here on dies after them. */
function recorded(announcer: Announcer, thread: string, { type, data }: Draft): void {
  if (type === 'tool.finished') announcer.recorded(`${thread}/${data.call}`)
  if (type === 'tool.step-finished') announcer.recorded(`${thread}/${data.call}/${data.key}`)
}

/** Tells clients what is not durable yet, and takes its time. A driver's drafts have their place already. */
async function tellEarly({ say }: Announcer, { events }: Batch): Promise<void> {
  for (const event of events) if ('seq' in event) say({ kind: 'told', event: event as LoomEvent })
  await pause(5)
}

function spoilt(batch: Batch, faults: readonly PlantedFault[]): Batch {
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

/** A journal that keeps the last batch of each thread in memory, and says that it is stored. */
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
    head: (thread) => after(thread, () => journal.head(thread)),
    read: (thread, range) => after(thread, () => journal.read(thread, range)),
    release: (thread, epoch) => after(thread, () => journal.release(thread, epoch)),
    async close() {
      for (const thread of [...kept.keys()]) await write(thread)
      await journal.close()
    },
  }
}
