/** Where the journal of a trial is kept: what remains when a process is gone. */
import { memoryJournal } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'

/** A storage that processes open one after another, or at the same time. */
export interface CrashStorage {
  /** A handle for a new process. */
  open(): Journal | Promise<Journal>
  /** The process that had this handle is gone: nothing that is not stored by now is stored later. */
  abandon(journal: Journal): void | Promise<void>
  /** The storage is not needed any more. */
  discard?(): void | Promise<void>
}

/** Makes an empty storage. */
export type CrashStorageFactory = () => CrashStorage | Promise<CrashStorage>

/** A storage in memory. The journal keeps encoded records, so every process decodes what it reads. */
export function memoryStorage(): CrashStorage {
  const journal = memoryJournal()
  return { open: () => journal, abandon: () => {} }
}
