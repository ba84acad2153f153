/** The journal in a folder: a file of lines for each thread, for one process at a time. */
import {
  type AcquireResult,
  type AppendResult,
  type Batch,
  createJournal,
  type Head,
  type Journal,
  type OwnEvents,
  type RemoveResult,
  type Store,
} from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'
import { mustFlush } from '../storage/flush.ts'
import type { Inspected } from '../storage/journal-finding.ts'
import { offloadBlobs } from '../storage/offload-blobs.ts'
import { createWatchers } from '../storage/watchers.ts'
import { enqueue } from './commit.ts'
import { type Damage, damageError, warnOfDamage } from './damage.ts'
import type { Disk } from './disk.ts'
import { diskError } from './disk-error.ts'
import { nodeDisk } from './disk-node.ts'
import type { Folder } from './folder.ts'
import type { EncodedBatch } from './group.ts'
import { findingsIn } from './inspect.ts'
import type { FileMode } from './line.ts'
import { closeJournal, type OpenJournal, openJournal } from './open-journal.ts'
import { pageSize, readBlob, readPage } from './page.ts'
import type { StoredHead } from './scan.ts'
import type { ThreadFile, Waiting } from './thread-files.ts'
import { headOfState } from './thread-state.ts'

/** The options of a file journal. */
export interface FileOptions {
  /** `strict` (the default): flushed before acknowledged. `relaxed`: acknowledged first, except for what may not be lost. */
  readonly mode?: FileMode
  /** Called with all damage that is found; default: a warning of the process. */
  readonly onDamage?: (damage: Damage) => void
  /** The clock and the disk; by default those of this machine. */
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
  const store = storeOf({ path, mode, onDamage, disk: ports.disk ?? nodeDisk(), now: ports.now ?? Date.now })
  return { ...createJournal(store), inspect: () => store.inspect() }
}

/** Does work on the open journal; errors of the disk become errors of Loom. */
type Use = <T>(what: string, work: (journal: OpenJournal) => Promise<T>) => Promise<T>

function storeOf(folder: Folder): Store & Inspected {
  const watchers = createWatchers()
  const { use, close } = createLifecycle(() => openJournal(folder, watchers))
  const onThread = <T>(thread: string, what: string, work: (journal: OpenJournal, file: ThreadFile) => Promise<T>): Promise<T> =>
    use(`The thread ${thread} could not be ${what}`, (journal) => journal.files.use(thread, (opened) => work(journal, opened)))
  const write = <T>(thread: string, operation: (resolve: (result: T) => void) => Waiting['operation']): Promise<T> =>
    onThread(
      thread,
      'written',
      (journal, opened) => new Promise((resolve, fail) => enqueue(journal, opened, { operation: operation(resolve), fail })),
    )
  return {
    traits: { name: 'file', shared: false, durable: true, bytes: true, mode: folder.mode },
    acquire: (thread, claim) => write<AcquireResult>(thread, (resolve) => ({ kind: 'acquire', claim: { ...claim }, resolve })),
    release: (thread, epoch) =>
      onThread(thread, 'released', async (journal, opened) => {
        if (journal.holders.get(thread)?.epoch === epoch) journal.holders.delete(thread)
        return headOf(journal, opened)
      }),
    async append(thread, batch) {
      const encoded = encode(batch)
      return write<AppendResult>(thread, (resolve) => ({ kind: 'append', batch: encoded, resolve }))
    },
    head: (thread) => onThread(thread, 'read', headOf),
    read: (thread, { from = 1, limit = pageSize } = {}) => onThread(thread, 'read', (journal, opened) => read(journal, opened, { from, limit })),
    watch: (thread, hint) => watchers.add(thread, hint),
    threads: (query = {}) =>
      use('The threads could not be listed', async (journal) => (await journal.table.list(query)).map((head) => withHolder(journal, head))),
    blob: (name) => use(`The blob ${name} could not be read`, (journal) => findBlob(journal, name)),
    remove: (thread) => write<RemoveResult>(thread, (resolve) => ({ kind: 'remove', resolve })),
    inspect: () =>
      use('The journal could not be inspected', ({ files }) => findingsIn(folder.path, folder.disk, new Set(files.all().map(({ name }) => name)))),
    async close() {
      watchers.clear()
      await close()
    },
  }
}

/** Opens the journal when it is first used, and closes it when all operations have ended, for good. */
function createLifecycle(open: () => Promise<OpenJournal>): { use: Use; close(): Promise<void> } {
  let opening: Promise<OpenJournal> | undefined
  let closing: Promise<void> | undefined
  const underWay = new Set<Promise<unknown>>()
  const opened = (): Promise<OpenJournal> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const use: Use = async (what, work) => {
    if (closing) throw journalError('closed', `${what}: the journal is closed. Open it again to use it.`)
    const operation = opened().then(work)
    underWay.add(operation)
    try {
      return await operation
    } catch (error) {
      throw diskError(error, what)
    } finally {
      underWay.delete(operation)
    }
  }
  const end = async (): Promise<void> => {
    await Promise.allSettled(underWay)
    if (opening) await closeJournal(await opening)
  }
  return {
    use,
    close() {
      closing ??= end()
      return closing
    },
  }
}

/** A batch as it will be stored: its writer may change its own objects from now on. */
function encode(batch: Batch): EncodedBatch {
  const { id, incarnation, expected, epoch, events, forkOf } = batch
  const fork = forkOf && { thread: forkOf.thread, incarnation: forkOf.incarnation, seq: forkOf.seq }
  const encoded = { id, incarnation, expected, epoch, events: events.length, summary: JSON.stringify(batch.summary), mustFlush: mustFlush(events) }
  return { ...encoded, ...offloadBlobs(batch), forkOf: fork }
}

async function headOf(journal: OpenJournal, opened: ThreadFile): Promise<Head | undefined> {
  const state = await journal.files.open(opened)
  if (state.scan.damage?.kind === 'unknown') throw damageError(state.scan.damage)
  const head = headOfState(state)
  return head && withHolder(journal, head)
}

/** A copy of a head, with the holder. */
function withHolder({ holders }: OpenJournal, head: StoredHead): Head {
  return { ...structuredClone(head), holder: holders.get(head.thread)?.worker }
}

async function read(journal: OpenJournal, opened: ThreadFile, range: { from: number; limit: number }): Promise<OwnEvents> {
  const state = await journal.files.open(opened)
  const { seq, header } = state.scan
  if (seq > 0 && header?.forkOf && range.from <= header.forkOf.seq) return { forkOf: { ...header.forkOf } }
  try {
    return await readPage(journal.folder, state, range)
  } catch (error) {
    if (opened.opened === state) throw error
    // The thread was removed meanwhile. There may be a new one under its name, or none.
    return read(journal, opened, range)
  }
}

/** A blob of any thread. Threads that were never opened are opened for it: only their files say which blobs they have. */
async function findBlob({ files, folder, table }: OpenJournal, name: string): Promise<Uint8Array | undefined> {
  const bytesIn = (thread: string): Promise<Uint8Array | undefined> =>
    files.use(thread, async (opened) => readBlob(folder, await files.open(opened), name))
  for (const [thread, blobs] of files.blobs) {
    const bytes = blobs.has(name) ? await bytesIn(thread) : undefined
    if (bytes) return bytes
  }
  for (const { thread } of await table.list({})) {
    const bytes = files.blobs.has(thread) ? undefined : await bytesIn(thread)
    if (bytes) return bytes
  }
  return undefined
}
