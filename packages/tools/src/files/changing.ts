/**
 * Changing one file so that a crash at any point is settled rightly.
 *
 * CHANGING-1. What is to become of the file is recorded first: the hash of its content before and after. The change itself is made only from that content
 *             before, and is done where the content is that after: run again after a crash, it is finished or found done, and states the same facts.
 * CHANGING-2. A file with another content than both was changed by somebody else since the call began: it is left as it is, and the model reads so.
 * CHANGING-3. A crash leaves the old file or the new one, never a part.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { DurableContext } from '@loom-agent/agent'
import { isLoomError, LoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { type Folder, inFolder, openRegular, refuseUnlessFile } from './confinement.ts'
import { hashOf, hashOfFile } from './content-hash.ts'
import type { FileChange } from './file-change.ts'
import type { Guard } from './guard.ts'
import { type JournalPaths, journalRefusal, refuseJournal } from './journal-files.ts'
import { segmentsOf } from './path.ts'
import { forbidden, hasCode, refusal, refusalOf } from './refusal.ts'

/** What the tools that change files share. */
export interface ChangeBounds {
  readonly root: string
  readonly guard: Guard
  readonly journals: JournalPaths
  /** Bytes that a new content may have. */
  readonly maxBytes: number
  /** Bytes that a file may have that is changed or deleted: all of them are read for its hash. */
  readonly maxFileBytes: number
}

/** What a file holds now. */
export interface Current {
  readonly hash: string
  /** Its content, where the change reads it. */
  readonly bytes: Buffer
}

/** The file that a call changes, in its open folder. */
interface Target {
  readonly folder: Folder
  readonly name: string
  readonly path: string
  readonly signal: AbortSignal
}

/** What is to become of a file: recorded before anything is done. */
interface Plan<Details> {
  readonly before: string | null
  readonly after: string | null
  readonly details: Details
}

/** A refusal as it is recorded. */
interface Refused {
  readonly refused: string
  readonly code: LoomErrorCode
}

/** A change of one file. */
export interface Change<Details> {
  readonly path: string
  /** Whether missing folders are created. */
  readonly create?: boolean
  /** Whether `content` looks at what the file holds. */
  readonly reads?: boolean
  /** The content that the file is to have, by what it holds now; null deletes it. Throws a refusal. Always the same for the same content. */
  content(current: Current | null): Uint8Array | null
  /** What the result says besides. */
  details(current: Current | null, content: Uint8Array | null): Promise<Details>
}

/** Makes a change in two recorded steps; returns what it came to, or why it was refused. */
export async function makeChange<Details>(
  change: Change<Details>,
  bounds: ChangeBounds,
  context: Pick<DurableContext, 'step' | 'signal'>,
): Promise<{ readonly change: FileChange; readonly details: Details } | LoomError> {
  const planned = await context.step('plan', ({ signal }) => orRefused(change.path, signal, () => planChange(change, bounds, signal)), {
    effect: 'read',
  })
  const plan = planned as Plan<Details> | Refused
  if ('refused' in plan) return new LoomError(plan.code, plan.refused, { context: { path: change.path.slice(0, 200) } })
  const applied = await context.step(
    'apply',
    ({ key, signal }) => orRefused(change.path, signal, () => apply(change, bounds, { ...plan, key, signal })),
    { effect: 'idempotent' },
  )
  if ('refused' in applied) return new LoomError(applied.code, applied.refused, { context: { path: change.path.slice(0, 200) } })
  const path = segmentsOf(change.path).join('/')
  return { change: { path, before: plan.before, after: plan.after }, details: plan.details }
}

/** A refusal becomes a recorded value: run again, the body reads the same words. An abort stays an abort. */
async function orRefused<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = isLoomError(error) ? error : refusalOf(error, path)
    return { refused: message, code }
  }
}

async function planChange<Details>(change: Change<Details>, bounds: ChangeBounds, signal: AbortSignal): Promise<Plan<Details>> {
  const current = await inTarget({ ...change, create: false }, bounds, { signal, work: (target) => currentOf(target, change, bounds) }).catch(
    (error: unknown) => {
      if (change.create && hasCode(error, 'ENOENT')) return null
      throw error
    },
  )
  const content = change.content(current)
  if (content && content.length > bounds.maxBytes) {
    const most = `The content has ${content.length} bytes; ${bounds.maxBytes} are allowed. Write less, or several files.`
    throw refusal('LOOM_TOOL_INPUT_INVALID', change.path, most)
  }
  return { before: current?.hash ?? null, after: content && hashOf(content), details: await change.details(current, content) }
}

type Applying = Pick<Plan<unknown>, 'before' | 'after'> & { readonly key: string; readonly signal: AbortSignal }

async function apply<Details>(change: Change<Details>, bounds: ChangeBounds, { before, after, key, signal }: Applying): Promise<{ done: true }> {
  const work = async (target: Target): Promise<void> => {
    const current = await currentOf(target, change, bounds)
    const now = current?.hash ?? null
    if (now === after) return removeLeftover(target, key)
    if (now !== before) throw changedMeanwhile(change.path)
    const content = change.content(current)
    if (content === null) return remove(target)
    const isStill = async (): Promise<boolean> => ((await currentOf(target, { reads: false }, bounds))?.hash ?? null) === before
    await replace(target, content, { key, isStill })
  }
  await inTarget(change, bounds, { signal, work })
  return { done: true }
}

/** True whether the change was made before the other one or not. */
const changedMeanwhile = (path: string): Error =>
  refusal(
    'LOOM_TOOL_FAILED',
    path,
    `Conflict: ${path} was changed by somebody else during this call, and is left as it is. Read it again before you change it.`,
  )

interface InTarget<T> {
  readonly signal: AbortSignal
  readonly work: (target: Target) => Promise<T>
}

/** Opens the folder of the file that a call changes. Protected places that its path does not name, links and journals are refused. */
async function inTarget<T>(
  { path, create = false }: Pick<Change<unknown>, 'path' | 'create'>,
  bounds: ChangeBounds,
  { signal, work }: InTarget<T>,
): Promise<T> {
  const { root, guard, journals } = bounds
  const segments = segmentsOf(path)
  const name = segments.at(-1)
  if (name === undefined || path.endsWith('/')) throw refusal('LOOM_TOOL_INPUT_INVALID', path, `${path} is a folder. Give the path of a file.`)
  const check = guard.check('write', segments, path)
  // Before any folder is made.
  if (await journals.covers(join(root, ...segments))) throw journalRefusal(path)
  return inFolder({ root, path, create, check }, segments.slice(0, -1), async (folder) => {
    check([...folder.segments, name])
    await refuseJournal(folder, name, { path, journals })
    return work({ folder, name, path, signal })
  })
}

/** What the file holds; null when there is none. A link is refused: it would be replaced itself. */
async function currentOf(
  { folder, name, path, signal }: Target,
  { reads = false }: Pick<Change<unknown>, 'reads'>,
  bounds: ChangeBounds,
): Promise<Current | null> {
  const stats = await lstat(folder.at(name)).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (!stats) return null
  if (stats.isSymbolicLink()) throw forbidden(path, `${path} is a link. Give the path of the file itself.`)
  refuseUnlessFile(stats, path)
  const most = reads ? bounds.maxBytes : bounds.maxFileBytes
  if (stats.size > most) throw refusal('LOOM_TOOL_FAILED', path, `${path} has ${stats.size} bytes; ${most} are allowed here. Ask the user to do it.`)
  const handle = await openRegular(folder, name, path)
  try {
    if (!reads) return { hash: await hashOfFile(handle, signal), bytes: Buffer.alloc(0) }
    const bytes = await handle.readFile({ signal })
    return { hash: hashOf(bytes), bytes }
  } finally {
    await handle.close()
  }
}

interface Replacing {
  readonly key: string
  /** Whether the file still has the content that is replaced. */
  readonly isStill: () => Promise<boolean>
}

/** Writes a temporary file, flushes it and renames it; the folder is flushed last, so that the new name survives a power cut. */
async function replace({ folder, name, path, signal }: Target, content: Uint8Array, { key, isStill }: Replacing): Promise<void> {
  const previous = await lstat(folder.at(name)).catch(() => undefined)
  const temporary = folder.at(leftoverName(key, name))
  try {
    const handle = await openNew(temporary)
    try {
      if (previous) await handle.chmod(previous.mode & 0o777)
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    signal.throwIfAborted()
    if (!(await isStill())) throw changedMeanwhile(path)
    await rename(temporary, folder.at(name))
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await flush(folder)
}

async function remove({ folder, name }: Target): Promise<void> {
  await unlink(folder.at(name)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
  await flush(folder)
}

/** What a crash has left beside the file belongs to the same call. */
const removeLeftover = ({ folder, name }: Target, key: string): Promise<void> => unlink(folder.at(leftoverName(key, name))).catch(() => {})

const leftoverName = (key: string, name: string): string => `.loom-${createHash('sha256').update(key).update(name).digest('hex').slice(0, 24)}.tmp`

/** Whether a name is that of a temporary file. */
export const isLeftover = (name: string): boolean => /^\.loom-[\da-f]{24}\.tmp$/u.test(name)

async function flush(folder: Folder): Promise<void> {
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
