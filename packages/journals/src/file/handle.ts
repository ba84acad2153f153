/** A file that is opened at its first use, shared by all users, and closed on request when the last of them is done. */
import type { DiskFile } from './disk.ts'

/** The handle of a file. */
export interface Handle {
  use<T>(work: (file: DiskFile) => Promise<T>): Promise<T>
  /** Closes the file as soon as its current users are done; a later use opens it again. */
  drop(): Promise<void>
}

interface Opened {
  readonly file: Promise<DiskFile>
  users: number
  readonly unused: PromiseWithResolvers<void>
}

/** A handle; `open` is called whenever the file has to be opened. */
export function createHandle(open: () => Promise<DiskFile>): Handle {
  let current: Opened | undefined
  const leave = (opened: Opened): void => {
    opened.users -= 1
    if (opened.users === 0 && opened !== current) opened.unused.resolve()
  }
  return {
    async use(work) {
      current ??= { file: open(), users: 0, unused: Promise.withResolvers() }
      const opened = current
      opened.users += 1
      try {
        return await work(
          await opened.file.catch((error: unknown) => {
            if (current === opened) current = undefined
            throw error
          }),
        )
      } finally {
        leave(opened)
      }
    },
    async drop() {
      if (!current) return
      const opened = current
      current = undefined
      if (opened.users > 0) await opened.unused.promise
      // A file that could not be opened, or not be closed, needs nothing more.
      await opened.file.then((file) => file.close()).catch(() => {})
    },
  }
}
