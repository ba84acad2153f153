/** Writes a whole text file, so that a crash leaves the old file or the new one, never a part. */
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { type Folder, inFolder, refuseUnlessFile } from './confinement.ts'
import { isProtected, segmentsOf } from './path.ts'
import { forbidden, hasCode, refusal } from './refusal.ts'

/** The input of `write_file`. */
export interface WriteInput {
  readonly path: string
  readonly content: string
}

/** The limits of a write. */
export interface WriteBounds {
  readonly root: string
  readonly maxBytes: number
  readonly protect: readonly string[]
  /** The call's key: the same for the same call, also after a crash. */
  readonly key: string
  readonly signal: AbortSignal
}

/** The result of `write_file`. */
export interface Written {
  readonly path: string
  readonly bytes: number
}

/** Writes the file and returns how many bytes it has. Writing the same content again changes nothing. */
export async function writeTextFile({ path, content }: WriteInput, bounds: WriteBounds): Promise<Written> {
  const segments = segmentsOf(path)
  const name = segments.at(-1)
  if (name === undefined || path.endsWith('/')) throw refusal('LOOM_TOOL_INPUT_INVALID', path, `${path} is a folder. Give the path of a file.`)
  const data = Buffer.from(content, 'utf8')
  if (data.length > bounds.maxBytes) {
    throw refusal(
      'LOOM_TOOL_INPUT_INVALID',
      path,
      `The content has ${data.length} bytes; ${bounds.maxBytes} are allowed. Write less, or several files.`,
    )
  }
  const check = (names: readonly string[]): void => refuseProtected(path, names, bounds.protect)
  check(segments)
  const walk = { root: bounds.root, path, create: true, check }
  await inFolder(walk, segments.slice(0, -1), (folder) => replace(folder, { name, path, data }, bounds))
  return { path: segments.join('/'), bytes: data.length }
}

function refuseProtected(path: string, names: readonly string[], protect: readonly string[]): void {
  const found = names.find((name) => isProtected(name, protect))
  if (found !== undefined) throw forbidden(path, `${found} is protected and may not be written. Write to another place, or ask the user to do it.`)
}

interface Replacement {
  readonly name: string
  readonly path: string
  readonly data: Buffer
}

/** Writes a temporary file, flushes it and renames it; the folder is flushed last, so that the new name survives a power cut. */
async function replace(folder: Folder, { name, path, data }: Replacement, { key, signal }: WriteBounds): Promise<void> {
  const previous = await previousOf(folder, name, path)
  const temporary = folder.at(`.loom-${createHash('sha256').update(key).update(name).digest('hex').slice(0, 24)}.tmp`)
  try {
    const handle = await openNew(temporary)
    try {
      if (previous) await handle.chmod(previous.mode & 0o777)
      await handle.writeFile(data)
      await handle.sync()
    } finally {
      await handle.close()
    }
    signal.throwIfAborted()
    await rename(temporary, folder.at(name))
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await folder.handle.sync().catch((error: unknown) => {
    // Some systems cannot flush a folder; the file itself is flushed.
    if (!hasCode(error, 'EINVAL') && !hasCode(error, 'EPERM')) throw error
  })
}

/** The existing file, if there is one. A link is refused: the write would replace the file that it leads to. */
async function previousOf(folder: Folder, name: string, path: string): Promise<Stats | undefined> {
  const stats = await lstat(folder.at(name)).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (stats?.isSymbolicLink()) throw forbidden(path, `${path} is a link. Give the path of the file itself.`)
  if (stats) refuseUnlessFile(stats, path)
  return stats
}

const noFollow = constants.O_NOFOLLOW ?? 0

/** Creates the temporary file. One that a crash has left under this name belongs to the same call, and is replaced. */
async function openNew(place: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow
  try {
    return await open(place, flags, 0o666)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    await unlink(place)
    return open(place, flags, 0o666)
  }
}
