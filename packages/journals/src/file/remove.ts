/** Removing a thread: its file, and what was cut off it. */
import type { RemoveResult } from '@loom-agent/kernel'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder } from './folder.ts'
import type { OpenJournal } from './open-journal.ts'
import type { StoredHead } from './scan.ts'
import type { ThreadFile } from './thread-files.ts'

/** Removes a thread durably, unless a fork reads it. Done again after a failure it goes on where it failed. */
export async function remove(journal: OpenJournal, file: ThreadFile): Promise<RemoveResult> {
  const { table, beginning, removing, holders } = journal
  await file.flushing
  const { fork, head } = await table.find(file.name)
  // From here to the entry in `removing` nothing is awaited: a fork that begins is seen, or sees the removal (JOURNAL-7).
  const reader = fork ?? beginning.get(file.name)?.values().next().value
  if (reader !== undefined) return { kind: 'forked', fork: reader }
  const removal = removeThread(journal, file, head)
  removing.set(
    file.name,
    removal.catch(() => {}),
  )
  await removal.finally(() => removing.delete(file.name))
  holders.delete(file.name)
  return { kind: 'removed' }
}

async function removeThread({ folder, files, table, feed }: OpenJournal, file: ThreadFile, head: StoredHead | undefined): Promise<void> {
  // A thread that is being opened now would be found again when it is gone.
  await file.opening?.catch(() => {})
  if (head) await feed.recordRemoval(file.name, head.incarnation)
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
}

/** The file goes last: an interrupted removal leaves the thread, to be removed again. */
async function removeFiles(folder: Folder, stem: string): Promise<void> {
  const names = (await folder.disk.list(folder.path)).map(({ name }) => name)
  const own = [...names.filter((name) => name.startsWith(`${stem}.torn-`)), ...names.filter((name) => name === `${stem}${ending}`)]
  for (const name of own) await folder.disk.remove(`${folder.path}/${name}`)
}
