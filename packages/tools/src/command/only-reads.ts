/**
 * Which commands only read, and what a person may be offered to allow for good.
 *
 * COMMAND-8. An option that is not in the table makes a command one that may change something. Interpreters and wrappers are never offered with `*`.
 */
import { findWords, gitReading, type ReadingUse, reading } from './reading-table.ts'

/**
 * Whether a command only reads, by its words: a suggestion, no boundary. Settings of the program may make it do more.
 *
 * @example
 * onlyReads(['git', 'log', '--oneline'])
 */
export function onlyReads(argv: readonly string[]): boolean {
  const [name = '', ...rest] = argv
  if (name === 'find') return findOnlyReads(rest)
  if (name === 'git') return gitOnlyReads(rest)
  const use = Object.hasOwn(reading, name) ? reading[name] : undefined
  return use !== undefined && fits(use, rest)
}

function gitOnlyReads(words: readonly string[]): boolean {
  const [first = '', ...rest] = words[0] === '--no-pager' ? words.slice(1) : words
  const use = Object.hasOwn(gitReading, first) ? gitReading[first] : undefined
  return use !== undefined && fits(use, rest)
}

function findOnlyReads(words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) continue
    if (!Object.hasOwn(findWords, word)) return false
    if (findWords[word]) at += 1
  }
  return true
}

function fits(use: ReadingUse, words: readonly string[]): boolean {
  const operands: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') {
      operands.push(...words.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') operands.push(word)
    else {
      const width = widthOf(use, word)
      if (width === 0) return false
      at += width - 1
    }
  }
  const isScript = use.script === undefined || use.script.test(operands[0] ?? '')
  return isScript && operands.length <= (use.operands ?? Number.POSITIVE_INFINITY)
}

const has = (list: string | undefined, word: string): boolean => list?.split(' ').includes(word) ?? false

/** How many words an option takes; 0: it is not in the table. */
function widthOf(use: ReadingUse, word: string): number {
  if (use.words) return Object.hasOwn(use.words, word) ? (use.words[word] ? 2 : 1) : 0
  if (word.startsWith('--')) {
    const [option = '', value] = word.slice(2).split(/=(.*)/s)
    if (value === undefined && has(use.longValues, option)) return 2
    return has(use.long, option) ? 1 : 0
  }
  if (use.number && /^-\d+$/.test(word)) return 1
  for (const [index, letter] of word.slice(1).split('').entries()) {
    if (use.values?.includes(letter)) return index === word.length - 2 ? 2 : 1
    if (!use.flags?.includes(letter)) return 0
  }
  return 1
}

/** Programs that do nothing but read, whatever options they have. */
const harmless = new Set('basename cat cmp comm cut df dirname du grep head ls nl paste readlink realpath stat tac tail wc'.split(' '))

/**
 * The pattern that a person may be offered for a command. With `*` only for programs of which no option runs or writes anything.
 *
 * @example
 * suggestedPattern(['grep', '-n', 'todo', 'src/a.ts'])
 */
export function suggestedPattern(argv: readonly string[]): string {
  const [name = ''] = argv
  return harmless.has(name) ? `${name} *` : argv.map(quoted).join(' ')
}

/** A word as a pattern has it. */
const quoted = (word: string): string => (/^[A-Za-z0-9_\-./:,+@%=^]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)
