/**
 * A folder of grants: one file for each, so that processes that add and revoke grants at the same time never undo each other's work.
 *
 * REMEMBER-4. A file that is not a grant of this format, or that is too large, grants nothing.
 */
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../files/refusal.ts'
import type { ScriptVersion } from './scripts.ts'

/** An approval that holds for later calls. */
export interface Grant {
  /** Names the grant, for `revoke`. */
  readonly id: string
  /** What it holds for: usually the path of a project. */
  readonly project: string
  /** The name of the tool. */
  readonly tool: string
  /** What the approval was bound to: the tool and the deciding rules, and the arguments where it holds for those alone. */
  readonly bound: string
  /** Whether it holds for the same arguments alone, or for all calls of the tool under the same rules. */
  readonly covers: 'arguments' | 'tool'
  /** The files that the command runs, and the hashes of their content; absent where there are none. */
  readonly scripts?: readonly ScriptVersion[]
  /** Who gave it. */
  readonly by: string
  /** When it was given, in milliseconds since 1970. */
  readonly at: number
  /** When it ends, in milliseconds since 1970. */
  readonly expires: number
}

/** Files that are read at most, and bytes of one: a folder that somebody has filled is not read for ever. */
const mostFiles = 10_000
const mostBytes = 64 * 1024

const isScript = (value: Partial<ScriptVersion> | null): boolean =>
  typeof value?.path === 'string' && (value.hash === null || typeof value.hash === 'string')

const isGrant = (value: Partial<Grant> | null): value is Grant =>
  typeof value === 'object' &&
  value !== null &&
  (['id', 'project', 'tool', 'bound', 'by'] as const).every((key) => typeof value[key] === 'string') &&
  (['at', 'expires'] as const).every((key) => Number.isFinite(value[key])) &&
  (value.covers === 'arguments' || value.covers === 'tool') &&
  (value.scripts === undefined || (Array.isArray(value.scripts) && value.scripts.every(isScript)))

const fileOf = (folder: string, id: string): string => join(folder, `${id}.json`)
const isName = (name: string): boolean => /^[0-9a-f]{32}\.json$/.test(name)

/** All grants of a folder. A folder that is not there has none. */
export async function readGrants(folder: string): Promise<readonly Grant[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  const found = await Promise.all(
    names
      .filter(isName)
      .slice(0, mostFiles)
      .map((name) => readGrant(join(folder, name))),
  )
  return found.flatMap((grant) => grant ?? [])
}

async function readGrant(path: string): Promise<Grant | undefined> {
  try {
    if ((await stat(path)).size > mostBytes) return undefined
    const value = JSON.parse(await readFile(path, 'utf8')) as Partial<Grant> | null
    return isGrant(value) && path.endsWith(`${value.id}.json`) ? value : undefined
  } catch {
    // It was revoked meanwhile, or is no JSON: either way it grants nothing.
    return undefined
  }
}

/** Adds a grant. Only the owner can read the folder and its files. */
export async function writeGrant(folder: string, grant: Grant): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = fileOf(folder, grant.id)
  const draft = `${path}.${process.pid}.tmp`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(grant)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
}

/** Removes a grant; false when it is not there. */
export async function removeGrant(folder: string, id: string): Promise<boolean> {
  if (!isName(`${id}.json`)) return false
  try {
    await unlink(fileOf(folder, id))
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
