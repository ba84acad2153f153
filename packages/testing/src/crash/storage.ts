/** Where the journal of a life lies: what stays when a process is gone. */
import { type Journal, memoryJournal } from '@loom-agent/kernel'

/** A storage that processes open one after another, or side by side. */
export interface CrashStorage {
  /** A handle, as a new process gets it. */
  open(): Journal | Promise<Journal>
  /** The process that had this handle is gone: nothing it has not stored is stored any more. */
  abandon(journal: Journal): void | Promise<void>
  /** Nobody needs it any more. */
  discard?(): void | Promise<void>
}

/** Makes a storage with nothing in it. */
export type CrashStorageFactory = () => CrashStorage | Promise<CrashStorage>

/** A storage in memory. The journal keeps encoded records, so that whoever opens it reads bytes. */
export function memoryStorage(): CrashStorage {
  const journal = memoryJournal()
  return { open: () => journal, abandon: () => {} }
}

/** The same journal; `asked` is told of every operation, and what it answers is called when the operation has come back; without an answer it never does. */
export function trackedJournal(journal: Journal, asked: () => (() => void) | undefined): Journal {
  const track = async <T>(work: () => Promise<T>): Promise<T> => {
    const back = asked()
    if (!back) return new Promise(() => {})
    try {
      return await work()
    } finally {
      back()
    }
  }
  return {
    traits: journal.traits,
    acquire: (thread, claim) => track(() => journal.acquire(thread, claim)),
    release: (thread, epoch) => track(() => journal.release(thread, epoch)),
    append: (thread, batch) => track(() => journal.append(thread, batch)),
    head: (thread) => track(() => journal.head(thread)),
    read: (thread, range) => track(() => journal.read(thread, range)),
    watch: (thread, hint) => journal.watch(thread, hint),
    threads: (query) => track(() => journal.threads(query)),
    blob: (hash) => track(() => journal.blob(hash)),
    remove: (thread) => track(() => journal.remove(thread)),
    close: () => track(() => journal.close()),
  }
}
