/**
 * Delivering records to an entry of a durable body.
 *
 * DURABLE-8. Records are delivered in the order in which they were recorded, one at a time: the next when what the body does with the one before has come
 *     to rest. What this entry records itself takes its turn as well. So every entry counts occurrences in the same order, and a race has the same winner.
 * DURABLE-9. A record whose key is not reached does not hold the others up: once nothing else goes on, the next that is waited for is delivered. Whether
 *     the key is reached after all is a matter of divergence (DURABLE-4).
 * DURABLE-11. A signal that came during an entry is for the next one, and so is what was recorded after it: until the body is entered again the signal
 *     counts as unread (EVOLVE-5).
 */
import { at, type Call, items, type List, type StepRecord } from '@loom-agent/kernel'
import { never } from '../platform/never.ts'
import { soonOn } from '../platform/system-clock.ts'
import type { CallWork } from './call-work.ts'
import { currentCall } from './current-call.ts'
import type { Divergence } from './divergence.ts'

/** What has been delivered to an entry, and what it waits for. */
export interface Delivery {
  /** Keys that have a record from the beginning. */
  readonly known: ReadonlySet<string>
  /** Keys that the entry has recorded itself. */
  readonly own: Set<string>
  /** Keys that gave the entry a value; in a rehearsal also those that must not. */
  readonly given: Set<string>
  /** Keys that the body waits for, and what takes their records. */
  readonly asked: Map<string, (record: StepRecord) => void>
  /** Resolves when only waits are outstanding. */
  readonly suspended: Promise<void>
  readonly suspend: () => void
  /** How many records this entry knows to be durable. */
  durable: number
  /** How many of them have had their turn. */
  passed: number
  /** Records that were delivered and are being checked: nothing else is delivered meanwhile. */
  checking: number
  /** How much of the entry is at work: it is not suspended. */
  working: number
  /** The body has ended: what goes on beside it does nothing more. */
  hasEnded: boolean
  /** A dead entry's awaits never settle. */
  dead: boolean
  isScheduled: boolean
}

/** An entry that records are delivered to. */
interface Delivering extends Delivery, Divergence {
  readonly call: Call
  readonly work: Pick<CallWork, 'definition' | 'outbox'>
}

/** Nothing is delivered yet. A rehearsal gets only what the entry before it was given. */
export function deliveryOf({ done }: Call, given: ReadonlySet<string> | undefined): Delivery {
  const { promise: suspended, resolve: suspend } = Promise.withResolvers<void>()
  const keys = [...items(done)].map(({ key }) => key)
  return {
    known: new Set(given ? keys.filter((key) => given.has(key)) : keys),
    own: new Set(),
    given: new Set(given && keys.filter((key) => !given.has(key))),
    asked: new Map(),
    suspended,
    suspend,
    durable: keys.length,
    passed: 0,
    checking: 0,
    working: 0,
    hasEnded: false,
    dead: false,
    isScheduled: false,
  }
}

const recordsOf = ({ call, work }: Delivering): List<StepRecord> => currentCall(work.outbox, call).done

/** Whether a key has a record: from the beginning, or since, by a human, a signal or a child that had waited. */
export function isRecorded(entry: Delivering, key: string): boolean {
  if (entry.known.has(key)) return true
  const records = recordsOf(entry)
  for (let index = entry.passed; index < records.length; index += 1) if (at(records, index)?.key === key) return true
  return false
}

/**
 * Notes that the record of a key is durable, and with it all before it; false where there is none. Of records that were stored together, a later one may be
 * noted first.
 */
export function noteDurable(entry: Delivering, key: string): boolean {
  const records = recordsOf(entry)
  for (let index = records.length - 1; index >= entry.passed; index -= 1) {
    if (at(records, index)?.key !== key) continue
    entry.durable = Math.max(entry.durable, index + 1)
    entry.own.add(key)
    return true
  }
  return false
}

/** The record of a key, when its turn has come. What is not recorded is waited for: another entry gets it, unless this one lasts until then. */
export function delivered(entry: Delivering, key: string): Promise<StepRecord> {
  if (entry.dead) return never()
  return new Promise((resolve) => {
    entry.asked.set(key, resolve)
    proceedAtRest(entry)
  })
}

/** Does work during which the entry is not suspended. */
export async function working<T>(entry: Delivering, work: () => Promise<T>): Promise<T> {
  if (entry.hasEnded) return never()
  entry.working += 1
  try {
    const value = await work()
    return entry.dead ? await never() : value
  } finally {
    entry.working -= 1
    proceedAtRest(entry)
  }
}

/** Checks what was delivered before anything else is. */
export async function checking<T>(entry: Delivering, check: () => Promise<T>): Promise<T> {
  entry.checking += 1
  try {
    return await working(entry, check)
  } finally {
    entry.checking -= 1
    proceedAtRest(entry)
  }
}

/** Bodies go on in microtasks, so that what they do has come to rest is known when the platform is idle again. */
export function proceedAtRest(entry: Delivering): void {
  if (entry.isScheduled || entry.asked.size + entry.waits === 0) return
  entry.isScheduled = true
  soonOn(entry.work.definition.ports.clock, () => proceed(entry, false))
}

/** Delivers the next record; where nothing of the entry goes on any more, one out of turn; and suspends the entry where there is none. */
function proceed(entry: Delivering, isIdle: boolean): void {
  entry.isScheduled = false
  if (entry.dead || entry.checking > 0) return
  const record = nextRecord(entry, isIdle && entry.working === 0)
  if (record) {
    const { key } = record
    const take = entry.asked.get(key)
    entry.asked.delete(key)
    entry.given.add(key)
    take?.(record)
    return proceedAtRest(entry)
  }
  if (entry.working > 0 || entry.asked.size + entry.waits === 0) return
  if (isIdle) return entry.suspend()
  // A body may do something of its own between two keys: it has the time that the clock takes.
  entry.isScheduled = true
  const { clock } = entry.work.definition.ports
  clock.at(clock.now(), () => proceed(entry, true))
}

const isUnread = ({ known, own }: Delivering, key: string): boolean => key.startsWith('wait:') && !known.has(key) && !own.has(key)

function nextRecord(entry: Delivering, skips: boolean): StepRecord | undefined {
  const { given, asked } = entry
  const records = recordsOf(entry)
  for (let index = entry.passed; index < entry.durable; index += 1) {
    const record = at(records, index)
    if (!record || isUnread(entry, record.key)) return undefined
    if (given.has(record.key)) entry.passed += index === entry.passed ? 1 : 0
    else if (asked.has(record.key)) return record
    else if (!skips) return undefined
  }
  return undefined
}

/** Resolves when the platform is idle and nothing more is delivered. */
export async function comeToRest(entry: Delivering): Promise<void> {
  const { clock } = entry.work.definition.ports
  let delivered: number
  do {
    delivered = entry.given.size
    await new Promise<void>((resolve) => clock.at(clock.now(), resolve))
  } while (entry.given.size > delivered)
}
