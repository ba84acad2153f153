/**
 * Patterns of paths in rules, such as `write_file(./src/**)`.
 *
 * PATH-1. A rule that allows is met by exactly the paths that its pattern matches. What is searched or listed with everything below it has to be matched
 *     with everything below it, and a protected path by a pattern that names what is protected, as `.env` does and `**` does not.
 * PATH-2. A rule that denies or asks fails closed: in a form in which all spellings are equal that some file system treats as equal, its pattern also
 *     stands for everything below what it matches, and is met by a folder in which something that it matches may be.
 */
import { LoomError } from '@loom-agent/kernel'
import { fitsName, type GlobPart, partOf, readGlob } from './glob-pattern.ts'
import { type Access, folded, type Guard } from './guard.ts'

/** What a call asks for at one place. */
export interface Asked {
  readonly segments: readonly string[]
  readonly access: Access
  /** Whether it is about everything below the place, too. */
  readonly isTree: boolean
}

/** A pattern of paths, ready to match. */
export interface PathPattern {
  /** Whether it is exactly what the pattern names (PATH-1). */
  names(asked: Asked): boolean
  /** Whether it may be what the pattern was written against (PATH-2). */
  mayMean(asked: Asked): boolean
}

/** Reads the pattern of a rule. One that can match nothing is refused. */
export function pathPattern(text: string, guard: Guard): PathPattern {
  if (text.trim() === '' || /^~(?:\/|$)/.test(text)) {
    const problem = 'names no path. Give one relative to the root, such as ./src/**.'
    throw new LoomError('LOOM_OPTION_INVALID', `The pattern ${JSON.stringify(text)} ${problem}`, { context: { pattern: text } })
  }
  const read = readGlob(text)
  const exact = read.map((names) => ({ names, parts: names.map((name) => partOf(name)) }))
  const loose = read.map((names) => names.map((name) => looseOf(name)))
  return {
    names: ({ segments, access, isTree }) =>
      exact.some(({ names, parts }) => {
        const isMatched = statesOf(parts, segments).at(-1)?.has(parts.length) === true
        return isMatched && (!isTree || parts.at(-1) === '**') && namesProtected(guard, { names, segments, access })
      }),
    mayMean: ({ segments, isTree }) =>
      exact.some(({ parts }) => mayMeet(parts, segments, isTree)) || loose.some((parts) => mayMeet(parts, segments.map(folded), isTree)),
  }
}

/** A name of a pattern in the form in which spellings are equal. What stands for one character may stand for several in that form. */
function looseOf(name: string): GlobPart {
  if (name === '**') return name
  const part = partOf(folded(name))
  return part === '**' ? part : part.map((token) => (typeof token === 'string' ? token : { any: 'many' as const }))
}

/** Whether a pattern meets a place, a folder above it or, where it is about everything below, something there. */
function mayMeet(parts: readonly GlobPart[], segments: readonly string[], isTree: boolean): boolean {
  const states = statesOf(parts, segments)
  return states.some((reached) => reached.has(parts.length)) || (isTree && (states.at(-1)?.size ?? 0) > 0)
}

/** After each name of a path, from none on: how many parts of a pattern may have been matched. */
function statesOf(parts: readonly GlobPart[], segments: readonly string[]): readonly ReadonlySet<number>[] {
  const all = [withSkipped(parts, [0])]
  for (const name of segments) {
    const next = [...(all.at(-1) ?? [])].flatMap((at) => {
      const part = parts[at]
      if (part === undefined) return []
      return part === '**' ? [at] : fitsName(name, part) ? [at + 1] : []
    })
    all.push(withSkipped(parts, next))
  }
  return all
}

/** Any number of folders may be none. */
function withSkipped(parts: readonly GlobPart[], states: readonly number[]): ReadonlySet<number> {
  const all = new Set(states)
  for (const at of all) if (parts[at] === '**') all.add(at + 1)
  return all
}

interface Named extends Pick<Asked, 'segments' | 'access'> {
  /** The names of the pattern. */
  readonly names: readonly string[]
}

/** Whether a place is protected for no other reason than what the names of a pattern say themselves. */
function namesProtected(guard: Guard, { names, segments, access }: Named): boolean {
  const why = guard.reason(access, segments)
  return why === undefined || guard.reason(access, names) === why
}
