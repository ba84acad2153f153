/** One file that is changed, in its open folder. */
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Folder, inFolder, openRegular, refuseUnlessFile } from './confinement.ts'
import { hashOf, hashOfFile } from './content-hash.ts'
import type { Guard } from './guard.ts'
import { type JournalPaths, journalRefusal, refuseJournal } from './journal-files.ts'
import { segmentsOf } from './path.ts'
import { forbidden, hasCode, refusal } from './refusal.ts'

/** Bytes that a content may have that is kept in a journal. */
export const largestKept: number = 4 * 1024 * 1024

/** Where files may be changed. */
export interface ChangeRoot {
  readonly root: string
  readonly guard: Guard
  readonly journals: JournalPaths
}

/** What the tools that change files share. */
export interface ChangeBounds extends ChangeRoot {
  /** The name of the workspace, where it has another than the default. */
  readonly name?: string | undefined
  /** Whether contents are kept. */
  readonly keeps: boolean
  /** Bytes that a content may have that is kept. */
  readonly maxKeptBytes: number
  /** Bytes that a new content may have. */
  readonly maxBytes: number
  /** Bytes that a file may have that is changed or deleted: all of them are read for its hash. */
  readonly maxFileBytes: number
}

/** What a file holds now. */
export interface Current {
  readonly hash: string
  /** Its permission bits. */
  readonly mode: number
  /** Its content, where the change reads it. */
  readonly bytes: Buffer
}

/** The file that a call changes, in its open folder. */
export interface Target {
  readonly folder: Folder
  readonly name: string
  readonly path: string
  readonly signal: AbortSignal
}

/** Where a file is. */
export interface TargetPlace {
  readonly path: string
  /** Whether missing folders are created. */
  readonly create?: boolean
  /** Called with the real names along the way to it; throws to refuse. */
  readonly check?: (reached: readonly string[]) => void
}

/** What is done with the file, in its open folder. */
export interface InTarget<T> {
  readonly signal: AbortSignal
  readonly work: (target: Target) => Promise<T>
}

/** Opens the folder of the file that a call changes. Protected places that its path does not name, links and journals are refused. */
export async function inTarget<T>(place: TargetPlace, bounds: ChangeRoot, { signal, work }: InTarget<T>): Promise<T> {
  const { path, create = false } = place
  const { root, guard, journals } = bounds
  const segments = segmentsOf(path)
  const name = segments.at(-1)
  if (name === undefined || path.endsWith('/')) throw refusal('LOOM_TOOL_INPUT_INVALID', path, `${path} is a folder. Give the path of a file.`)
  const protectedPlaces = guard.check('write', segments, path)
  const check = (reached: readonly string[]): void => {
    protectedPlaces(reached)
    place.check?.(reached)
  }
  // Before any folder is made.
  if (await journals.covers(join(root, ...segments))) throw journalRefusal(path)
  return inFolder({ root, path, create, check }, segments.slice(0, -1), async (folder) => {
    check([...folder.segments, name])
    await refuseJournal(folder, name, { path, journals })
    return work({ folder, name, path, signal })
  })
}

/** What the file holds; null when there is none. A link is refused: it would be replaced itself. */
export async function currentOf(
  { folder, name, path, signal }: Target,
  { reads = false }: { readonly reads?: boolean },
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
  const mode = modeOf(stats)
  const handle = await openRegular(folder, name, path)
  try {
    if (!reads) return { hash: await hashOfFile(handle, signal), mode, bytes: Buffer.alloc(0) }
    const bytes = await handle.readFile({ signal })
    return { hash: hashOf(bytes), mode, bytes }
  } finally {
    await handle.close()
  }
}

/** The permission bits of a file. */
export const modeOf = ({ mode }: Stats): number => mode & 0o777
