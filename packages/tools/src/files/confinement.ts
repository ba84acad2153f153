/**
 * Opens files and folders inside a root, and never outside of it.
 *
 * CONFINE-1. Folders are walked one name at a time from the root, each opened without following a link; the next name is looked up in the open folder,
 *            not by a path that another process may change meanwhile. Only Linux can do that without native code; elsewhere the place is checked again
 *            after opening, which leaves a short race with a process that renames folders inside the root.
 * CONFINE-2. A link is followed only by walking to its target from the root again, so it may lead anywhere inside and nowhere else.
 * CONFINE-3. Only folders and regular files are opened.
 */
import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { forbidden, hasCode, refusal } from './refusal.ts'

/** An open folder inside the root. */
export interface Folder {
  /** Its real path. */
  readonly real: string
  /** The names from the root to it. */
  readonly segments: readonly string[]
  readonly handle: FileHandle
  /** The path by which the operating system finds a name in this open folder. */
  at(name: string): string
}

/** The start of a walk. */
export interface Walk {
  readonly root: string
  /** The path as it was given, for refusals. */
  readonly path: string
  /** Whether missing folders are created; default: no. */
  readonly create?: boolean
  /** Called with the real names along the way; throws to refuse. */
  readonly check?: (segments: readonly string[]) => void
  /** How many links were followed; default: none. */
  readonly links?: number
}

const mostLinks = 20
const noFollow = constants.O_NOFOLLOW ?? 0
const folderOnly = constants.O_DIRECTORY ?? 0
const noBlock = constants.O_NONBLOCK ?? 0
const descriptors = '/proc/self/fd'
const pins = process.platform === 'linux' && existsSync(descriptors)

/** Opens a folder inside the root, does the work with it, and always closes it. */
export async function inFolder<T>(walk: Walk, segments: readonly string[], work: (folder: Folder) => Promise<T>): Promise<T> {
  const folder = await openFolder(walk, segments)
  try {
    return await work(folder)
  } finally {
    await folder.handle.close()
  }
}

/** A place inside the root: its real names, and whether it is a folder. */
export interface Place {
  readonly segments: readonly string[]
  readonly isFolder: boolean
}

/** Where a path leads. Links are followed inside the root; what is there may be exchanged afterwards, so it is opened without following any. */
export async function placeOf(walk: Walk, segments: readonly string[]): Promise<Place> {
  const name = segments.at(-1)
  if (name === undefined) return { segments, isFolder: true }
  const found = await inFolder(walk, segments.slice(0, -1), async (folder) => {
    const stats = await lstat(folder.at(name))
    if (stats.isSymbolicLink()) return { target: await targetOf(folder.at(name), await rootOf(walk), walk.path) }
    const place = [...folder.segments, name]
    walk.check?.(place)
    if (!stats.isDirectory()) refuseUnlessFile(stats, walk.path)
    return { segments: place, isFolder: stats.isDirectory() }
  })
  return 'target' in found ? placeOf(afterLink(walk), found.target) : found
}

/** The walk after one more link. */
function afterLink(walk: Walk): Walk {
  const links = (walk.links ?? 0) + 1
  if (links > mostLinks) throw forbidden(walk.path, `${walk.path} goes through too many links. Give the path of the file itself.`)
  return { ...walk, links }
}

/** Opens a folder inside the root. The caller must close its handle. */
export async function openFolder(walk: Walk, segments: readonly string[]): Promise<Folder> {
  const root = await rootOf(walk)
  let folder = await openAt(root, { real: root, segments: [] }, walk)
  for (const [index, name] of segments.entries()) {
    try {
      const stats = await lookUp(folder, name, walk)
      if (stats.isSymbolicLink()) {
        const target = await targetOf(folder.at(name), root, walk.path)
        await folder.handle.close()
        return openFolder(afterLink(walk), [...target, ...segments.slice(index + 1)])
      }
      if (!stats.isDirectory()) throw notFolder(name, walk.path)
      const next = await openAt(folder.at(name), { real: join(folder.real, name), segments: [...folder.segments, name] }, walk)
      await folder.handle.close()
      folder = next
    } catch (error) {
      await folder.handle.close().catch(() => {})
      throw error
    }
  }
  return folder
}

const notFolder = (name: string, path: string): Error => {
  const which = name === path ? path : `${name} in ${path}`
  return refusal('LOOM_TOOL_FAILED', path, `${which} is a file, not a folder. Use read_file for files.`)
}

async function rootOf({ root, path }: Walk): Promise<string> {
  return realpath(root).catch((error: unknown) => {
    throw hasCode(error, 'ENOENT') ? refusal('LOOM_TOOL_FAILED', path, 'The root folder of this tool does not exist. Tell the user.') : error
  })
}

/** Opens a folder whose name was no link; a link that has replaced it meanwhile is not followed. */
async function openAt(place: string, known: Pick<Folder, 'real' | 'segments'>, walk: Walk): Promise<Folder> {
  walk.check?.(known.segments)
  const handle = await open(place, constants.O_RDONLY | folderOnly | noFollow).catch((error: unknown) => {
    throw hasCode(error, 'ELOOP') || hasCode(error, 'ENOTDIR') ? changed(walk.path) : error
  })
  try {
    await checkPlace(handle, known.real, walk.path)
    return { ...known, handle, at: (name) => (pins ? `${descriptors}/${handle.fd}/${name}` : join(known.real, name)) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const changed = (path: string): Error => forbidden(path, `${path} was changed while it was opened. Nothing was done.`)

/** Throws unless the open file is the one that was looked up: names may have been moved in between. */
async function checkPlace(handle: FileHandle, real: string, path: string): Promise<void> {
  const place = pins ? await readlink(`${descriptors}/${handle.fd}`) : await realpath(real)
  if (place !== real) throw changed(path)
  if (pins) return
  const [opened, there] = [await handle.stat(), await lstat(real)]
  if (opened.dev !== there.dev || opened.ino !== there.ino) throw changed(path)
}

async function lookUp(folder: Folder, name: string, { create, path, check }: Walk): Promise<Stats> {
  try {
    return await lstat(folder.at(name))
  } catch (error) {
    if (!create || !hasCode(error, 'ENOENT')) throw error
  }
  check?.([...folder.segments, name])
  await mkdir(folder.at(name)).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  const made = await lstat(folder.at(name))
  if (made.isDirectory()) return made
  throw changed(path)
}

/** Where a link leads, as names from the root. */
async function targetOf(place: string, root: string, path: string): Promise<readonly string[]> {
  const target = await realpath(place).catch((error: unknown) => {
    if (hasCode(error, 'ELOOP')) throw forbidden(path, `${path} is a link that leads to itself. Give another path.`)
    throw hasCode(error, 'ENOENT')
      ? refusal('LOOM_TOOL_FAILED', path, `${path} is a link to something that does not exist. Give another path.`)
      : error
  })
  const inside = relative(root, target)
  if (inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep) || /^[A-Za-z]:/.test(inside)) {
    throw forbidden(path, `${path} is a link that leads out of the root. Use a file inside the root.`)
  }
  return inside === '' ? [] : inside.split(sep)
}

/** An open regular file, and its size. */
export interface OpenFile {
  readonly handle: FileHandle
  /** Its real path. */
  readonly real: string
  readonly size: number
}

/** Opens a regular file for reading, does the work with it, and always closes it. Pipes, devices and sockets are refused before they can block. */
export async function inFile<T>(walk: Walk, segments: readonly string[], work: (file: OpenFile) => Promise<T>): Promise<T> {
  const name = segments.at(-1)
  if (name === undefined) throw refusal('LOOM_TOOL_INPUT_INVALID', walk.path, `${walk.path} is a folder. Use list for folders.`)
  const found = await inFolder(walk, segments.slice(0, -1), async (folder) => {
    const stats = await lstat(folder.at(name))
    if (stats.isSymbolicLink()) return { target: await targetOf(folder.at(name), await rootOf(walk), walk.path) }
    walk.check?.([...folder.segments, name])
    refuseUnlessFile(stats, walk.path)
    return { handle: await openRegular(folder, name, walk.path), real: join(folder.real, name) }
  })
  if ('target' in found) return inFile(afterLink(walk), found.target, work)
  try {
    return await work({ handle: found.handle, real: found.real, size: (await found.handle.stat()).size })
  } finally {
    await found.handle.close()
  }
}

/** Opens a regular file of an open folder for reading. A link is not followed, and what has no content of its own is refused before it can block. */
export async function openRegular(folder: Folder, name: string, path: string): Promise<FileHandle> {
  const handle = await open(folder.at(name), constants.O_RDONLY | noFollow | noBlock).catch((error: unknown) => {
    throw hasCode(error, 'ELOOP') || hasCode(error, 'ENXIO') ? changed(path) : error
  })
  try {
    refuseUnlessFile(await handle.stat(), path)
    await checkPlace(handle, join(folder.real, name), path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Throws unless it is a regular file: only these have content that can be read or replaced. */
export function refuseUnlessFile(stats: Stats, path: string): void {
  if (stats.isFile()) return
  if (stats.isDirectory()) throw refusal('LOOM_TOOL_INPUT_INVALID', path, `${path} is a folder. Use list for folders.`)
  const kind = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : stats.isSymbolicLink() ? 'a link' : 'a device'
  throw forbidden(path, `${path} is ${kind}, not a file. Use a regular file.`)
}
