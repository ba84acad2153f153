/** A witness beside the journal: it takes down what the journal acknowledged, and compares it in the end with what the journal holds. */
import { type AcquireResult, type AppendResult, type Batch, canonicalJson, type Journal, type Json, type LoomEvent } from '@loom-agent/kernel'
import type { Finding } from './finding.ts'

/** What was acknowledged. */
interface Acknowledged {
  readonly first: number
  readonly events: readonly string[]
}

interface Witnessed {
  readonly batches: Map<string, Acknowledged>
  /** Calls and steps whose intent is durable: `call` or `call/key`. */
  readonly intents: Set<string>
  epoch: number
}

/** Hears what all processes hear of the journal, and what they do not live to hear. */
export interface Witness {
  readonly found: readonly Finding[]
  appended(thread: string, batch: Batch, result: AppendResult): void
  acquired(thread: string, result: AcquireResult): void
  /** Whether the intent of a call, or of a step of it, is durable. */
  isIntended(thread: string, intent: string): boolean
  /** Compares what was acknowledged with what the journal holds now. */
  compare(held: ReadonlyMap<string, readonly LoomEvent[]>): void
}

/** A witness who has heard nothing yet. */
export function createWitness(): Witness {
  const threads = new Map<string, Witnessed>()
  const found: Finding[] = []
  const of = (thread: string): Witnessed => {
    const known = threads.get(thread) ?? { batches: new Map(), intents: new Set(), epoch: 0 }
    threads.set(thread, known)
    return known
  }
  return {
    found,
    appended(thread, batch, result) {
      if (result.kind !== 'appended') return
      const known = of(thread)
      const first = result.seq - batch.events.length + 1
      const before = known.batches.get(batch.id)
      if (before && before.first !== first)
        found.push({ kind: 'journal', at: `${thread}@${first}`, message: `the batch ${batch.id} was stored twice` })
      if (before) return
      if (batch.epoch !== undefined && batch.epoch !== known.epoch) {
        const message = `a driver of epoch ${batch.epoch} could write, and the epoch is ${known.epoch}`
        found.push({ kind: 'journal', at: `${thread}@${first}`, message })
      }
      known.batches.set(batch.id, { first, events: batch.events.map(textOf) })
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
    compare(held) {
      for (const [thread, { batches }] of threads) found.push(...missing(thread, batches, held.get(thread) ?? []))
    },
  }
}

/** Batches that were acknowledged, and are not there as they were. */
function missing(thread: string, batches: Witnessed['batches'], events: readonly LoomEvent[]): readonly Finding[] {
  const held = new Map(events.map((event) => [event.seq, textOf(event)]))
  return [...batches].flatMap(([id, { first, events: acknowledged }]): readonly Finding[] => {
    const wrong = acknowledged.findIndex((text, index) => !isSame(text, held.get(first + index)))
    if (wrong === -1) return []
    const now = held.get(first + wrong) ?? 'nothing'
    const message = `the batch ${id} was acknowledged with ${acknowledged[wrong]}, and the journal has ${now} there`
    return [{ kind: 'journal', at: `${thread}@${first + wrong}`, message }]
  })
}

/** The same journal, beside a witness. */
export function witnessedJournal(journal: Journal, witness: Witness): Journal {
  return {
    ...journal,
    async acquire(thread, claim) {
      const result = await journal.acquire(thread, claim)
      witness.acquired(thread, result)
      return result
    },
    async append(thread, batch) {
      const result = await journal.append(thread, batch)
      witness.appended(thread, batch, result)
      return result
    },
  }
}

const textOf = ({ type, data }: { readonly type: string; readonly data: unknown }): string => JSON.stringify([type, data])

/** A journal may keep the fields of an object in another order. */
const isSame = (a: string, b: string | undefined): boolean =>
  a === b || (b !== undefined && canonicalJson(JSON.parse(a) as Json) === canonicalJson(JSON.parse(b) as Json))

function intentOf(event: Batch['events'][number]): readonly string[] {
  if (event.type === 'tool.started') return [event.data.call]
  return event.type === 'tool.step-started' ? [`${event.data.call}/${event.data.key}`] : []
}
