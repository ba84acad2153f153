/** The journal in a folder: a file of lines for each thread, for one process at a time. */

import type { LeaseId, OwnEvents, Store } from '@loom-agent/kernel'
import { type AcquireResult, type AppendResult, createJournal, type Head, type Journal, type ReadRange } from '@loom-agent/kernel'
import { checkQueries } from '../storage/check-queries.ts'
import { journalError } from '../storage/failure.ts'
import type { Inspected, JournalFinding } from '../storage/journal-finding.ts'
import { notify } from '../storage/notify.ts'
import { aFunction, anObject, checkOptions, checkPath, oneOf } from '../storage/options.ts'
import { createWatchers } from '../storage/watchers.ts'
import { alone, commit, enqueue } from './commit.ts'
import { type Damage, damageError, describeDamage, warnOfDamage } from './damage.ts'
import type { Disk } from './disk.ts'
import { diskError } from './disk-error.ts'
import { nodeDisk } from './disk-node.ts'
import { type Draft, encode, planAcquire, planAppend } from './draft.ts'
import type { FolderOptions } from './folder.ts'
import { inspectFolder } from './inspect.ts'
import type { FileMode } from './line.ts'
import { closeJournal, learnAll, listThreads, type OpenJournal, openJournal, useFile, useThread } from './open-journal.ts'
import { readBlob, readPage } from './page.ts'
import { readFeed } from './read-feed.ts'
import { remove, removeChildren } from './remove.ts'
import { openFile, type ThreadFile } from './thread-file.ts'

/** The options of a file journal. */
export interface FileOptions {
  /** `strict` (the default): flushed before acknowledged. `relaxed`: acknowledged first, except for what may not be lost. */
  readonly mode?: FileMode
  /** Called with all damage that is found; what it throws is ignored. Default: a warning of the process. */
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
  checkPath('file', path, 'the path of a folder')
  checkOptions('file', options, { mode: oneOf('strict', 'relaxed'), onDamage: aFunction, ports: anObject })
  const { mode = 'strict', onDamage = warnOfDamage, ports = {} } = options
  const { now = Date.now, disk = nodeDisk() } = ports
  const store = storeOf({ path, mode, onDamage: (damage) => notify(onDamage, damage), disk, now })
  return { ...checkQueries(createJournal(store), now), inspect: () => store.inspect() }
}

/** Does work on the open journal; errors of the disk become errors of Loom. */
type Use = <T>(what: string, work: (journal: OpenJournal) => Promise<T>) => Promise<T>

/** Does work on one thread of the open journal. */
type OnThread = <T>(thread: string, what: string, work: (journal: OpenJournal, opened: ThreadFile) => Promise<T>) => Promise<T>

function storeOf(folder: FolderOptions): Store & Inspected {
  const watchers = createWatchers()
  // No other process can use the folder, so what this object has acquired it holds until it releases it.
  const leases = new Map<string, LeaseId>()
  const { use, close } = createLifecycle(() => openJournal(folder, watchers))
  const onThread: OnThread = (thread, what, work) =>
    use(`The thread ${thread} could not be ${what}`, (journal) => useThread(journal, thread, (opened) => work(journal, opened)))
  return {
    traits: { name: 'file', shared: false, durable: true, bytes: true, mode: folder.mode },
    ...leasing(leases, onThread),
    async append(thread, batch) {
      const encoded = encode(thread, batch)
      const plan = (draft: Draft): AppendResult => planAppend(draft, encoded)
      const write = batch.forkOf ? inExclusiveGroup : inGroup
      return onThread(thread, 'written', (journal, opened) => write(journal, opened, plan))
    },
    head: (thread) => onThread(thread, 'read', headOf),
    read: (thread, range = {}) => onThread(thread, 'read', (journal, opened) => read(journal, opened, { thread, ...range })),
    watch: (thread, hint) => watchers.add(thread, hint),
    feed: (range = {}) => use('The feed could not be read', (journal) => readFeed(journal, range)),
    threads: (query = {}) =>
      use('The threads could not be listed', async (journal) =>
        (await listThreads(journal, query)).flatMap((opened) => copyOf(opened, journal) ?? []),
      ),
    blob: (name) => use(`The blob ${name} could not be read`, (journal) => findBlob(journal, name)),
    blobNames: (thread) =>
      onThread(thread, 'read', async ({ folder: place }, opened) => [...(await openFile(place, opened)).scan.index.blobs.keys()]),
    async remove(thread, options = {}) {
      const forget = (name: string): void => {
        leases.delete(name)
        watchers.notify(name, 0)
      }
      const { result, children } = await onThread(thread, 'removed', (journal, opened) =>
        alone(journal, opened, () => remove(journal, opened, { thread, ...options })),
      )
      if (result.kind === 'removed') forget(thread)
      if (children.length === 0) return result
      const removed = await use(`The children of ${thread} could not be removed`, (journal) => removeChildren(journal, children))
      for (const child of removed) forget(child)
      return result
    },
    inspect: () => use('The journal could not be inspected', findingsIn),
    async close() {
      watchers.clear()
      await close()
    },
  }
}

function leasing(leases: Map<string, LeaseId>, onThread: OnThread): Pick<Store, 'acquire' | 'release' | 'leaseValid'> {
  return {
    async acquire(thread, claim) {
      const copy = { thread, ...claim }
      const acquire = (journal: OpenJournal, opened: ThreadFile): Promise<AcquireResult> =>
        inGroup(journal, opened, (draft) => planAcquire(draft, copy))
      const result = await onThread(thread, 'written', acquire)
      if (result.kind === 'acquired') leases.set(thread, { epoch: result.epoch, incarnation: copy.incarnation })
      return result
    },
    release: (thread, lease) =>
      onThread(thread, 'released', async (journal, opened) => {
        const head = await headOf(journal, opened)
        if (opened.holder?.epoch !== lease.epoch || head?.incarnation !== lease.incarnation) return head
        opened.holder = undefined
        leases.delete(thread)
        return headOf(journal, opened)
      }),
    leaseValid(thread, { epoch, incarnation }) {
      const lease = leases.get(thread)
      return lease?.epoch === epoch && lease.incarnation === incarnation
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

/** Plans an operation in the next group of a thread; returns its result when what makes it true is written. */
function inGroup<T>(journal: OpenJournal, opened: ThreadFile, plan: (draft: Draft) => T): Promise<T> {
  return new Promise((resolve, reject) => enqueue(journal, opened, { plan: settling(plan, { resolve, reject }), reject }))
}

/** The same as a group of its own, which excludes removals: a fork may fail because of its parent. */
function inExclusiveGroup<T>(journal: OpenJournal, opened: ThreadFile, plan: (draft: Draft) => T): Promise<T> {
  return new Promise((resolve, reject) =>
    enqueue(journal, opened, { alone: () => journal.exclusive(() => commit(journal, opened, [settling(plan, { resolve, reject })])), reject }),
  )
}

/** How the caller of an operation is notified. */
type Notified<T> = { readonly resolve: (result: T) => void; readonly reject: (error: unknown) => void }

/** The plan of an operation that settles alone: one that is refused with an error does not fail its group (GROUP-2). */
function settling<T>(plan: (draft: Draft) => T, { resolve, reject }: Notified<T>): (draft: Draft) => () => void {
  return (draft) => {
    try {
      const result = plan(draft)
      return () => resolve(result)
    } catch (error) {
      return () => reject(error)
    }
  }
}

/** The head of a thread; throws if its file does not say what it is. */
async function headOf(journal: OpenJournal, opened: ThreadFile): Promise<Head | undefined> {
  if (!opened.head && !opened.damage) await openFile(journal.folder, opened)
  const { damage, header, head } = opened
  if (damage && !(header && head)) throw damageError(damage)
  return copyOf(opened, journal)
}

function copyOf({ head, holder }: ThreadFile, { folder }: OpenJournal): Head | undefined {
  if (!head) return undefined
  const { times, ...copy } = structuredClone(head)
  return { ...copy, holder: holder?.worker, times: { ...times, now: folder.now() } }
}

async function read(journal: OpenJournal, opened: ThreadFile, range: ReadRange & { thread: string }): Promise<OwnEvents> {
  const { thread, from = 1, limit, incarnation } = range
  const state = await openFile(journal.folder, opened)
  const { head, header, damage } = opened
  // What a file without a readable header holds is not known: reading it fails.
  const isKnown = !damage || (header && head)
  if (incarnation !== undefined && isKnown && (!head?.seq || incarnation !== head.incarnation)) return undefined
  if (head?.forkOf && from <= head.forkOf.seq) return { forkOf: { ...head.forkOf } }
  try {
    return await readPage(journal.folder, opened, { state, thread, from, limit })
  } catch (error) {
    if (opened.state === state) throw error
    // The thread was removed meanwhile. There may be a new one under its name, or none.
    return read(journal, opened, range)
  }
}

/** A blob of any thread. Threads that were not opened are opened for it: only their files say which blobs they have. */
async function findBlob(journal: OpenJournal, name: string): Promise<Uint8Array | undefined> {
  const { folder, files } = journal
  await learnAll(journal)
  const holders = [...files.values()].filter(({ blobs }) => blobs?.has(name))
  const unknown = [...files.values()].filter(({ blobs }) => !blobs)
  for (const opened of [...holders, ...unknown]) {
    const bytes = await useFile(journal, opened, async () => readBlob(folder, opened, { state: await openFile(folder, opened), name }))
    if (bytes) return bytes
  }
  return undefined
}

/** The damage of a folder that reading its threads does not show. A thread in use may be in the middle of a write, and only look torn. */
async function findingsIn(journal: OpenJournal): Promise<readonly JournalFinding[]> {
  const { folder, files } = journal
  await learnAll(journal)
  const { damage, cut } = await inspectFolder(folder.path, folder)
  const listed = new Set([...files.values()].flatMap(({ head }) => head?.thread ?? []))
  const inUse = new Set([...files.values()].flatMap(({ state, head }) => (state && head ? [head.thread] : [])))
  const elsewhere = damage.filter(({ kind, thread = '' }) => !(kind === 'damaged' && listed.has(thread)) && !(kind === 'torn' && inUse.has(thread)))
  return [
    ...elsewhere.map((found) => ({ ...(found.thread !== undefined && { thread: found.thread, seq: found.seq }), problem: describeDamage(found) })),
    ...cut.map(findingOfCopy),
  ]
}

/** What a copy of a bad part of a file shows. */
function findingOfCopy(name: string): JournalFinding {
  if (!name.includes('.torn-')) return { problem: `The feed was damaged and has been written anew. What it was is kept in ${name}.` }
  return { problem: `The end of a file was torn and has been cut off. It is kept in ${name}.`, repaired: true }
}
