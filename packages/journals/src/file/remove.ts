/** Removing a thread: its file, what was cut off it, and its blobs. */
import { fileNameOf } from './file-name.ts'
import type { Office } from './office.ts'
import type { Slot } from './slot.ts'
import { ending, type Folder } from './thread.ts'

/** Removes a thread durably. Done again after a failure it goes on where it failed. */
export async function remove(office: Office, slot: Slot): Promise<void> {
  const { folder, blobs, table, holders } = office
  const stem = fileNameOf(slot.name)
  await slot.flushing
  // Who is opening the thread now would find it again when it is gone.
  await slot.opening?.catch(() => {})
  await table.spoil()
  try {
    await removeFiles(folder, stem)
    table.set(slot.name, undefined)
  } catch (error) {
    table.forget(slot.name)
    throw error
  } finally {
    // Whatever became of the file, what was known of it is not believed any more.
    void slot.opened?.handle.drop()
    Object.assign(slot, { opening: undefined, opened: undefined })
  }
  await folder.disk.syncFolder(folder.path)
  await blobs.removeOf(stem)
  holders.delete(slot.name)
}

/** The file goes last: who is interrupted finds the thread, and removes it again. */
async function removeFiles(folder: Folder, stem: string): Promise<void> {
  const names = (await folder.disk.list(folder.path)).map(({ name }) => name)
  const own = [...names.filter((name) => name.startsWith(`${stem}.torn-`)), ...names.filter((name) => name === `${stem}${ending}`)]
  for (const name of own) await folder.disk.remove(`${folder.path}/${name}`)
}
