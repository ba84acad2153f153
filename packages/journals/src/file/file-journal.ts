/** The journal in a folder: a file of lines for each thread, for one process at a time. */
import { type AcquireResult, type AppendResult, type Batch, encodeBatch, type Head, type Journal, type LoomEvent } from '@loom-agent/kernel'
import { journalError } from '../failure.ts'
import { mustFlush } from '../flush.ts'
import { spill } from '../spill.ts'
import type { Inspected } from '../verify.ts'
import { createWatchers } from '../watchers.ts'
import { type Damage, damageError, warnOfDamage } from './damage.ts'
import type { Disk } from './disk.ts'
import { diskError } from './disk-error.ts'
import { nodeDisk } from './disk-node.ts'
import { mend } from './flush.ts'
import { findingsIn } from './inspect.ts'
import type { FileMode } from './line.ts'
import { type Office, openOffice } from './office.ts'
import { pageSize, readPage } from './page.ts'
import type { EncodedBatch } from './plan.ts'
import type { Slot, Waiting } from './slot.ts'
import type { Tail } from './tail.ts'
import { type Folder, tailOf } from './thread.ts'
import { enqueue } from './writer.ts'

/** How a file journal works. */
export interface FileOptions {
  /** `strict` (the default): flushed before acknowledged. `relaxed`: acknowledged first, except for what may not be lost. */
  readonly mode?: FileMode
  /** Told of everything that is found to be wrong with a file; by default it becomes a warning of the process. */
  readonly onDamage?: (damage: Damage) => void
  /** Replaces the clock or the disk, for tests. */
  readonly ports?: { readonly now?: () => number; readonly disk?: Disk }
}

/**
 * A journal that keeps each thread as a file of JSON lines in a folder. One process may use it at a time.
 *
 * @example
 * const journal = file('threads')
 */
export function file(path: string, options: FileOptions = {}): Journal & Inspected {
  const { mode = 'strict', onDamage = warnOfDamage, ports = {} } = options
  if (path === '') throw journalError('unusable', 'The folder of a file journal has no name. Give the path of a folder.')
  if (mode !== 'strict' && mode !== 'relaxed') {
    throw journalError('unusable', `The mode of a file journal cannot be ${JSON.stringify(mode)}. Use 'strict' or 'relaxed'.`)
  }
  return journalOf({ path, mode, onDamage, disk: ports.disk ?? nodeDisk(), now: ports.now ?? Date.now })
}

/** Runs something on the open journal; what fails is an error of Loom. */
type Use = <T>(what: string, work: (office: Office) => Promise<T>) => Promise<T>

function journalOf(folder: Folder): Journal & Inspected {
  const watchers = createWatchers()
  const { use, close } = doorOf(() => openOffice(folder, watchers))
  const onThread = <T>(thread: string, what: string, work: (office: Office, slot: Slot) => Promise<T>): Promise<T> =>
    use(`The thread ${thread} could not be ${what}`, (office) => office.slots.use(thread, (slot) => work(office, slot)))
  const write = <T>(thread: string, operation: (answer: (result: T) => void) => Waiting['operation']): Promise<T> =>
    onThread(thread, 'written', (office, slot) => new Promise((answer, fail) => enqueue(office, slot, { operation: operation(answer), fail })))
  return {
    traits: { name: 'file', shared: false, durable: true, bytes: true, mode: folder.mode },
    acquire(thread, { worker, seen, force = false }) {
      return write<AcquireResult>(thread, (answer) => ({ kind: 'acquire', claim: { worker, seen, force }, answer }))
    },
    release: (thread, epoch) =>
      use(`The thread ${thread} could not be released`, async ({ holders }) => {
        if (holders.get(thread)?.epoch === epoch) holders.delete(thread)
      }),
    async append(thread, batch) {
      const encoded = encode(batch)
      return write<AppendResult>(thread, (answer) => ({ kind: 'append', batch: encoded, answer }))
    },
    head: (thread) => onThread(thread, 'read', headOf),
    read: (thread, { from = 1, limit = pageSize } = {}) => onThread(thread, 'read', (office, slot) => read(office, slot, { from, limit })),
    watch: (thread, hint) => watchers.add(thread, hint),
    threads: (query = {}) =>
      use('The threads could not be listed', async (office) => (await office.table.list(query)).map((tail) => withHolder(office, tail))),
    blob: (hash) => use(`The blob ${hash} could not be read`, ({ blobs }) => blobs.get(hash)),
    remove: (thread) => write<void>(thread, (answer) => ({ kind: 'remove', answer })),
    inspect: () =>
      use('The journal could not be inspected', ({ slots }) => findingsIn(folder.path, folder.disk, new Set(slots.all().map(({ name }) => name)))),
    async close() {
      watchers.clear()
      await close()
    },
  }
}

/** The door of the journal: opened by the first who comes, closed when all have left, and then for good. */
function doorOf(open: () => Promise<Office>): { use: Use; close(): Promise<void> } {
  let opening: Promise<Office> | undefined
  let closing: Promise<void> | undefined
  const inside = new Set<Promise<unknown>>()
  const enter = (): Promise<Office> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const use: Use = async (what, work) => {
    if (closing) throw journalError('closed', `${what}: the journal is closed. Open it again to use it.`)
    const visit = enter().then(work)
    inside.add(visit)
    try {
      return await visit
    } catch (error) {
      throw diskError(error, what)
    } finally {
      inside.delete(visit)
    }
  }
  const leave = async (): Promise<void> => {
    await Promise.allSettled(inside)
    if (opening) await closeOffice(await opening)
  }
  return {
    use,
    close() {
      closing ??= leave()
      return closing
    },
  }
}

/** A batch as it will be stored, with nothing in it that its writer still holds. */
function encode(batch: Batch): EncodedBatch {
  const { id, expected, epoch, events, summary } = batch
  const spilled = spill(encodeBatch(batch))
  const given = [...(batch.blobs ?? [])].map(([key, bytes]) => [key, bytes.slice()] as const)
  // Which blobs a line needs is in its events where texts were spilled, and nowhere for those that were given.
  const line = given.length === 0 ? spilled.line : `${spilled.line.slice(0, -1)},"blobs":${JSON.stringify(given.map(([key]) => key))}}`
  const blobs = new Map([...spilled.blobs, ...given])
  return { id, expected, epoch, line, events: events.length, summary: JSON.stringify(summary), blobs, mustFlush: mustFlush(events) }
}

async function headOf(office: Office, slot: Slot): Promise<Head | undefined> {
  const thread = await office.slots.open(slot)
  if (thread.scan.damage?.kind === 'unknown') throw damageError(thread.scan.damage)
  const tail = tailOf(thread)
  return tail && withHolder(office, tail)
}

/** A head of its own for whoever asked. */
function withHolder({ holders }: Office, { thread, seq, epoch, summary }: Tail): Head {
  return { thread, seq, epoch, holder: holders.get(thread)?.worker, summary: structuredClone(summary) }
}

async function read(office: Office, slot: Slot, range: { from: number; limit: number }): Promise<readonly LoomEvent[]> {
  const thread = await office.slots.open(slot)
  try {
    return await readPage(office.folder, thread, { ...range, blob: (key) => office.blobs.get(key) })
  } catch (error) {
    if (slot.opened === thread) throw error
    // The thread was removed meanwhile: there may be another one under its name, or none.
    return read(office, slot, range)
  }
}

/** Finishes what was begun, writes the table, and gives the folder back, whatever else fails. */
async function closeOffice({ folder, slots, table, unlock }: Office): Promise<void> {
  const endings = await Promise.allSettled(slots.all().map((slot) => closeSlot(folder, slot)))
  // The table is a cache: without it the next one who asks reads the ends of the files.
  await table.save().catch(() => {})
  const unlocked = await Promise.allSettled([unlock()])
  for (const ended of [...endings, ...unlocked]) {
    if (ended.status === 'rejected') throw diskError(ended.reason, 'The journal could not be closed properly')
  }
}

async function closeSlot(folder: Folder, slot: Slot): Promise<void> {
  while (slot.flushing ?? slot.working) await (slot.flushing ?? slot.working)
  const { opened } = slot
  if (opened) await mend(folder, opened).finally(() => opened.handle.drop())
}
