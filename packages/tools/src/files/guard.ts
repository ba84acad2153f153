/**
 * Protected paths: what a call on them meets, whatever the rules say.
 *
 * GUARD-1. A path is judged by its text, in a form in which all spellings are equal that some file system treats as equal: case, Unicode forms, trailing
 *          dots and spaces, streams, short names.
 * GUARD-2. A protected place is reached by its own path alone: a link that leads to one is refused when it is followed, so what was judged and approved is
 *          what is opened, whatever is exchanged in between.
 */
import type { LeastVerdict } from '@loom-agent/agent'
import { compileName } from './glob-pattern.ts'
import { segmentsOf } from './path.ts'
import { forbidden } from './refusal.ts'

/** Which paths are protected, and what a call on them meets. */
export interface GuardedPaths {
  readonly secrets: readonly string[]
  readonly code: readonly string[]
  readonly hidden?: readonly string[]
  readonly foreign?: readonly string[]
  readonly verdict: 'ask' | 'deny'
}

/** What a call does to a file. A search comes to private files by itself, and its result says that it may hold them. */
export type Access = 'read' | 'write' | 'search'

/** Judges paths. */
export interface Guard {
  /** Why the names along a path are protected against an access; undefined when they are not. */
  reason(access: Access, segments: readonly string[]): string | undefined
  /** The verdict on a path as it was given: the least that a call on it meets. */
  verdict(access: Access, path: string): LeastVerdict
  /** Whether the names along a path stand for something private: a secret, or a file that the program has named. */
  isPrivate(segments: readonly string[]): boolean
  /** Whether the names along a path stand for something that others wrote, as the program has said. */
  isForeign(segments: readonly string[]): boolean
  /** Throws when a walk to the given names has come to a protected place that they do not name themselves (GUARD-2). */
  check(access: Access, given: readonly string[], path: string): (reached: readonly string[]) => void
}

/** Makes a guard. */
export function createGuard({ secrets, code, hidden = [], foreign = [], verdict }: GuardedPaths): Guard {
  const isSecret = secrets.map(compileProtected)
  const isCode = code.map(compileProtected)
  const isHidden = [...isSecret, ...hidden.map(compileProtected)]
  const isUntrusted = foreign.map(compileProtected)
  const isPrivate: Guard['isPrivate'] = (segments) => isHidden.some((matches) => matches(segments))
  const reason: Guard['reason'] = (access, segments) => {
    if (isSecret.some((matches) => matches(segments))) return 'it may hold secrets'
    return access === 'write' && isCode.some((matches) => matches(segments)) ? 'it may run as code later' : undefined
  }
  return {
    reason,
    isPrivate,
    isForeign: (segments) => isUntrusted.some((matches) => matches(segments)),
    verdict(access, path) {
      const segments = namesOf(path)
      const why = segments && reason(access, segments)
      return why === undefined ? { atLeast: 'allow' } : { atLeast: verdict, reason: `${segments?.join('/')} is protected: ${why}` }
    },
    check: (access, given, path) => (reached) => {
      const why = reason(access, reached) ?? (access !== 'search' && isPrivate(reached) ? 'it is private' : undefined)
      if (why === undefined || reached.every((name, index) => name === given[index])) return
      throw forbidden(path, `${path} is a link to ${reached.join('/')}, which is protected: ${why}. Give the path of the file itself.`)
    },
  }
}

/** The names along a path; undefined when the path is refused anyway. */
export function namesOf(path: string): readonly string[] | undefined {
  try {
    return segmentsOf(path)
  } catch {
    return undefined
  }
}

/** Whether names that follow each other anywhere in a path match the names of a pattern. */
function compileProtected(pattern: string): (segments: readonly string[]) => boolean {
  const names = pattern.split('/').map(compileProtectedName)
  return (segments) => segments.some((_, start) => names.every((matches, index) => matches(segments[start + index])))
}

function compileProtectedName(pattern: string): (name: string | undefined) => boolean {
  const matches = compileName(folded(pattern))
  const short = shortStem(pattern)
  return (name) => name !== undefined && (matches(folded(name)) || (short !== undefined && folded(name).startsWith(short)))
}

/** Equal for all names that some file system treats as one (GUARD-1). Upper case first: it has one form of letters that have several lower ones. */
export function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/(?!^):.*$/su, '')
    .replace(/(?!^)[. ]+$/u, '')
}

/** How the short name begins that Windows may give to a long one, such as `git~` for .git. */
function shortStem(pattern: string): string | undefined {
  if (/[*?[]/u.test(pattern)) return undefined
  const [stem = ''] = folded(pattern).replace(/^\.+/u, '').split('.')
  return `${stem.replace(/[ +,;=[\]]/g, '').slice(0, 6)}~`
}
