/** Removes a thread: its file, and the files that hold what was cut off. */
import type { RemoveResult } from '@loom-agent/kernel'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder } from './folder.ts'
import type { OpenJournal } from './open-journal.ts'
import type { ThreadFile } from './thread-files.ts'

/** Removes a thread durably, unless a fork reads it. After a failure it can be called again, and continues. */
export function remove(journal: OpenJournal, file: ThreadFile): Promise<RemoveResult> {
  return journal.exclusive(async () => {
    const { fork, head } = await journal.table.find(file.name)
    if (fork !== undefined) return { kind: 'forked', fork }
    await file.flushing
    // Otherwise a thread that is being opened now would come back after its removal.
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
    // The state in memory is not valid any more, whether or not the file was removed.
    void file.opened?.handle.drop()
    Object.assign(file, { opening: undefined, opened: undefined })
    files.blobs.delete(file.name)
  }
  await folder.disk.syncFolder(folder.path)
  holders.delete(file.name)
}

/** Removes the thread's own file last: after an interrupted removal the thread still exists, and can be removed again. */
async function removeFiles(folder: Folder, stem: string): Promise<void> {
  const names = (await folder.disk.list(folder.path)).map(({ name }) => name)
  const own = [...names.filter((name) => name.startsWith(`${stem}.torn-`)), ...names.filter((name) => name === `${stem}${ending}`)]
  for (const name of own) await folder.disk.remove(`${folder.path}/${name}`)
}
