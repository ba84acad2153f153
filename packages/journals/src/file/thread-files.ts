/** The threads that are in use, each with its queue of operations; those that are not used are forgotten again. */
import type { RemoveResult } from '@loom-agent/kernel'
import type { Folder } from './folder.ts'
import type { Operation } from './group.ts'
import type { LinePlace, StoredHead } from './scan.ts'
import { headOfState, openState, type ThreadState } from './thread-state.ts'

/** Something that waits for its turn. A removal is done alone; a repair is what every group begins with. */
export type Waiting = Readonly<{ operation: Operation | Removal | Repair; fail: (error: unknown) => void }>
type Removal = Readonly<{ kind: 'remove'; resolve: (result: RemoveResult) => void }>
type Repair = Readonly<{ kind: 'repair' }>

/** The file of a thread, as far as it is in memory. */
export interface ThreadFile {
  readonly name: string
  opening: Promise<ThreadState> | undefined
  opened: ThreadState | undefined
  /** A look at the end of a file that is not open; opening it waits for that. */
  looking: Promise<unknown> | undefined
  readonly queue: Waiting[]
  /** The work on the queue, and the flush behind it. */
  working: Promise<void> | undefined
  flushing: Promise<void> | undefined
  users: number
}

/** The files of a journal's threads. */
export interface ThreadFiles {
  /** Uses a file: while it is used it is not forgotten. */
  use<T>(name: string, work: (file: ThreadFile) => Promise<T>): Promise<T>
  open(file: ThreadFile): Promise<ThreadState>
  /** The head of a thread: as it is known, or else by a look at its file, during which nobody opens it. */
  look(name: string, look: () => Promise<StoredHead | undefined>): Promise<StoredHead | undefined>
  all(): readonly ThreadFile[]
  /** Where the blobs are of every thread that has been opened; kept when the thread is forgotten. */
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
      // A suspect thread is the only place that knows what its file should hold.
      if (file.users > 0 || file.opened?.isSuspect) continue
      files.delete(file.name)
      void file.opened?.handle.drop()
    }
  }
  const use: ThreadFiles['use'] = async (name, work) => {
    const file = files.get(name) ?? freshFile(name)
    // What was used last is forgotten last.
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
  const look: ThreadFiles['look'] = (name, see) =>
    use(name, async (file) => {
      if (file.opening) return headOfState(await file.opening)
      const looking = see()
      file.looking = looking
      const head = await looking.finally(() => (file.looking = undefined))
      return head ?? headOfState(await open(file))
    })
  return { use, open, look, all: () => [...files.values()], blobs }
}

const freshFile = (name: string): ThreadFile => ({
  name,
  opening: undefined,
  opened: undefined,
  looking: undefined,
  queue: [],
  working: undefined,
  flushing: undefined,
  users: 0,
})

async function openFile(folder: Folder, file: ThreadFile): Promise<ThreadState> {
  try {
    await file.looking?.catch(() => {})
    file.opened = await openState(folder, file.name)
    return file.opened
  } catch (error) {
    file.opening = undefined
    throw error
  }
}
