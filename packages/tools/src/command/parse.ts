/** Simple commands, joined by `&&`, `||`, `;`, `|` and line breaks. Everything else that a shell knows is unknown here (COMMAND-1). */
import { type Token, tokensOf, type Unknown } from './tokens.ts'

/** A file that a command would read or write. */
export interface PathRequest {
  /** What is done with it. */
  readonly access: 'read' | 'write'
  /** The path as the command has it. */
  readonly path: string
}

/** One command with its words, as a shell would run it. */
export interface SimpleCommand {
  readonly argv: readonly string[]
  readonly redirections: readonly PathRequest[]
  /** Whether it reads what the command before it prints, or a file. */
  readonly isFed: boolean
  /** What stands before it; `;` before the first one. */
  readonly after: '&&' | '||' | ';' | '|' | '\n'
}

/** The commands of a text, in the order in which they are written; or why they are not known. */
export type Parsed = { readonly commands: readonly SimpleCommand[] } | Unknown

/** The longest text, and the most commands, that are looked at. */
export const bounds = { characters: 10_000, commands: 50 } as const

/** Words that begin something else than a simple command. `time` is a wrapper. */
const keywords = new Set('if then else elif fi case esac for select while until do done in function coproc namespace [[ ]] { } !'.split(' '))

interface Parsing {
  readonly commands: SimpleCommand[]
  words: string[]
  redirections: PathRequest[]
  isFed: boolean
  /** Whether anything of the current command was read. */
  isBegun: boolean
  /** What stands before the current command. */
  before: '&&' | '||' | ';' | '|' | '\n'
}

/** Parses a command. */
export function parseCommand(text: string): Parsed {
  if (text.length > bounds.characters) return { unknown: `${text.length} characters; at most ${bounds.characters} are looked at` }
  const tokens = tokensOf(text)
  if ('unknown' in tokens) return tokens
  const parsing: Parsing = { commands: [], words: [], redirections: [], isFed: false, isBegun: false, before: ';' }
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (!token) continue
    const isRedirection = token.kind === 'redirection'
    const problem = isRedirection ? redirect(parsing, token, tokens[index + 1]) : take(parsing, token)
    if (problem !== undefined) return { unknown: problem }
    if (isRedirection) index += 1
  }
  const problem = endOf(parsing)
  return problem === undefined ? { commands: parsing.commands } : { unknown: problem }
}

function take(parsing: Parsing, token: Exclude<Token, { kind: 'redirection' }>): string | undefined {
  if (token.kind === 'word') {
    parsing.isBegun = true
    const problem = parsing.words.length === 0 ? objectionTo(token.text) : undefined
    parsing.words.push(token.text)
    return problem
  }
  if (!parsing.isBegun && token.text === '\n') return undefined
  if (!parsing.isBegun) return `no command before ${token.text}`
  const problem = endCommand(parsing)
  parsing.before = token.text
  return problem
}

/** Why a word cannot be the name of a command, whether or not it was in quotes. */
export function objectionTo(name: string): string | undefined {
  if (name === '') return 'a command without a name'
  if (name.includes('=')) return `an assignment (${shortened(name)})`
  if (keywords.has(name)) return `the keyword ${name}`
  return name.startsWith('%') ? 'a job of the shell (%)' : undefined
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text)

function redirect(parsing: Parsing, token: Extract<Token, { kind: 'redirection' }>, target: Token | undefined): string | undefined {
  parsing.isBegun = true
  if (target?.kind !== 'word' || target.text === '') return `no file after ${token.text}`
  if (token.text === '<&' || token.text === '>&') {
    const isDescriptor = !target.isQuoted && /^(?:\d|-)$/.test(target.text)
    // Another standard input may be what a file or a pipe before it has opened.
    if (token.text === '<&') parsing.isFed = true
    return isDescriptor ? undefined : `a file after ${token.text}`
  }
  // The shell itself opens connections and descriptors for names below /dev.
  if (target.text.startsWith('/dev/') && target.text !== '/dev/null') return `a redirection to ${shortened(target.text)}`
  const access = token.text === '<' ? 'read' : 'write'
  if (access === 'read') parsing.isFed = true
  parsing.redirections.push({ access, path: target.text })
  return undefined
}

function endCommand(parsing: Parsing): string | undefined {
  const { words, redirections, commands, before } = parsing
  if (words.length === 0) return 'a redirection without a command'
  commands.push({ argv: words, redirections, isFed: parsing.isFed || before === '|', after: before })
  parsing.words = []
  parsing.redirections = []
  parsing.isFed = false
  parsing.isBegun = false
  return undefined
}

function endOf(parsing: Parsing): string | undefined {
  if (parsing.isBegun) return endCommand(parsing)
  if (parsing.commands.length === 0) return 'no command'
  return parsing.before === ';' || parsing.before === '\n' ? undefined : `no command after ${parsing.before}`
}
