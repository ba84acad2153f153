/** Runs of a process on a disk that fails, and what must be true after each of them. */

import { type DiskFault, type DiskOperation, type FaultyDisk, faultyDisk, type PowerFailure } from '@loom-agent/harness/disk'
import { type Batch, type Draft, isLoomError, type Journal, type LoomEvent } from '@loom-agent/kernel'
import { randomOf } from '@loom-agent/testing/crash'
import { type Damage, type Disk, type FileMode, file } from '../src/file/index.ts'

/** What was appended, by its id: enough to recognize it. */
type Sent = Readonly<{ id: string; size: number; mustFlush: boolean; blob: boolean }> & {
  /** The seq that it expected when it was sent last, and whether that has no result yet. */
  expected?: number
  isUnderWay?: boolean
}
/** What is known of a thread by the results of its calls. */
interface Known {
  readonly sent: Map<string, Sent>
  /** The ids of stored batches in their order, with undefined where others may be. */
  readonly at: Map<number, Sent>
  epoch: number
  /** What must be there whatever happens to the power. */
  durable: number
}

/** What a schedule found, and how much it did. */
export interface Outcome {
  readonly problems: string[]
  appends: number
  processes: number
  torn: number
  /** What failed, and was reported as failed. */
  refused: number
}

export interface ScheduleOptions {
  readonly seed: number
  readonly mode: FileMode
  readonly lies?: readonly ('sync' | 'syncFolder')[]
  /** How likely an operation fails. A process that was killed after a failed sync cannot be distinguished from one that was not: then power fails too. */
  readonly failing?: number
}

const threads = ['a', 'B/b', 'c']

/** A batch whose events say which batch they are of. `hook.applied` may be lost in relaxed mode, `memory.recorded` may not. */
function batchOf(sent: Sent, more: Pick<Batch, 'expected' | 'epoch'>): Batch {
  const events = Array.from({ length: sent.size }, (_, index): Draft => {
    const patch = { id: sent.id, index, of: sent.size, text: 'x'.repeat(index === 0 ? sent.id.length * 97 : 3) }
    return sent.mustFlush ? { type: 'memory.recorded', data: { key: sent.id, value: patch } } : { type: 'hook.applied', data: { point: 'p', patch } }
  })
  const blobs = sent.blob ? new Map([[`blob-${sent.id}`, Buffer.from(`bytes of ${sent.id}`)]]) : undefined
  return { id: sent.id, incarnation: 'i', time: 1, events, summary: { status: 'running', labels: { last: sent.id } }, blobs, ...more }
}

function markOf(event: LoomEvent | undefined): { id: string; index: number; of: number } {
  if (event?.type === 'memory.recorded') return event.data.value as { id: string; index: number; of: number }
  return (event?.type === 'hook.applied' ? event.data.patch : {}) as { id: string; index: number; of: number }
}

/** Runs a few processes, each cut off at some operation of the disk, and checks what is left after each. */
export async function runSchedule({ seed, mode, lies = [], failing = 0 }: ScheduleOptions): Promise<Outcome> {
  const random = randomOf(seed)
  const pick = (n: number): number => Math.floor(random() * n)
  let stopAt = Number.POSITIVE_INFINITY
  const fault = ({ number, action }: DiskOperation): DiskFault | undefined => {
    if (number >= stopAt) return 'stop'
    if (stopAt < Number.POSITIVE_INFINITY && random() < failing) return random() < 0.5 ? 'EIO' : 'ENOSPC'
    return action === 'write' && random() < 0.1 ? 'short' : undefined
  }
  const disk = faultyDisk({ seed, fault, lies })
  const known = new Map(threads.map((thread): [string, Known] => [thread, { sent: new Map(), at: new Map(), epoch: 0, durable: 0 }]))
  const outcome: Outcome = { problems: [], appends: 0, processes: 0, torn: 0, refused: 0 }
  for (let round = 0; round < 3 && outcome.problems.length === 0; round += 1) {
    outcome.processes += 1
    stopAt = disk.count() + 1 + pick(90)
    await runProcess(disk, known, { random, mode, round, outcome })
    stopAt = Number.POSITIVE_INFINITY
    let power = (['forget', 'tear', 'scatter', 'killed'] as const)[pick(failing > 0 ? 3 : 4)] ?? 'killed'
    if (power === 'killed') disk.kill()
    else disk.crash(power)
    if (random() < 0.3) {
      await list(disk, known, { mode, outcome })
      power = 'forget'
      disk.crash(power)
    }
    const tag = `seed ${seed}, round ${round}, ${power}`
    await check(disk, known, { mode, power, outcome, tag, random }).catch((error: unknown) => outcome.problems.push(`${tag}: ${String(error)}`))
    // The process that checks may be killed as well; what it has read must stay.
    if (random() < 0.5) disk.crash('forget')
    else disk.kill()
  }
  return outcome
}

interface Living {
  readonly random: () => number
  readonly mode: FileMode
  readonly round: number
  readonly outcome: Outcome
}

/** One process: some workers write to some threads until the disk stops, or until they are done. */
async function runProcess(disk: FaultyDisk, known: ReadonlyMap<string, Known>, { random, mode, round, outcome }: Living): Promise<void> {
  const journal = open(disk.boot(), mode, outcome)
  const worker = async (number: number): Promise<void> => {
    for (let step = 0; step < 6; step += 1) {
      const thread = threads[Math.floor(random() * threads.length)] ?? 'a'
      const facts = known.get(thread) as Known
      const work =
        random() < 0.2
          ? acquire(journal, thread, { facts, worker: `${round}.${number}` })
          : append(journal, thread, { facts, random, id: `${round}.${number}.${step}`, mode, outcome })
      await work.catch((error: unknown) => {
        if (isLoomError(error) && error.retry === 'later') outcome.refused += 1
        else outcome.problems.push(`round ${round}: ${String(error)}`)
      })
    }
  }
  const work = Promise.all([1, 2, 3].map(worker))
  const closed = random() < 0.3 ? work.then(() => journal.close().catch(() => {})) : work
  await Promise.race([closed, disk.stopped()])
  for (const { sent } of known.values()) for (const batch of sent.values()) batch.isUnderWay = false
}

function open(disk: Disk, mode: FileMode, outcome: Outcome): Journal {
  const onDamage = ({ kind, ...rest }: Damage): void => {
    if (kind === 'torn') outcome.torn += 1
    else outcome.problems.push(`${kind}: ${JSON.stringify(rest)}`)
  }
  return file('journal', { mode, onDamage, ports: { disk, now: () => 1 } })
}

async function acquire(journal: Journal, thread: string, { facts, worker }: { facts: Known; worker: string }): Promise<void> {
  const seen = (await journal.head(thread))?.epoch ?? 0
  const taken = await journal.acquire(thread, { worker, incarnation: 'i', seen, force: true })
  facts.epoch = Math.max(facts.epoch, taken.epoch)
}

interface Appending {
  readonly facts: Known
  readonly random: () => number
  readonly id: string
  readonly mode: FileMode
  readonly outcome: Outcome
}

async function append(journal: Journal, thread: string, { facts, random, id, mode, outcome }: Appending): Promise<void> {
  const stored = new Set(facts.at.values())
  // A writer without a result sends the same batch again, also from the next process.
  const unconfirmed = [...facts.sent.values()].find((earlier) => !earlier.isUnderWay && !stored.has(earlier) && random() < 0.4)
  const sent: Sent = unconfirmed ?? { id, size: 1 + Math.floor(random() * 3), mustFlush: random() < 0.5, blob: random() < 0.3 }
  facts.sent.set(sent.id, sent)
  sent.isUnderWay = true
  await send(journal, thread, { facts, sent, asDriver: random() < 0.3, mode, outcome }).finally(() => (sent.isUnderWay = false))
}

type Sending = Readonly<{ facts: Known; sent: Sent; asDriver: boolean; mode: FileMode; outcome: Outcome }>

async function send(journal: Journal, thread: string, { facts, sent, asDriver, mode, outcome }: Sending): Promise<void> {
  sent.expected ??= (await journal.head(thread))?.seq ?? 0
  for (;;) {
    const epoch = asDriver ? (await journal.head(thread))?.epoch : undefined
    const result = await journal.append(thread, batchOf(sent, { expected: sent.expected, epoch }))
    if (result.kind === 'appended') {
      outcome.appends += 1
      facts.at.set(result.seq - sent.size + 1, sent)
      if (mode === 'strict' || sent.mustFlush) facts.durable = Math.max(facts.durable, result.seq)
      return
    }
    // The batch is not stored: what is sent now is another one.
    if (result.kind === 'conflict') sent.expected = result.seq
  }
}

/** Only lists the threads: what the list shows was seen, and must be there from then on. */
async function list(disk: FaultyDisk, known: ReadonlyMap<string, Known>, { mode, outcome }: Pick<Checking, 'mode' | 'outcome'>): Promise<void> {
  for (const { thread, seq, epoch } of await open(disk.boot(), mode, outcome).threads()) {
    const facts = known.get(thread) as Known
    facts.durable = Math.max(facts.durable, seq)
    facts.epoch = Math.max(facts.epoch, epoch)
  }
}

type Checking = Readonly<{ mode: FileMode; power: PowerFailure | 'killed'; outcome: Outcome; tag: string; random: () => number }>

/** Opens the journal again and compares it with the results that were given. What is read becomes known. */
async function check(disk: FaultyDisk, known: ReadonlyMap<string, Known>, { mode, power, outcome, tag, random }: Checking): Promise<void> {
  const journal = open(disk.boot(), mode, outcome)
  const tableOf = async () => new Map((await journal.threads()).map((head) => [head.thread, head.seq]))
  const first = random() < 0.5 ? await tableOf() : undefined
  for (const [thread, facts] of known) {
    const complain = (what: string): void => void outcome.problems.push(`${tag}, ${thread}: ${what}`)
    const events = await journal.read(thread)
    const head = await journal.head(thread)
    if ((head?.epoch ?? 0) < facts.epoch) complain(`epoch ${facts.epoch} became ${head?.epoch}`)
    if ((head?.seq ?? 0) !== events.length) complain(`the head is at ${head?.seq}, ${events.length} events are there`)
    const listed = (first ?? (await tableOf())).get(thread) ?? 0
    if (listed !== events.length) complain(`the table says ${listed}, ${events.length} events are there`)
    const floor = power === 'killed' ? Math.max(0, ...[...facts.at].map(([first, { size }]) => first + size - 1)) : facts.durable
    if (events.length < floor) complain(`${floor} events were acknowledged, ${events.length} are there`)
    for (let first = 1; first <= events.length; ) {
      const { id } = markOf(events[first - 1])
      const sent = facts.sent.get(id)
      const expected = facts.at.get(first)
      if (!sent || (first <= floor && expected && expected.id !== id)) return complain(`at ${first} is ${id}, not ${expected?.id}`)
      const whole = Array.from({ length: sent.size }, (_, index) => markOf(events[first - 1 + index]))
      if (whole.some((mark, index) => mark.id !== id || mark.index !== index)) return complain(`the batch ${id} is not whole`)
      const blob = sent.blob ? await journal.blob(`blob-${id}`) : undefined
      if (sent.blob && Buffer.from(blob ?? []).toString() !== `bytes of ${id}`) complain(`the blob of ${id} is lost`)
      const again = await journal.append(thread, batchOf(sent, { expected: first - 1, epoch: undefined }))
      if (again.kind !== 'appended' || again.seq !== first + sent.size - 1) complain(`the batch ${id} is not known again`)
      first += sent.size
    }
    learn(facts, { events, epoch: head?.epoch ?? 0, isDurable: mode === 'strict' || power !== 'killed' })
  }
  if (outcome.problems.length === 0)
    await journal.append('c', batchOf({ id: tag, size: 1, mustFlush: true, blob: false }, { expected: -1, epoch: undefined }))
}

/** What was read was seen: it must be there from now on. Opening a thread makes it durable. */
function learn(facts: Known, { events, epoch, isDurable }: { events: readonly LoomEvent[]; epoch: number; isDurable: boolean }): void {
  facts.epoch = epoch
  facts.at.clear()
  for (let first = 1; first <= events.length; ) {
    const sent = facts.sent.get(markOf(events[first - 1]).id) as Sent
    facts.at.set(first, sent)
    first += sent.size
  }
  if (isDurable || events.length > 0) facts.durable = events.length
}
