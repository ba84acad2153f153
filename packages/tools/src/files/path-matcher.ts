/**
 * How rules such as `write_file(./src/**)` name the files of a call.
 *
 * PATH-3. A path is judged as it is given and, where links lead elsewhere, by the place that it leads to: an allowed link allows nothing behind it, and no
 *     link leads around a rule that denies. What cannot be told meets every rule that denies or asks.
 */
import type { CallMatcher, CallPart } from '@loom-agent/agent'
import { type Access, type Guard, namesOf } from './guard.ts'
import { type JudgedPlaces, knownAs, type PathGiven } from './judged-places.ts'
import { pathPattern } from './path-pattern.ts'

/** A place that a call asks for. */
interface PathPart extends CallPart {
  /** The names from the root; undefined where the path would be refused. */
  readonly segments: readonly string[] | undefined
  readonly access: Access
  readonly isTree: boolean
}

interface PathInput extends PathGiven {
  readonly recursive?: boolean
}

/** What a tool does at the path of a call. */
export interface PathUse {
  readonly root: string
  readonly guard: Guard
  readonly judged: JudgedPlaces
  readonly access: Access
  /** Whether it looks at everything below: always, or where the call says `recursive`. */
  readonly below?: 'always' | 'recursive'
}

/** The matcher of a tool that takes a path. */
export function pathMatcher(use: PathUse): CallMatcher<PathInput, PathPart> {
  return {
    kinds: { path: 'path' },
    parts: (input) => partsOf(input, use),
    compile(text) {
      const pattern = pathPattern(text, use.guard)
      return {
        names: ({ segments, access, isTree }) => segments !== undefined && pattern.names({ segments, access, isTree }),
        mayMean: ({ segments, access, isTree }) => segments === undefined || pattern.mayMean({ segments, access, isTree }),
      }
    },
  }
}

function partsOf(input: PathInput, use: PathUse): readonly PathPart[] {
  const { path = '.' } = input
  const { root, guard, judged, access, below } = use
  const isTree = below === 'always' || (below === 'recursive' && input.recursive === true)
  const untold: PathPart = { text: path.slice(0, 200), segments: undefined, access, isTree }
  const given = namesOf(path)
  const trail = given && judged.bind(input, given)
  if (!given || !trail) return [untold]
  const places = new Map([given, trail.place, knownAs(root, trail.place)].map((segments) => [segments.join('/'), segments]))
  return [...places].map(([text, segments]) => ({
    text: text === '' ? '.' : text,
    segments,
    access,
    isTree,
    ...(access === 'write' && guard.reason('write', segments) === undefined && { isEdit: true }),
  }))
}
