/** The files of threads that are in memory, each with its queue of operations. Those that are not used are dropped after a while. */
import type { RemoveResult } from '@loom-agent/kernel'
import type { Folder } from './folder.ts'
import type { Operation } from './group.ts'
import type { LinePlace, StoredHead } from './scan.ts'
import { headOfState, openState, type ThreadState } from './thread-state.ts'

/** An operation in the queue. A removal is done alone; a repair has no operation of its own, because every group starts with one. */
export type Waiting = Readonly<{ operation: Operation | Removal | Repair; fail: (error: unknown) => void }>
type Removal = Readonly<{ kind: 'remove'; resolve: (result: RemoveResult) => void }>
type Repair = Readonly<{ kind: 'repair' }>

/** The file of a thread, as far as it is in memory. */
export interface ThreadFile {
  readonly name: string
  opening: Promise<ThreadState> | undefined
  opened: ThreadState | undefined
  /** A read of the end of a file that is not open; opening it waits for that. */
  peeking: Promise<unknown> | undefined
  readonly queue: Waiting[]
  /** The work on the queue, and the flush behind it. */
  working: Promise<void> | undefined
  flushing: Promise<void> | undefined
  users: number
}

/** The files of a journal's threads. */
export interface ThreadFiles {
  /** Uses a file: it is not dropped from memory meanwhile. */
  use<T>(name: string, work: (file: ThreadFile) => Promise<T>): Promise<T>
  open(file: ThreadFile): Promise<ThreadState>
  /** The head of a thread: from memory, or else from `read`, during which the file is not opened. */
  peek(name: string, read: () => Promise<StoredHead | undefined>): Promise<StoredHead | undefined>
  all(): readonly ThreadFile[]
  /** The blobs of every thread that has been opened; kept when the thread is dropped from memory. */
  readonly blobs: Map<string, ReadonlyMap<string, LinePlace>>
}

/** How many threads are kept in memory, with an open file each, beyond those in use. */
const kept = 128

/** The thread files of a folder. */
export function createThreadFiles(folder: Folder): ThreadFiles {
  const files = new Map<string, ThreadFile>()
  const blobs: ThreadFiles['blobs'] = new Map()
  const trim = (): void => {
    for (const file of files.size > kept ? files.values() : []) {
      if (files.size <= kept) return
      // Only the state of a suspect file says what the file should hold.
      if (file.users > 0 || file.opened?.isSuspect) continue
      files.delete(file.name)
      void file.opened?.handle.drop()
    }
  }
  const use: ThreadFiles['use'] = async (name, work) => {
    const file = files.get(name) ?? freshFile(name)
    // The least recently used file is dropped first.
    files.delete(name)
    files.set(name, file)
    file.users += 1
    try {
      return await work(file)
    } finally {
      file.users -= 1
      trim()
    }
  }
  const open = (file: ThreadFile): Promise<ThreadState> => {
    file.opening ??= openFile(folder, file).then((state) => {
      blobs.set(file.name, state.scan.index.blobs)
      return state
    })
    return file.opening
  }
  const peek: ThreadFiles['peek'] = (name, read) =>
    use(name, async (file) => {
      if (file.opening) return headOfState(await file.opening)
      const peeking = read()
      file.peeking = peeking
      const head = await peeking.finally(() => (file.peeking = undefined))
      return head ?? headOfState(await open(file))
    })
  return { use, open, peek, all: () => [...files.values()], blobs }
}

const freshFile = (name: string): ThreadFile => ({
  name,
  opening: undefined,
  opened: undefined,
  peeking: undefined,
  queue: [],
  working: undefined,
  flushing: undefined,
  users: 0,
})

async function openFile(folder: Folder, file: ThreadFile): Promise<ThreadState> {
  try {
    await file.peeking?.catch(() => {})
    file.opened = await openState(folder, file.name)
    return file.opened
  } catch (error) {
    file.opening = undefined
    throw error
  }
}
