/** Removing a thread: its file, and what was cut off it. */
import type { RemoveResult } from '@loom-agent/kernel'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder } from './folder.ts'
import type { OpenJournal } from './open-journal.ts'
import type { ThreadFile } from './thread-files.ts'

/** Removes a thread durably, unless a fork reads it. Done again after a failure it goes on where it failed. */
export function remove(journal: OpenJournal, file: ThreadFile): Promise<RemoveResult> {
  return journal.exclusive(async () => {
    const { fork, head } = await journal.table.find(file.name)
    if (fork !== undefined) return { kind: 'forked', fork }
    await file.flushing
    // A thread that is being opened now would be found again when it is gone.
    await file.opening?.catch(() => {})
    if (head) await journal.feed.recordRemoval(file.name, head.incarnation)
    await removeThread(journal, file)
    return { kind: 'removed' }
  })
}

async function removeThread({ folder, files, table, holders }: OpenJournal, file: ThreadFile): Promise<void> {
  try {
    await removeFiles(folder, fileNameOf(file.name))
    table.set(file.name, undefined)
  } catch (error) {
    table.forget(file.name)
    throw error
  } finally {
    // Whatever became of the file, what was known of it is not believed any more.
    void file.opened?.handle.drop()
    Object.assign(file, { opening: undefined, opened: undefined })
    files.blobs.delete(file.name)
  }
  await folder.disk.syncFolder(folder.path)
  holders.delete(file.name)
}

/** The file goes last: an interrupted removal leaves the thread, to be removed again. */
async function removeFiles(folder: Folder, stem: string): Promise<void> {
  const names = (await folder.disk.list(folder.path)).map(({ name }) => name)
  const own = [...names.filter((name) => name.startsWith(`${stem}.torn-`)), ...names.filter((name) => name === `${stem}${ending}`)]
  for (const name of own) await folder.disk.remove(`${folder.path}/${name}`)
}
