/** Finds the commands that a command runs: those of wrappers such as `timeout`, of `sh -c`, and of `find -exec`. */
import { objectionTo } from './parse.ts'
import { baseName, shells, shellWrappers, unreadable, type Wrapper, wrappers } from './programs.ts'
import type { Unknown } from './tokens.ts'

/** A command inside another one. */
export interface Inner {
  readonly argv: readonly string[]
  /** Where it begins in the words of the outer one. */
  readonly at: number
  /** Whether words follow that are not known. */
  readonly isOpen: boolean
}

/** What a command runs: itself only, other commands, or a script. */
export type Unwrapped =
  | {
      readonly kind: 'itself'
    }
  | {
      readonly kind: 'commands'
      readonly inner: readonly Inner[]
      /** Whether the outer one has to be allowed, too. */
      readonly isStrong: boolean
    }
  | { readonly kind: 'script'; readonly script: string; readonly isStrong: boolean }

/** What a command runs, or why that is not known. */
export function unwrap(argv: readonly string[], isOpen: boolean): Unwrapped | Unknown {
  const [given = '', ...rest] = argv
  const name = baseName(given)
  // A program of that name in another folder may be a different one.
  const isStrong = name !== given
  const why = unreadable.get(name)
  if (why !== undefined) return { unknown: why }
  if (rest.some((word) => word.startsWith('-v')) && (name === 'printf' || name === 'test')) return { unknown: `${name} -v, which changes the shell` }
  if (shells.has(name)) return unwrapShell(rest, { name, isOpen, isStrong })
  if (name === 'find') return unwrapFind(argv)
  if (Object.hasOwn(wrappers, name)) return unwrapWrapper(argv, { name, isOpen, isStrong })
  return { kind: 'itself' }
}

interface Outer {
  readonly name: string
  readonly isOpen: boolean
  readonly isStrong: boolean
}

function unwrapShell(rest: readonly string[], { name, isOpen, isStrong }: Outer): Unwrapped | Unknown {
  const [option = '', script] = rest
  if (option === '-c' && script !== undefined && rest.length === 2) return { kind: 'script', script, isStrong }
  if (option.startsWith('-') || option.startsWith('+')) return { unknown: `${name} with options that are not understood` }
  return isOpen && rest.length === 0 ? { unknown: `${name} with words that are not known` } : { kind: 'itself' }
}

function unwrapWrapper(argv: readonly string[], { name, isOpen, isStrong }: Outer): Unwrapped | Unknown {
  const wrapper = wrappers[name] ?? {}
  // `command -v` and `command -V` look up a name and run nothing.
  if (name === 'command' && /^-[vV]$/.test(argv[1] ?? '')) return { kind: 'itself' }
  const at = ownWords(argv, wrapper)
  if (typeof at !== 'number') return { unknown: `${name} with ${at.unknown}, which is not understood` }
  const inner = argv.slice(at)
  if (inner.length === 0 && isOpen) return { unknown: `${name} with words that are not known` }
  if (inner.length === 0) return shellWrappers.has(name) ? { unknown: `${name} without a command` } : { kind: 'itself' }
  const objection = name === 'time' && inner[0] === 'time' ? 'time twice' : objectionTo(inner[0] ?? '')
  if (objection !== undefined) return { unknown: objection }
  return {
    kind: 'commands',
    inner: [{ argv: inner, at, isOpen: isOpen || wrapper.isOpen === true }],
    isStrong: isStrong || wrapper.isStrong === true,
  }
}

/** Where the command begins behind a wrapper's own words; or the word that is not understood. */
function ownWords(argv: readonly string[], { options = {}, operands = [] }: Wrapper): number | Unknown {
  let at = 1
  for (let word = argv[at]; word?.startsWith('-'); word = argv[at]) {
    const width = optionWidth(word, options)
    if (width === undefined) return { unknown: `the option ${word.slice(0, 40)}` }
    at += width
  }
  for (const operand of operands) {
    const word = argv[at]
    if (word === undefined) break
    if (!operand.test(word)) return { unknown: word.slice(0, 40) }
    at += 1
  }
  return at
}

/** How many words an option takes, with its value; undefined: it is not understood. */
function optionWidth(word: string, options: Readonly<Record<string, boolean>>): number | undefined {
  if (Object.hasOwn(options, word)) return options[word] ? 2 : 1
  const isLong = word.startsWith('--')
  const option = isLong ? word.slice(0, word.indexOf('=')) : word.slice(0, 2)
  const hasValue = isLong ? word.includes('=') : word.length > 2
  return hasValue && Object.hasOwn(options, option) && options[option] ? 1 : undefined
}

const executing = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** The commands that `find` runs end with ; or with {} and +. The names of files that it found are words that are not known. */
function unwrapFind(argv: readonly string[]): Unwrapped | Unknown {
  const inner: Inner[] = []
  for (let at = 1; at < argv.length; at += 1) {
    if (!executing.has(argv[at] ?? '')) continue
    const from = at + 1
    while (at < argv.length && argv[at] !== ';' && !(argv[at] === '+' && argv[at - 1] === '{}')) at += 1
    const words = argv.slice(from, at)
    const name = words[0] ?? ''
    const objection = name.includes('{}') ? 'find, which runs the files that it finds' : objectionTo(name)
    if (at >= argv.length || objection !== undefined) return { unknown: objection ?? 'find with a command that does not end' }
    if (words.slice(1).some((word) => word !== '{}' && word.includes('{}'))) return { unknown: 'find, which makes words of the names of files' }
    inner.push({ argv: words, at: from, isOpen: true })
  }
  return inner.length === 0 ? { kind: 'itself' } : { kind: 'commands', inner, isStrong: true }
}
