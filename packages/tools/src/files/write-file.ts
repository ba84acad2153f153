/** Writing a whole text file, so that a crash leaves the old file or the new one and never a half. */
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { type Folder, inFolder, refuseUnlessFile } from './confinement.ts'
import { isProtected, segmentsOf } from './path.ts'
import { forbidden, hasCode, refusal } from './refusal.ts'

/** What to write where. */
export interface WriteInput {
  readonly path: string
  readonly content: string
}

/** What writing is bound to. */
export interface WriteBounds {
  readonly root: string
  readonly maxBytes: number
  readonly protect: readonly string[]
  /** The call's key: the same for the same call, also after a crash. */
  readonly key: string
  readonly signal: AbortSignal
}

/** What was written. */
export interface Written {
  readonly path: string
  readonly bytes: number
}

/** Writes the file and answers how many bytes it has. Written twice with the same content, it is the same file. */
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
  const judge = (names: readonly string[]): void => refuseProtected(path, names, bounds.protect)
  judge(segments)
  const walk = { root: bounds.root, path, create: true, judge }
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

/** Written beside, flushed, put in place by one rename; the folder is flushed last, so that the new name survives a power cut. */
async function replace(folder: Folder, { name, path, data }: Replacement, { key, signal }: WriteBounds): Promise<void> {
  const former = await formerOf(folder, name, path)
  const beside = folder.at(`.loom-${createHash('sha256').update(key).update(name).digest('hex').slice(0, 24)}.tmp`)
  try {
    const handle = await openNew(beside)
    try {
      if (former) await handle.chmod(former.mode & 0o777)
      await handle.writeFile(data)
      await handle.sync()
    } finally {
      await handle.close()
    }
    signal.throwIfAborted()
    await rename(beside, folder.at(name))
  } catch (error) {
    await unlink(beside).catch(() => {})
    throw error
  }
  await folder.handle.sync().catch((error: unknown) => {
    // Some systems cannot flush a folder; the file itself is flushed.
    if (!hasCode(error, 'EINVAL') && !hasCode(error, 'EPERM')) throw error
  })
}

/** The file that is there already. A link is not written through: where it leads may be somebody else's. */
async function formerOf(folder: Folder, name: string, path: string): Promise<Stats | undefined> {
  const stats = await lstat(folder.at(name)).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (stats?.isSymbolicLink()) throw forbidden(path, `${path} is a link. Give the path of the file itself.`)
  if (stats) refuseUnlessFile(stats, path)
  return stats
}

const noFollow = constants.O_NOFOLLOW ?? 0

/** What a crash has left under this name belongs to this very call, and is replaced. */
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
