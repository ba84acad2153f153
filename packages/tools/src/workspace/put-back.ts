/**
 * Putting one file of a workspace back.
 *
 * PUTBACK-1. A file is replaced or removed only while it has the state that it must have: what anybody else has made of it stays, also in the last moment
 *     (ASIDE-1).
 * PUTBACK-2. No link is followed, not even inside the root: a folder that has become a link is another place. Links themselves are looked at and replaced.
 * PUTBACK-3. Protected places and journals are not written to, whatever a record says: a record may come from a model, and a protected file from a person.
 * PUTBACK-4. A link is made only where it leads to a place inside the root.
 */
import { lstat, readlink, symlink } from 'node:fs/promises'
import { posix } from 'node:path'
import type { FileToPut, FoundFile } from '@loom-agent/agent'
import type { FileConflict, FileMode } from '@loom-agent/kernel'
import { openRegular, refuseUnlessFile } from '../files/confinement.ts'
import { hashOf, hashOfFile } from '../files/content-hash.ts'
import { segmentsOf } from '../files/path.ts'
import { forbidden, hasCode, refusal, refusalOf } from '../files/refusal.ts'
import { changedMeanwhile, flush, removeLeftover, replace } from '../files/replace-file.ts'
import { type ChangeRoot, inTarget, modeOf, type Target } from '../files/target.ts'
import { type Exchange, exchangeFile, giveBack, takeName } from './exchange-file.ts'

/** Where files are put back. */
export interface PutBounds extends ChangeRoot {
  /** Bytes that a file may have: all of them are read for its hash. */
  readonly maxFileBytes: number
}

/** How a file is stored, and the hash of its content. */
interface State {
  readonly hash: string | null
  readonly mode: FileMode
}

const absent: State = { hash: null, mode: null }

/** What a file is now, or why it may not be looked at. */
export async function lookAt(path: string, bounds: PutBounds): Promise<FoundFile> {
  try {
    return await inPlace({ path }, bounds, (target) => stateOf(target, bounds))
  } catch (error) {
    return hasCode(error, 'ENOENT') ? absent : { refused: refusalOf(error, path).message }
  }
}

/** Puts a file back; returns what stands in the way. */
export async function putBack({ change, content, key }: FileToPut, bounds: PutBounds): Promise<FileConflict | undefined> {
  const { path, before, after } = change
  try {
    return await inPlace({ path, create: after !== null }, bounds, (target) => put(target, { change, content, key }, bounds))
  } catch (error) {
    // A folder that is gone has taken the file with it.
    if (hasCode(error, 'ENOENT')) return after === null ? undefined : { path, reason: 'edited', wanted: after, expected: before, found: null }
    return { path, reason: 'refused', detail: refusalOf(error, path).message, wanted: after, expected: before }
  }
}

/** Does something in the open folder of a file (PUTBACK-2, PUTBACK-3). */
async function inPlace<T>(
  place: { readonly path: string; readonly create?: boolean },
  bounds: ChangeRoot,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const { path } = place
  const names = segmentsOf(path)
  const why = bounds.guard.reason('write', names)
  if (why !== undefined) throw forbidden(path, `${path} is protected: ${why}. Put it back by hand.`)
  const check = (reached: readonly string[]): void => {
    if (reached.some((name, index) => name !== names[index])) throw forbidden(path, `A folder of ${path} is a link now. Put it back by hand.`)
  }
  return inTarget({ ...place, check }, bounds, { signal: never, work })
}

const never = new AbortController().signal

async function stateOf({ folder, name, path }: Target, { maxFileBytes }: PutBounds): Promise<State> {
  const stats = await lstat(folder.at(name)).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (!stats) return absent
  if (stats.isSymbolicLink()) return { hash: hashOf(await readlink(folder.at(name), 'buffer')), mode: 'link' }
  refuseUnlessFile(stats, path)
  if (stats.size > maxFileBytes) throw refusal('LOOM_TOOL_FAILED', path, `${path} has ${stats.size} bytes; at most ${maxFileBytes} are looked at.`)
  const handle = await openRegular(folder, name, path)
  try {
    return { hash: await hashOfFile(handle, never), mode: modeOf(await handle.stat()) }
  } finally {
    await handle.close()
  }
}

/** Whether a file has a state. Where it is not known how it was stored, it was no link. */
const isIn = (now: State, hash: string | null, mode: FileMode | undefined): boolean =>
  now.hash === hash && (mode === undefined ? now.mode !== 'link' : now.mode === mode)

async function put(target: Target, { change, content, key }: FileToPut, bounds: PutBounds): Promise<FileConflict | undefined> {
  const { path, before, after, modes: [was, is] = [] } = change
  const isExpected = async (name: string): Promise<boolean> => isIn(await stateOf({ ...target, name }, bounds), before, was)
  const exchange: Exchange = { key, isExpected }
  await giveBack(target, exchange)
  let now = await stateOf(target, bounds)
  if (isIn(now, after, is)) {
    await removeLeftover(target, key)
    return undefined
  }
  const isStill = async (): Promise<boolean> => {
    now = await stateOf(target, bounds)
    return isIn(now, before, was)
  }
  const edited = (): FileConflict => ({ path, reason: 'edited', wanted: after, expected: before, found: now.hash })
  if (!isIn(now, before, was)) return edited()
  // Where there was no file, there is nothing to move aside.
  const placed = (fill: () => Promise<void>): Promise<void> => (before === null ? fill() : exchangeFile(target, exchange, fill))
  const placeFile = (temporary: string): Promise<void> => placed(() => takeName(temporary, target.folder.at(target.name)))
  try {
    if (content === null) await placed(async () => {})
    else if (content === undefined) await putMode(target, Number(is))
    else if (is === 'link') await putLink(target, Buffer.from(content), { isStill, placed })
    else await replace(target, content, { key, isStill, place: placeFile, ...(typeof is === 'number' && { mode: is }) })
    await flush(target.folder)
  } catch (error) {
    const isSame = await isStill()
    if (isIn(now, after, is)) return undefined
    if (isSame && !hasCode(error, 'EEXIST') && !hasCode(error, 'ENOENT')) throw error
    return edited()
  }
  return undefined
}

/** Gives a file other permissions. */
async function putMode({ folder, name, path }: Target, mode: number): Promise<void> {
  const handle = await openRegular(folder, name, path)
  try {
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

interface PuttingLink {
  readonly isStill: () => Promise<boolean>
  /** Fills the name when what stood there is aside. */
  readonly placed: (fill: () => Promise<void>) => Promise<void>
}

/** Makes a link that leads to a place inside the root (PUTBACK-4). */
async function putLink(target: Target, content: Buffer, { isStill, placed }: PuttingLink): Promise<void> {
  const { folder, name, path } = target
  const to = content.toString('utf8')
  const inside = posix.normalize(posix.join(...folder.segments, to))
  if (to === '' || posix.isAbsolute(to) || to.includes('\0') || inside === '..' || inside.startsWith('../'))
    throw forbidden(path, `${path} was a link that leads out of the folder. Put it back by hand.`)
  if (!(await isStill())) throw changedMeanwhile(path)
  await placed(() => symlink(content, folder.at(name)))
}
