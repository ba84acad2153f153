/**
 * What a program declares about the files of a folder: the same words for all tools that work in it, so that they agree.
 *
 * DECLARED-1. The file tools, the shell and its sandbox judge a path by one guard, made of one declaration.
 */
import { type Expected, expected } from '@loom-agent/agent/kit'
import { createGuard, type Guard } from './guard.ts'
import { codePaths, secretPaths } from './protected-paths.ts'

/** Paths that need more than a rule. A pattern such as `.env.*` or `.config/gh` stands for names anywhere in a path, and for everything below them. */
export interface ProtectOptions {
  /** Files that may hold secrets: reading and writing them asks, searches leave them out, and sandboxes hide them; default `secretPaths`. */
  readonly secrets?: readonly string[]
  /** Files that may run as code later: writing them asks, and sandboxes keep most of them as they are; default `codePaths`. */
  readonly code?: readonly string[]
  /** What a call of a file tool on them meets at least, whatever the rules say; default `ask`. */
  readonly verdict?: 'ask' | 'deny'
}

/** What is said about files. Tools that work in the same folder are given the same. */
export interface DeclaredPaths {
  /** Paths that need more than a rule. */
  readonly protect?: ProtectOptions
  /** Files whose content is private, as patterns like those of `protect`: what shows it is labelled so, as it is for secrets. Default: none besides those. */
  readonly private?: readonly string[]
  /**
   * Files that others wrote, as patterns like those of `protect`; `*` is every file: what shows or lists them is labelled so. Default: none, because the
   * files of the folder are the agent's own.
   */
  readonly untrusted?: readonly string[]
}

const patterns = expected.list(expected.name, 'a list of patterns')

/** What each path that needs more than a rule must be. */
export const protectShape: Readonly<Record<keyof ProtectOptions, Expected>> = {
  secrets: patterns,
  code: patterns,
  verdict: expected.oneOf('ask', 'deny'),
}

/** What each declaration must be. */
export const declaredShape: Readonly<Record<keyof DeclaredPaths, Expected>> = {
  protect: expected.options(protectShape),
  private: patterns,
  untrusted: patterns,
}

/** The guard of a declaration. */
export function guardOf({ protect = {}, private: hidden = [], untrusted: foreign = [] }: DeclaredPaths): Guard {
  const { secrets = secretPaths, code = codePaths, verdict = 'ask' } = protect
  return createGuard({ secrets, code, hidden, foreign, verdict })
}
