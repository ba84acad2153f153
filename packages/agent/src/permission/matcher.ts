/**
 * What a call asks for, part by part, and how rules such as `bash(git log *)` name it.
 *
 * A tool brings its own matcher: only it knows what its arguments mean. A command has sub-commands, a path has segments, an address has a host.
 */

import type { ArgumentKind, ArgumentKinds } from '@loom-agent/kernel'

/** One part of a call, as the matcher of its tool made it. Only that matcher looks further into it. */
export interface CallPart {
  /** The part as people read it, such as `git log -1`. */
  readonly text: string
  /** Whether it only changes files of the workspace that are not protected: the mode `accept-edits` allows that. */
  readonly isEdit?: boolean
  /** Whether it runs in a sandbox of the operating system, which keeps it from the world outside: the mode `auto` allows that. */
  readonly isSandboxed?: true
}

/** A pattern of a rule, ready to match. */
export interface PartPattern<Part extends CallPart = CallPart> {
  /** Whether the part is exactly what the pattern names. Rules that allow ask this. */
  names(part: Part): boolean
  /** Whether the part may be what the pattern was written against. Rules that deny or ask ask this; it must be true for whatever cannot be told. */
  mayMean(part: Part): boolean
}

/** How the calls of a tool are matched by the patterns of rules. */
export interface CallMatcher<Input = never, Part extends CallPart = CallPart> {
  /** What its arguments name, where they name places that people know: it is shown with questions, and recorded with calls; default: nothing. */
  readonly kinds?: ArgumentKinds
  /** The parts of a call. Each is judged by itself, and the strictest verdict counts. */
  parts(input: Input): readonly Part[] | Promise<readonly Part[]>
  /** Makes a pattern ready to match. Must throw, with a sentence, where the pattern can match nothing. */
  compile(pattern: string): PartPattern<Part>
}

/** A matcher without its type parameters. */
export type ErasedMatcher = CallMatcher<unknown, CallPart>

/** Whether a value is a matcher. */
export function isMatcher(value: unknown): boolean {
  const { parts, compile, kinds = {} } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
  return typeof parts === 'function' && typeof compile === 'function' && areKinds(kinds)
}

const known: readonly unknown[] = ['path', 'command', 'url', 'host'] satisfies readonly ArgumentKind[]

/** Whether a value says what arguments name. */
export function areKinds(value: unknown): value is ArgumentKinds {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((kind) => known.includes(kind))
}

/** What the arguments of one call name, of those that it has; undefined where none does. */
export function kindsIn(input: unknown, matcher: ErasedMatcher | undefined): ArgumentKinds | undefined {
  if (!matcher?.kinds || typeof input !== 'object' || input === null) return undefined
  const given = Object.entries(matcher.kinds).filter(([name]) => Object.hasOwn(input, name))
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** Splits `bash(git log *)` into the name of the tool and the pattern; a name alone has none. */
export function splitRule(text: string): { readonly tool: string; readonly pattern?: string } {
  const open = text.indexOf('(')
  if (open === -1 || !text.endsWith(')')) return { tool: text }
  return { tool: text.slice(0, open), pattern: text.slice(open + 1, -1) }
}
