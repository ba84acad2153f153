/**
 * Patterns of commands, as rules have them: `git log *`.
 *
 * COMMAND-5. A rule that allows is met word by word: `git log *` is not met by `git logout`. Its `*` never stands for an option that makes a harmless
 *     program run or write something; such an option has to be in the pattern.
 * COMMAND-6. A rule that denies fails closed: it is met by a program in another folder, in capitals, with options before its words, and by words that may
 *     still become what it names.
 */
import { LoomError } from '@loom-agent/kernel'
import { objectionTo } from './parse.ts'
import { baseName, isInterpreter, wrappers } from './programs.ts'
import type { CommandRequest } from './requests.ts'
import { tokensOf } from './tokens.ts'
import { hasUnsafeOption } from './unsafe-options.ts'

/** A pattern that was read. */
export interface CommandPattern {
  /** The words that have to be there. */
  readonly words: readonly string[]
  /** Whether any words may follow: the pattern ends with `*`. */
  readonly isOpen: boolean
}

const invalid = (pattern: string, why: string): LoomError =>
  new LoomError('LOOM_OPTION_INVALID', `The command pattern ${JSON.stringify(pattern.slice(0, 200))} can never match: ${why}`, {
    context: { pattern: pattern.slice(0, 200) },
  })

/** Reads a pattern. One that can never match is refused. */
export function commandPattern(text: string): CommandPattern {
  const isOpen = /(?:^|\s)\*\s*$/.test(text)
  const literal = isOpen ? text.replace(/\*\s*$/, '') : text
  const tokens = tokensOf(literal)
  if ('unknown' in tokens) throw invalid(text, `it has ${tokens.unknown}. Put the word in single quotes, and * at the end only.`)
  const words = tokens.map((token) => {
    if (token.kind === 'word') return token.text
    throw invalid(text, `each command is compared on its own, without ${JSON.stringify(token.text)}. Write one rule for each command.`)
  })
  if (words.length === 0 && !isOpen) throw invalid(text, 'it is empty. Name a program, such as git status.')
  const objection = words[0] === undefined ? undefined : objectionTo(words[0])
  if (objection !== undefined) throw invalid(text, `it begins with ${objection}. Begin with the name of a program.`)
  return { words, isOpen }
}

/**
 * Whether a pattern names a command: the same words, and any further ones where it ends with `*`.
 *
 * @example
 * matchesCommand('git log *', ['git', 'log', '-3'])
 */
export function matchesCommand(pattern: string | CommandPattern, argv: readonly string[]): boolean {
  const { words, isOpen } = typeof pattern === 'string' ? commandPattern(pattern) : pattern
  if (isOpen ? argv.length < words.length : argv.length !== words.length) return false
  return words.every((word, index) => word === argv[index])
}

/** Whether a pattern allows a command, all its words included (COMMAND-5). */
export function allowsCommand(pattern: CommandPattern, { argv, isOpen }: CommandRequest): boolean {
  if (!matchesCommand(pattern, argv) || (isOpen && !pattern.isOpen)) return false
  return !hasUnsafeOption(argv, pattern.words.length)
}

/** Whether a rule that denies may be meant by a command (COMMAND-6). */
export function mayBeCommand({ words, isOpen: isOpenPattern }: CommandPattern, { argv, isOpen }: CommandRequest): boolean {
  const [name, ...rest] = words
  if (name === undefined) return true
  if (!isSameProgram(name, argv[0] ?? '')) return false
  const ends = endsOf(rest, argv.slice(1), isOpen === true)
  return isOpenPattern || isOpen ? ends.length > 0 : ends.includes(argv.length - 1) || argv.slice(1).join('\0') === rest.join('\0')
}

const isSameProgram = (name: string, given: string): boolean => {
  const [wanted, actual] = [name.toLowerCase(), given.toLowerCase()]
  return wanted === actual || (!name.includes('/') && wanted === baseName(actual))
}

/**
 * After how many words of a command the words of a pattern may all have come: options, each with a word that may be its value, may stand between them.
 * Where words are not known, those that are missing may be among them.
 */
function endsOf(wanted: readonly string[], given: readonly string[], isOpen: boolean): readonly number[] {
  let places = new Set([0])
  for (const word of wanted) {
    const next = new Set<number>()
    for (const place of reachable(places, given)) {
      if (given[place] === word) next.add(place + 1)
      if (isOpen && place >= given.length) next.add(place)
    }
    places = next
  }
  return [...reachable(places, given)]
}

/** The places that can be reached from others by passing over options and their values. */
function reachable(places: ReadonlySet<number>, given: readonly string[]): ReadonlySet<number> {
  const all = new Set(places)
  for (const place of all) {
    if (!given[place]?.startsWith('-')) continue
    all.add(place + 1)
    if (place + 1 < given.length) all.add(place + 2)
  }
  return all
}

/** Whether a rule that denies may be meant by the words of a text that is not understood. */
export function mayBeInWords({ words }: CommandPattern, given: readonly string[]): boolean {
  if (words.length === 0) return true
  const isAt = (from: number): boolean =>
    words.every((word, index) => (index === 0 ? isSameProgram(word, given[from] ?? '') : word === given[from + index]))
  return given.some((_, from) => isAt(from))
}

/** What a person should know before a pattern allows commands; undefined: nothing. */
export function warningFor(text: string): string | undefined {
  const { words, isOpen } = commandPattern(text)
  if (!isOpen) return undefined
  const [name] = words
  if (name === undefined) return 'It allows every command.'
  if (isInterpreter(name)) return `${name} runs code that it is given: the pattern allows anything.`
  return Object.hasOwn(wrappers, baseName(name)) ? `${name} runs other commands; each of them needs a rule of its own.` : undefined
}
