/** The words of all languages, and how a text is cut into them. Tools are described in one language and asked for in another, so all are known at once. */
import { english } from './en.ts'
import type { LanguagePack, WordTable } from './pack.ts'
import { chinese } from './zh.ts'

/** A word, or an entity, of a text. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly kind: 'entity' | 'latin' | 'han'
  /** What it means: a known concept, or the stem of a word that no table has. */
  readonly concept: string
  readonly action: string | undefined
  /** Whether a table has it, as a noun or as an action. */
  readonly known: boolean
  readonly filler: boolean
}

interface Entry {
  readonly concept?: string
  readonly action?: string
  readonly filler?: boolean
}

interface Lexicon {
  readonly latin: ReadonlyMap<string, Entry>
  readonly han: ReadonlyMap<string, Entry>
  readonly longest: number
}

/** The packs by language. */
export const packs: Readonly<Record<'en' | 'zh', LanguagePack>> = { en: english, zh: chinese }

const han = /\p{Script=Han}/u
const pieces = /[\uE000-\uF8FF]|\p{Script=Han}+|[\p{Script=Latin}\d][\p{Script=Latin}\d'’-]*/gu

/** Chinese when it has a Chinese character; else English. */
export function languageOf(text: string): LanguagePack {
  return han.test(text) ? packs.zh : packs.en
}

let built: Lexicon | undefined

/** Built by the first text: importing does no work. */
function lexicon(): Lexicon {
  if (built) return built
  const latin = new Map<string, Entry>()
  const chars = new Map<string, Entry>()
  const enter = (table: WordTable, kind: 'concept' | 'action'): void => {
    for (const [meaning, words] of Object.entries(table)) {
      for (const word of words) {
        const target = han.test(word) ? chars : latin
        const key = han.test(word) ? word : stem(word)
        // A concept that only another language names is an English word, and so has a stem.
        const concept =
          kind === 'action'
            ? verbOf(meaning)
            : (latin.get(stem(meaning))?.concept ?? latin.get(stem(meaning))?.action ?? (target === chars ? stem(meaning) : meaning))
        target.set(key, { [kind]: concept, ...target.get(key) })
      }
    }
  }
  for (const { fillers, actions, nouns, wholes } of Object.values(packs)) {
    for (const word of wholes) chars.set(word, {})
    enter(actions, 'action')
    enter(nouns, 'concept')
    for (const word of fillers) {
      const target = han.test(word) ? chars : latin
      const key = han.test(word) ? word : stem(word)
      target.set(key, { filler: true, ...target.get(key) })
    }
  }
  built = { latin, han: chars, longest: Math.max(...[...chars.keys()].map((word) => word.length)) }
  return built
}

/** An action that English has no table for is the stem of its word, as it is in a tool's name. */
const verbOf = (meaning: string): string => (english.actions[meaning] ? meaning : stem(meaning))

/** A word without its ending, so that its forms meet. */
export function stem(word: string): string {
  let root = word.toLowerCase().replace(/['’]s?$/, '')
  if (root.length <= 3 || root === 'news') return root
  root = root
    .replace(/ies$/, 'y')
    .replace(/(ss|ch|sh|x)es$/, '$1')
    .replace(/(?<![sui])s$/, '')
  if (root.length > 5) root = root.replace(/ly$/, '').replace(/ing$/, '')
  if (root.length > 4) root = root.replace(/ed$/, '')
  return root
    .replace(/(?<=..)e$/, '')
    .replace(/iz$/, 'is')
    .replace(/([bdgmnprt])\1$/, '$1')
}

/** Cuts a masked text into its words. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    if (isEntity(piece)) tokens.push(entityToken(piece, index))
    else if (!han.test(piece)) tokens.push(latinToken(piece, index))
    else
      tokens.push(...hanTokens(piece, index, { before: tokens.at(-1), isBeforeEntity: /^\s*[\uE000-\uF8FF]/.test(text.slice(index + piece.length)) }))
  }
  return tokens
}

const isEntity = (piece: string): boolean => /^[\uE000-\uF8FF]$/.test(piece)

const entityToken = (text: string, start: number): Token => ({
  text,
  start,
  end: start + text.length,
  kind: 'entity',
  concept: '',
  action: undefined,
  known: true,
  filler: false,
})

function latinToken(text: string, start: number): Token {
  const root = stem(text)
  return token({ text, start, kind: 'latin', fallback: root }, lexicon().latin.get(root))
}

function token({ text, start, kind, fallback }: { text: string; start: number; kind: 'latin' | 'han'; fallback: string }, entry?: Entry): Token {
  const concept = entry?.concept ?? (entry?.action === undefined ? fallback : entry.action)
  const known = entry?.concept !== undefined || entry?.action !== undefined
  return { text, start, end: start + text.length, kind, concept, action: entry?.action, known, filler: entry?.filler ?? false }
}

/** What stands around a run of Chinese characters. */
interface Surroundings {
  readonly before: Token | undefined
  readonly isBeforeEntity: boolean
}

/** Longest match first; what no table has is gathered into one unknown word. */
function hanTokens(run: string, start: number, { before, isBeforeEntity }: Surroundings): readonly Token[] {
  const tokens: Token[] = []
  let unknown = 0
  const flush = (end: number): void => {
    const text = run.slice(end - unknown, end)
    if (unknown > 0) tokens.push(token({ text, start: start + end - unknown, kind: 'han', fallback: text }))
    unknown = 0
  }
  for (let at = 0; at < run.length; ) {
    const former = unknown > 0 ? 'unknown' : (tokens.at(-1) ?? before)
    const text = wordAt(run, at, { former, isBeforeEntity })
    if (text === '') {
      unknown += 1
      at += 1
      continue
    }
    flush(at)
    tokens.push(token({ text, start: start + at, kind: 'han', fallback: text }, lexicon().han.get(text) ?? { filler: true }))
    at += text.length
  }
  flush(run.length)
  return tokens
}

interface Place {
  readonly former: Token | 'unknown' | undefined
  readonly isBeforeEntity: boolean
}

/** The longest word of the tables that begins here, or a filler that is bound to such a place; else nothing. */
function wordAt(run: string, at: number, { former, isBeforeEntity }: Place): string {
  const { han: table, longest } = lexicon()
  for (let length = Math.min(longest, run.length - at); length > 0; length -= 1) {
    const word = run.slice(at, at + length)
    if (table.has(word)) return word
  }
  const character = run.charAt(at)
  const { afterWord, afterKnown, afterEntity, beforeEntity } = packs.zh.boundFillers
  const isWord = former === 'unknown' || (former !== undefined && !former.filler)
  const isBound =
    (isWord && afterWord.includes(character)) ||
    (isWord && former !== 'unknown' && afterKnown.includes(character)) ||
    (isWord && former !== 'unknown' && former.kind === 'entity' && afterEntity.includes(character)) ||
    (isBeforeEntity && at === run.length - 1 && beforeEntity.includes(character))
  return isBound ? character : ''
}

/** The concepts of a name such as `read_file` or `readFile`, or of a description. */
export function conceptsOf(text: string): readonly Token[] {
  return tokensOf(text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_./-]+/g, ' '))
}
