/**
 * The tokens of a command, as far as it is plain: words without any expansion, `&&`, `||`, `;`, `|`, line breaks and redirections.
 *
 * COMMAND-1. What is not known to mean the same in bash and in dash is not plain. Every character outside quotes is in the list of plain ones, or the
 *     whole command is unknown.
 * COMMAND-2. Reading is total and linear: each character is looked at once, and no text makes it throw.
 */

/** A part of a plain command. */
export type Token =
  | {
      readonly kind: 'word'
      readonly text: string
      /** Whether a part of it was in quotes. */
      readonly isQuoted: boolean
    }
  | { readonly kind: 'operator'; readonly text: '&&' | '||' | ';' | '|' | '\n' }
  | { readonly kind: 'redirection'; readonly text: '<' | '>' | '>>' | '>|' | '<&' | '>&'; readonly descriptor: string }

/** Why a command is not plain. */
export interface Unknown {
  /** The reason, as it follows "The command has". */
  readonly unknown: string
}

/** A text that is being read, and what was found so far. */
interface Reading {
  readonly text: string
  at: number
  readonly tokens: Token[]
}

/** Characters that mean themselves outside quotes, wherever they are in a word. */
const plainCharacter = /[A-Za-z0-9_\-./:,+@%=^]/
/** Characters that may be in quotes: what is visible, the space, the tab and the line break. */
const quotable = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]$/u
const isQuotable = (character: string): boolean => character === ' ' || character === '\t' || character === '\n' || quotable.test(character)

/** What the characters are that make a command unknown. */
const reasons: Readonly<Record<string, string>> = {
  $: 'a substitution ($)',
  '`': 'a substitution (`)',
  '\\': 'an escape outside of double quotes (\\)',
  '*': 'a pattern of file names (*)',
  '?': 'a pattern of file names (?)',
  '[': 'a pattern of file names ([)',
  ']': 'a pattern of file names (])',
  '{': 'braces',
  '}': 'braces',
  '(': 'a subshell or a function',
  ')': 'a subshell or a function',
  '~': 'a home folder (~)',
  '!': 'a negation or a history expansion (!)',
  '#': 'a comment (#)',
  '&': 'a command in the background (&), or a redirection with it',
}

/** The tokens of a command, or why it is not plain. */
export function tokensOf(text: string): readonly Token[] | Unknown {
  const reading: Reading = { text, at: 0, tokens: [] }
  while (reading.at < text.length) {
    const problem = readToken(reading)
    if (problem !== undefined) return { unknown: problem }
  }
  return reading.tokens
}

/** Reads one token, or the blanks before it; returns what is not plain. */
function readToken(reading: Reading): string | undefined {
  const { text, at } = reading
  const character = text[at] ?? ''
  if (character === ' ' || character === '\t') return skip(reading, 1)
  if (character === '\n') return operator(reading, '\n')
  if (character === ';') return text[at + 1] === ';' ? 'two semicolons' : operator(reading, ';')
  if (text.startsWith('&&', at)) return operator(reading, '&&')
  if (text.startsWith('||', at)) return operator(reading, '||')
  if (character === '|') return operator(reading, '|')
  if (character === '<' || character === '>') return redirection(reading, '')
  return word(reading)
}

function skip(reading: Reading, count: number): undefined {
  reading.at += count
}

function operator(reading: Reading, text: '&&' | '||' | ';' | '|' | '\n'): undefined {
  reading.tokens.push({ kind: 'operator', text })
  reading.at += text.length
}

/** Reads a redirection, whose descriptor was read already. */
function redirection(reading: Reading, descriptor: string): string | undefined {
  const { text, at } = reading
  const two = text.slice(at, at + 2)
  if (two === '<<') return 'a here-document'
  if (two === '<>') return 'a redirection that reads and writes (<>)'
  const one = text[at] === '<' ? '<' : '>'
  const sign = two === '>>' || two === '>|' || two === '<&' || two === '>&' ? two : one
  reading.tokens.push({ kind: 'redirection', text: sign, descriptor })
  reading.at += sign.length
  return undefined
}

function word(reading: Reading): string | undefined {
  const { text } = reading
  const from = reading.at
  let value = ''
  let isQuoted = false
  while (reading.at < text.length) {
    const character = text[reading.at] ?? ''
    if (character === "'" || character === '"') {
      isQuoted = true
      const part = character === "'" ? singleQuoted(reading) : doubleQuoted(reading)
      if (typeof part !== 'string') return part.unknown
      value += part
    } else if (isPlainAt(reading, from)) {
      value += character
      reading.at += 1
    } else if (' \t\n;|&<>'.includes(character)) break
    else return reasonFor(text.codePointAt(reading.at) ?? 0)
  }
  const next = text[reading.at]
  const isNumber = !isQuoted && /^\d+$/.test(value) && (next === '<' || next === '>')
  // The two shells differ: bash takes a longer number for a descriptor, dash for a word.
  if (isNumber) return value.length === 1 ? redirection(reading, value) : 'a file descriptor of more than one digit'
  if (reading.at === from) return reasons['&']
  reading.tokens.push({ kind: 'word', text: value, isQuoted })
  return undefined
}

/** Whether the character means itself. A tilde does after a letter or a digit outside quotes: HEAD~1. */
function isPlainAt({ text, at }: Reading, from: number): boolean {
  const character = text[at] ?? ''
  return plainCharacter.test(character) || (character === '~' && at > from && /[A-Za-z0-9]/.test(text[at - 1] ?? ''))
}

function singleQuoted(reading: Reading): string | Unknown {
  const end = reading.text.indexOf("'", reading.at + 1)
  if (end < 0) return { unknown: 'a quote that does not end' }
  const inside = reading.text.slice(reading.at + 1, end)
  reading.at = end + 1
  for (const character of inside) if (!isQuotable(character)) return { unknown: hiddenReason(character) }
  return inside
}

/** In double quotes a backslash quotes these, and means itself before the others. */
const escapable = new Set(['"', '\\', '$', '`'])

function doubleQuoted(reading: Reading): string | Unknown {
  const { text } = reading
  let value = ''
  reading.at += 1
  while (reading.at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(reading.at) ?? 0)
    reading.at += character.length
    if (character === '"') return value
    if (character === '$' || character === '`' || character === '!') return { unknown: reasons[character] ?? '' }
    if (!isQuotable(character)) return { unknown: hiddenReason(character) }
    const next = text[reading.at] ?? ''
    if (character !== '\\') value += character
    else if (escapable.has(next)) {
      value += next
      reading.at += 1
    } else if (next === '\n' || next === '!') return { unknown: 'an escape that shells read in different ways' }
    else value += '\\'
  }
  return { unknown: 'a quote that does not end' }
}

function reasonFor(code: number): string {
  const character = String.fromCodePoint(code)
  const known = reasons[character]
  if (known !== undefined) return known
  return code > 126 || code < 32 ? hiddenReason(character) : `the character ${character} outside of quotes`
}

function hiddenReason(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `the character U+${code}, which is not plain text`
}
