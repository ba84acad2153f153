/** Replacing and removing one file, so that a crash leaves the old one or the new one (CHANGING-3). */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import type { Folder } from './confinement.ts'
import { hasCode, refusal } from './refusal.ts'
import type { Target } from './target.ts'

/** How a file is replaced. */
export interface Replacing {
  /** Names the temporary file. */
  readonly key: string
  /** The permission bits that the file is to have; default: those of a new file. */
  readonly mode?: number
  /** Whether the file still has the content that is replaced. */
  readonly isStill: () => Promise<boolean>
  /** Gives the temporary file its name; default: it takes the place of the other one. */
  readonly place?: (temporary: string) => Promise<void>
}

/** Writes a temporary file, flushes it and renames it; the folder is flushed last, so that the new name survives a power cut. */
export async function replace({ folder, name, path, signal }: Target, content: Uint8Array, { key, mode, isStill, place }: Replacing): Promise<void> {
  const temporary = folder.at(leftoverOf(key, name))
  try {
    const handle = await openNew(temporary)
    try {
      if (mode !== undefined) await handle.chmod(mode)
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    signal.throwIfAborted()
    if (!(await isStill())) throw changedMeanwhile(path)
    await (place ? place(temporary) : rename(temporary, folder.at(name)))
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await flush(folder)
}

/** Removes the file. */
export async function remove({ folder, name }: Target): Promise<void> {
  await unlink(folder.at(name)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
  await flush(folder)
}

/** What a crash has left beside the file belongs to the same call. */
export const removeLeftover = ({ folder, name }: Target, key: string): Promise<void> => unlink(folder.at(leftoverOf(key, name))).catch(() => {})

/** The name of the temporary file that stands for another. */
export const leftoverOf = (key: string, name: string): string =>
  `.loom-${createHash('sha256').update(key).update(name).digest('hex').slice(0, 24)}.tmp`

/** Whether a name is that of a temporary file. */
export const isLeftover = (name: string): boolean => /^\.loom-[\da-f]{24}\.tmp$/u.test(name)

/** Flushes a folder, so that new names in it survive a power cut. */
export async function flush(folder: Folder): Promise<void> {
  await folder.handle.sync().catch((error: unknown) => {
    // Some systems cannot flush a folder; the file itself is flushed.
    if (!hasCode(error, 'EINVAL') && !hasCode(error, 'EPERM')) throw error
  })
}

/** Creates the temporary file. One that a crash has left under this name belongs to the same call, and is replaced. */
async function openNew(place: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  try {
    return await open(place, flags, 0o666)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    await unlink(place)
    return open(place, flags, 0o666)
  }
}

/** The refusal of a file that others have changed: true whether the change was made before the other one or not. */
export const changedMeanwhile = (path: string): Error =>
  refusal(
    'LOOM_TOOL_FAILED',
    path,
    `Conflict: ${path} was changed by somebody else during this call, and is left as it is. Read it again before you change it.`,
  )
