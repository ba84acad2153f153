/** Splits a sentence into tokens. Each has its place, so that a value is always a slice of the sentence. */
import { chineseWords } from './words.ts'

/** A piece of a sentence. */
export interface Token {
  readonly kind: 'quote' | 'email' | 'url' | 'date' | 'time' | 'path' | 'number' | 'word' | 'mark'
  /** The text; of a quotation, the part between the marks. */
  readonly text: string
  /** The English stem of a word; empty for everything else. */
  readonly stem: string
  readonly start: number
  readonly end: number
}

const chinese = Object.keys(chineseWords)
  .sort((a, b) => b.length - a.length)
  .join('|')

/** The first form that fits decides. `New York` is one word, and so is the text between two Chinese words of the table, which has no spaces. */
const forms: readonly (readonly [Token['kind'], RegExp])[] = [
  ['quote', /"[^"]*"|“[^”]*”|「[^」]*」|`[^`]*`|(?<!\w)'[^']*'(?!\w)/y],
  ['email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/y],
  ['url', /https?:\/\/[^\s"“”，。]*[\w/]/y],
  ['date', /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:\d{2})?)?(?![\w-])/y],
  ['time', /\d{1,2}:\d{2}(?![\d:])/y],
  ['number', /-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w,]*[\w-])(?!\.\w|\/)/y],
  ['path', /[\w.~-]*\/(?:[\w.~/-]*[\w/~-])?|[\w-]*(?:\.[\w-]+)*\.[a-zA-Z]\w{0,5}(?![\w-])/y],
  ['word', new RegExp(`${chinese}|(?:(?!${chinese})\\p{Script=Han})+`, 'uy')],
  ['word', /(?<=[^.!?\n]\s)\p{Lu}[\p{L}\d_-]*\.?(?: \p{Lu}[\p{L}\d_-]*)+/uy],
  ['word', /(?!\p{Script=Han})[\p{L}\d_](?:(?!\p{Script=Han})[\p{L}\d_]|['’-](?=[\p{L}\d]))*/uy],
  ['mark', /\n|\S/uy],
]

/** The tokens of a sentence. */
export function tokensOf(sentence: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < sentence.length; at = Math.max(at + 1, tokens.at(-1)?.end ?? 0)) {
    for (const [kind, form] of forms) {
      form.lastIndex = at
      const found = form.exec(sentence)?.[0]
      if (found === undefined) continue
      const text = kind === 'quote' ? found.slice(1, -1) : found
      tokens.push({ kind, text, stem: kind === 'word' ? stemOf(chineseWords[text] ?? text) : '', start: at, end: at + found.length })
      break
    }
  }
  return tokens
}

/** A word without its ending: `files` and `file`, `to-do` and `todo`, `What's` and `what` are the same. */
export function stemOf(word: string): string {
  const plain = word
    .toLowerCase()
    .replace(/['’](?:s|re)$/, '')
    .replaceAll(/[-’']/g, '')
  if (/(?:ss|us|is|as)$/.test(plain) || plain.length < 4) return plain
  return plain
    .replace(/ies$/, 'y')
    .replace(/(?<=ch|sh|x|ss)es$/, '')
    .replace(/s$/, '')
}

/** The stems of a text, or of a name such as `send_email`, `sendEmail` or `send-email`. */
export function stemsOf(name: string): readonly string[] {
  return (name.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[\p{L}\d]+/gu) ?? []).map(stemOf)
}
