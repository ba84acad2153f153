/**
 * Patterns of paths: `*` and `?` inside a name, `[abc]`, `{a,b}`, and `**` for any number of folders.
 *
 * GLOB-1. Matching takes at most the length of the pattern times that of the path: a pattern of a model cannot keep the process busy, as a regular
 *         expression could.
 */
import { refusal } from './refusal.ts'

/** Whether the names along a path match. */
export type PathMatcher = (segments: readonly string[]) => boolean

/** One character of a pattern: itself, any one (`?`), any number of them (`*`), or one of a set. */
export type Token = string | { readonly any: 'one' | 'many' } | { readonly set: RegExp }
/** The pattern of one name, or any number of folders. */
export type GlobPart = '**' | readonly Token[]

const mostAlternatives = 64
const longestPattern = 1000

/** Compiles a pattern. One without a / matches names in any folder. */
export function compileGlob(pattern: string): PathMatcher {
  const compiled = readGlob(pattern).map((names) => names.map((name) => partOf(name)))
  return (segments) => compiled.some((parts) => matches(segments, parts, { isStar: (part) => part === '**', fits: fitsName }))
}

/** The names of each pattern that a pattern stands for, braces taken apart. One without a / begins with any number of folders. */
export function readGlob(pattern: string): readonly (readonly string[])[] {
  const refuse = (why: string): never => {
    throw refusal('LOOM_TOOL_INPUT_INVALID', pattern, `The pattern ${pattern.slice(0, 80)} ${why}`)
  }
  if (pattern.length > longestPattern) refuse(`is longer than ${longestPattern} characters. Give a shorter one.`)
  if (pattern.startsWith('/') || pattern.includes('\\'))
    refuse('is absolute or has a backslash. Give one relative to the folder, with / between names.')
  const alternatives = expandBraces(pattern)
  if (alternatives.length > mostAlternatives) refuse(`stands for more than ${mostAlternatives} patterns. Use fewer braces.`)
  return alternatives.map((each) => {
    const names = each.split('/').filter((name) => name !== '' && name !== '.')
    if (names.includes('..')) refuse('has .. in it. Give the folder as path, and a pattern below it.')
    return each.includes('/') ? names : ['**', ...names]
  })
}

/** One name of a pattern, ready to match. */
export const partOf = (name: string): GlobPart => (name === '**' ? '**' : tokensOf(name))

/** Whether a name matches a pattern without folders. */
export function compileName(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(pattern)
  return (name) => fitsName(name, tokens)
}

/** Whether a name is what one part of a pattern stands for. */
export const fitsName = (name: string, part: GlobPart): boolean =>
  part !== '**' && matches(Array.from(name), part, { isStar: isMany, fits: fitsCharacter })

const isMany = (token: Token): boolean => typeof token === 'object' && 'any' in token && token.any === 'many'

function fitsCharacter(character: string, token: Token): boolean {
  if (typeof token === 'string') return token === character
  return 'any' in token ? token.any === 'one' : token.set.test(character)
}

interface Comparison<Item, Pattern> {
  readonly isStar: (pattern: Pattern) => boolean
  readonly fits: (item: Item, pattern: Pattern) => boolean
}

/** Whether items match patterns of which some stand for any number of items. Only the last of these is ever tried again (GLOB-1). */
function matches<Item, Pattern>(items: readonly Item[], patterns: readonly Pattern[], { isStar, fits }: Comparison<Item, Pattern>): boolean {
  let at = 0
  let star = -1
  let from = 0
  for (let index = 0; index < items.length; ) {
    const pattern = patterns[at]
    if (pattern !== undefined && isStar(pattern)) {
      star = at
      from = index
      at += 1
    } else if (pattern !== undefined && fits(items[index] as Item, pattern)) {
      at += 1
      index += 1
    } else if (star >= 0) {
      from += 1
      index = from
      at = star + 1
    } else return false
  }
  return patterns.slice(at).every(isStar)
}

function tokensOf(name: string): readonly Token[] {
  const tokens: Token[] = []
  for (let rest = name; rest !== ''; ) {
    const set = /^\[([!^]?)(\]?[^\]]*)\]/u.exec(rest)
    const character = set ? set[0] : String.fromCodePoint(rest.codePointAt(0) ?? 0)
    tokens.push(
      set ? { set: setOf(set[1] !== '', set[2] ?? '') } : character === '*' ? { any: 'many' } : character === '?' ? { any: 'one' } : character,
    )
    rest = rest.slice(character.length)
  }
  return tokens
}

/** Only ranges keep their meaning inside a set. */
function setOf(isNegated: boolean, members: string): RegExp {
  const escaped = members.replace(/[\\\]^[-]/g, (found, index: number) => (found === '-' && isRange(members, index) ? '-' : `\\${found}`))
  return new RegExp(`^[${isNegated ? '^' : ''}${escaped}]$`, 'u')
}

const isRange = (members: string, at: number): boolean => at > 0 && at < members.length - 1 && (members[at - 1] ?? '') <= (members[at + 1] ?? '')

/** All patterns that braces stand for; a few more than are allowed at most. */
function expandBraces(pattern: string): readonly string[] {
  let open = [pattern]
  for (;;) {
    const next = open.flatMap((each) => {
      const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/su.exec(each)
      return found ? (found[2] ?? '').split(',').map((one) => `${found[1]}${one}${found[3]}`) : [each]
    })
    if (next.length === open.length || next.length > mostAlternatives) return next
    open = next
  }
}
