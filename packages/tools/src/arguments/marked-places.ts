/**
 * Paths in the arguments of tools whose bodies are not Loom's: they may be absolute, and are opened as the body likes.
 *
 * PLACES-1. What is protected asks by every name that the path has: as it is written, and by the place that its links lead to.
 */
import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { LeastVerdict, TaintLabel } from '@loom-agent/agent'
import type { Access, Guard } from '../files/guard.ts'

/** Where the paths of arguments lead. */
export interface MarkedPlaces {
  /** The folder that they are relative to. */
  readonly root: string
  readonly guard: Guard
  /** The arguments whose paths are only read. */
  readonly reads: ReadonlySet<string>
}

/** The path relative to the root, where it is the absolute name of a place in it; otherwise as it is. */
export function relativeTo(root: string, path: string): string {
  if (path === root) return '.'
  return path.startsWith(root.endsWith(sep) ? root : root + sep) ? path.slice(root.length).replace(/^\/+/, '') : path
}

/** The names along a path, by each of its names; the last ones are those of the place that it leads to, as far as that is there. */
function namesOf(root: string, path: string): readonly (readonly string[])[] {
  const written = path.split(/[/\\]+/).filter((name) => name !== '' && name !== '.')
  const place = placeOf(resolve(root, path))
  return [written, ...(place === undefined ? [] : [place.split(sep).filter((name) => name !== '')])]
}

/** Where a path leads; a name that is not there yet is in the folder above it. */
function placeOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    const above = resolve(path, '..')
    const folder = above === path ? undefined : placeOf(above)
    return folder && `${folder}${sep}${relative(above, path)}`
  }
}

/** The least that a call meets because of its paths. */
export function leastFor({ root, guard }: MarkedPlaces, access: Access, path: string): LeastVerdict {
  const why = namesOf(root, path).flatMap((names) => guard.reason(access, names) ?? [])[0]
  return why === undefined ? { atLeast: 'allow' } : { atLeast: 'ask', reason: `${path.slice(0, 200)} is protected: ${why}` }
}

/** What a result may hold because of a path. */
export function labelsOf({ root, guard }: MarkedPlaces, path: string): readonly TaintLabel[] {
  return namesOf(root, path).some((names) => guard.isPrivate(names)) ? ['private'] : []
}
