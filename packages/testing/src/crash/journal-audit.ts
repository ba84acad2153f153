/** An audit beside the journal: it records what the journal acknowledged, also to processes that did not live to receive it. */
import type { AcquireResult, AppendResult, Batch, Journal } from '@loom-agent/kernel'
import type { Finding } from './finding.ts'
import type { Acknowledged } from './record.ts'

interface AuditedThread {
  /** The first seq of each batch that is stored. */
  readonly batches: Map<string, number>
  /** Calls and steps whose intent is durable: `call` or `call/key`. */
  readonly intents: Set<string>
  epoch: number
}

/** What the journal has acknowledged, and what was wrong with it at once. */
export interface JournalAudit {
  readonly found: readonly Finding[]
  readonly acknowledged: readonly Acknowledged[]
  appended(thread: string, batch: Batch, result: AppendResult): void
  acquired(thread: string, result: AcquireResult): void
  /** Whether the intent of a call, or of a step of it, is durable. */
  isIntended(thread: string, intent: string): boolean
}

/** An audit of a journal that has acknowledged nothing yet. */
export function createJournalAudit(): JournalAudit {
  const threads = new Map<string, AuditedThread>()
  const found: Finding[] = []
  const acknowledged: Acknowledged[] = []
  const of = (thread: string): AuditedThread => {
    const known = threads.get(thread) ?? { batches: new Map(), intents: new Set(), epoch: 0 }
    threads.set(thread, known)
    return known
  }
  return {
    found,
    acknowledged,
    appended(thread, batch, result) {
      if (result.kind !== 'appended') return
      const known = of(thread)
      const first = result.seq - batch.events.length + 1
      const before = known.batches.get(batch.id)
      if (before !== undefined && before !== first)
        found.push({ kind: 'journal', at: `${thread}@${first}`, message: `the batch ${batch.id} was stored twice` })
      if (before !== undefined) return
      if (batch.epoch !== undefined && batch.epoch !== known.epoch) {
        const message = `a driver of epoch ${batch.epoch} could write, and the epoch is ${known.epoch}`
        found.push({ kind: 'journal', at: `${thread}@${first}`, message })
      }
      known.batches.set(batch.id, first)
      for (const [index, { type, data }] of batch.events.entries()) acknowledged.push({ thread, seq: first + index, type, data })
      for (const intent of batch.events.flatMap(intentOf)) known.intents.add(intent)
    },
    acquired(thread, { kind, epoch }) {
      const known = of(thread)
      if (kind !== 'acquired') return
      if (epoch <= known.epoch)
        found.push({ kind: 'journal', at: thread, message: `the epoch ${epoch} was given, and ${known.epoch} was given before` })
      known.epoch = Math.max(known.epoch, epoch)
    },
    isIntended: (thread, intent) => threads.get(thread)?.intents.has(intent) === true,
  }
}

/** The same journal under audit. */
export function auditedJournal(journal: Journal, audit: JournalAudit): Journal {
  return {
    ...journal,
    async acquire(thread, claim) {
      const result = await journal.acquire(thread, claim)
      audit.acquired(thread, result)
      return result
    },
    async append(thread, batch) {
      const result = await journal.append(thread, batch)
      audit.appended(thread, batch, result)
      return result
    },
  }
}

function intentOf(event: Batch['events'][number]): readonly string[] {
  if (event.type === 'tool.started') return [event.data.call]
  return event.type === 'tool.step-started' ? [`${event.data.call}/${event.data.key}`] : []
}
