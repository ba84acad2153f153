/**
 * Where the path of a call leads when it is judged, and that its body gets nowhere else.
 *
 * JUDGED-1. Where rules have judged the place to which a path leads, the body opens that place or nothing: names that are exchanged in between make the
 *     call fail. What was not judged by its place is not bound to one.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Guard } from './guard.ts'
import { forbidden, hasCode } from './refusal.ts'

/** The way of a path through the links on it. */
export interface Trail {
  /** The names from the root to where the path leads. */
  readonly place: readonly string[]
  /** Every place that is passed on the way, and that at its end. */
  readonly passed: ReadonlySet<string>
}

const keyOf = (segments: readonly string[]): string => segments.join('/')

/** The way of a path; undefined where it leads out of the root, or cannot be told. What does not exist is where its name says. */
export function trailOf(root: string, given: readonly string[]): Trail | undefined {
  const passed = new Set([''])
  try {
    const base = realpathSync.native(root)
    let walked: readonly string[] = []
    for (const name of given) {
      const here = [...walked, name]
      const next = isLink(join(base, ...here)) ? insideOf(base, realpathSync.native(join(base, ...here))) : here
      if (!next) return undefined
      walked = next
      for (let count = 1; count <= walked.length; count += 1) passed.add(keyOf(walked.slice(0, count)))
    }
    return { place: walked, passed }
  } catch {
    // A link to nothing, a circle, a folder that may not be entered: the body refuses it.
    return undefined
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false
    throw error
  }
}

function insideOf(root: string, target: string): readonly string[] | undefined {
  const inside = relative(root, target)
  if (inside === '') return []
  const segments = inside.split(sep)
  return segments[0] === '..' || inside.startsWith(sep) || /^[A-Za-z]:/.test(inside) ? undefined : segments
}

/** The name by which the file system itself knows a place, where that differs: on some, a name has several spellings. */
export function knownAs(root: string, place: readonly string[]): readonly string[] {
  try {
    const base = realpathSync.native(root)
    return insideOf(base, realpathSync.native(join(base, ...place))) ?? place
  } catch {
    return place
  }
}

/** The arguments of a call about a path; without one it is about the root. */
export interface PathGiven {
  readonly path?: string
}

/** The places to which calls are bound, by their arguments. */
export interface JudgedPlaces {
  /** Binds a call to the way of its path. Said again, it returns the first one: all rules judge the same place. */
  bind(input: PathGiven, given: readonly string[]): Trail | undefined
  /** Throws where the body of a call reaches another place than was judged; undefined where none was. */
  checkFor(input: PathGiven): ((reached: readonly string[]) => void) | undefined
  /** The guard for the body of a call, with that check. */
  guardFor(input: PathGiven): Guard
}

/** Remembers where the paths of calls led when they were judged. */
export function judgedPlaces(root: string, guard: Guard): JudgedPlaces {
  const trails = new WeakMap<PathGiven, { readonly path: string; readonly trail: Trail | undefined }>()
  const checkFor: JudgedPlaces['checkFor'] = (input) => {
    const bound = trails.get(input)
    return bound && ((reached) => checkReached(bound, reached))
  }
  return {
    bind(input, given) {
      const { path = '.' } = input
      const known = trails.get(input)
      if (known?.path === path) return known.trail
      const trail = trailOf(root, given)
      trails.set(input, { path, trail })
      return trail
    },
    checkFor,
    guardFor(input) {
      const isJudged = checkFor(input)
      if (!isJudged) return guard
      const check: Guard['check'] = (access, given, path) => {
        const isOpen = guard.check(access, given, path)
        return (reached) => {
          isOpen(reached)
          isJudged(reached)
        }
      }
      return { ...guard, check }
    },
  }
}

/** Throws unless a place is on the way that was judged, or below its end. */
function checkReached({ path, trail }: { readonly path: string; readonly trail: Trail | undefined }, reached: readonly string[]): void {
  if (trail && (trail.passed.has(keyOf(reached)) || trail.place.every((name, index) => name === reached[index]))) return
  throw forbidden(path, `${path} leads to another place than when the call was judged. Nothing was done; call it again.`)
}
