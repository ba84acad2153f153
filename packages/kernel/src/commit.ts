/** Commits: what is in the outbox goes to the journal as one batch, and what contributors wrote comes in. */
import { type Driver, type Pending, put, wake } from './driver.ts'
import type { Blobs, LoomEvent, Seq } from './event.ts'
import { fold } from './evolve.ts'
import type { Frame } from './frame.ts'
import { type AppendResult, readEvents } from './journal.ts'
import { summarize } from './summary.ts'

/** A batch on its way to the journal, and the frame it makes. */
interface Commit {
  readonly batch: readonly Pending[]
  readonly events: readonly LoomEvent[]
  readonly frame: Frame
}

/** Appends everything in the outbox as one batch. A failing journal ends the driver. */
export function flush(driver: Driver): void {
  const { durable, frame, shell, pending: batch } = driver
  const commit: Commit = { batch, events: batch.map(({ event }) => event), frame }
  driver.pending = []
  driver.appending = true
  driver.batches += 1
  const { thread, incarnation } = frame
  const fail = (error: unknown): void => flushed(driver, commit, { error })
  try {
    const appending = shell.journal.append(thread, {
      id: `${shell.epoch}.${driver.batches}`,
      incarnation,
      expected: durable.seq,
      run: durable.run?.id,
      turn: durable.turn,
      time: commit.events[0]?.time ?? 0,
      epoch: shell.epoch,
      events: commit.events,
      blobs: blobsOf(batch),
      summary: summarize(frame),
    })
    void appending.then((result) => {
      try {
        const more = applyResult(driver, commit, result)
        if (more) void more.then(() => flushed(driver, commit), fail)
        else flushed(driver, commit)
      } catch (error) {
        fail(error)
      }
    }, fail)
  } catch (error) {
    fail(error)
  }
}

/** The blobs that the events of a batch bring. */
function blobsOf(batch: readonly Pending[]): Blobs | undefined {
  let all: Blobs | undefined
  for (const { blobs } of batch) if (blobs) all = all ? new Map([...all, ...blobs]) : blobs
  return all
}

/** Applies the result of an append; returns a promise where that has to read or fold more. */
function applyResult(driver: Driver, commit: Commit, result: AppendResult): Promise<void> | undefined {
  const { refold, epoch, journal } = driver.shell
  if (result.kind === 'conflict') return catchUp(driver, commit.batch, result.seq)
  const { thread, incarnation, seq } = driver.durable
  const fence = (): void => {
    driver.fenced = true
    for (const { notify } of commit.batch) notify?.(false)
  }
  // Without a later driver it is fenced because the thread is another incarnation: then reading throws.
  if (result.kind === 'fenced' && result.epoch <= epoch) return journal.read(thread, { from: seq + 1, limit: 1, incarnation }).then(fence)
  if (result.kind === 'fenced') fence()
  else if (refold) return refold(commit.frame).then((refolded) => committed(driver, commit, refolded))
  else committed(driver, commit, commit.frame)
  return undefined
}

function committed(driver: Driver, { batch, events }: Commit, durable: Frame): void {
  driver.durable = durable
  driver.shell.committed(events, durable)
  for (const { notify } of batch) notify?.(true)
}

function flushed(driver: Driver, { batch, frame }: Commit, failure?: { readonly error: unknown }): void {
  driver.failure ??= failure
  if (failure) for (const { notify } of batch) notify?.(false)
  if (driver.fenced || driver.failure) for (const { notify } of driver.pending.splice(0)) notify?.(false)
  driver.appending = false
  // What `decide` returns has changed only if the frame has; a quiet commit wakes only a driver that is about to release the thread.
  const news = driver.frame !== frame || driver.hinted > driver.durable.seq
  if (news || driver.awaited || driver.fenced || driver.failure) wake(driver)
}

/** Folds what contributors wrote, up to the head; what has happened goes back into the outbox, what was only intended is dropped. */
export async function catchUp(driver: Driver, batch: readonly Pending[], head: Seq): Promise<void> {
  const { shell, durable } = driver
  const { thread, seq } = durable
  // Before its first event a frame has no incarnation. After it, the read throws when the thread was removed.
  const incarnation = seq > 0 ? durable.incarnation : undefined
  const events: LoomEvent[] = []
  for await (const event of readEvents(shell.journal, thread, { from: seq + 1, incarnation })) {
    events.push(event)
    if (event.seq >= head) break
  }
  // A hint may be wrong.
  if (seq + events.length < head) driver.hinted = seq + events.length
  driver.durable = fold(thread, events, durable)
  driver.frame = driver.durable
  driver.outdated = true
  shell.committed(events, driver.durable)
  // What a later driver has begun must not be waited for here: this driver would never learn that the thread is no longer its own (STEP-4).
  driver.fenced ||= driver.durable.epoch > shell.epoch
  for (const { event, happened, notify, blobs } of [...batch, ...driver.pending.splice(0)]) {
    if (happened && !driver.fenced) put(driver, [{ ...event, blobs }], { happened, notify })
    else notify?.(false)
  }
}
