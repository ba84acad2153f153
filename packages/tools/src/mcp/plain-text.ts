/**
 * Texts that servers wrote, as people and models are shown them.
 *
 * MCP-4. Nothing that a server writes is hidden from people: characters that have no look, turn the direction of text or control a terminal are written out,
 *     as `\u{202e}`.
 */

/** What is not seen where a text is read: ignorable characters, marks of direction, controls that move nothing, private characters. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Variation_Selector}\p{Co}\u2800]|(?![\t\n])\p{Cc}/gu
/** Joiners and the mark of a coloured picture: many languages and most pictures are written with them. */
const joining = new Set(['\u200c', '\u200d', '\ufe0f'])

const written = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** A description or a name with everything hidden written out, and how many characters were. */
export function visible(text: string): { readonly text: string; readonly hidden: number } {
  let count = 0
  const shown = text.toWellFormed().replace(hidden, (character) => {
    count += 1
    return written(character)
  })
  return { text: shown, hidden: count }
}

/** A result, as models read it: joiners stay, and so do the ends of lines of other systems, as ends of lines. */
export function visibleContent(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(hidden, (character) => (joining.has(character) ? character : written(character)))
}

/** At most so many characters, with a mark where something is left out. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()} [... ${text.length - length} characters left out ...]`
}

/** Letters of other alphabets, and digits, that look like Latin letters. */
const looks: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '5': 's',
  i: 'l',
  '|': 'l',
  а: 'a',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'l',
  ӏ: 'l',
  ј: 'j',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  ε: 'e',
  ι: 'l',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
}

/** A name as it looks: two names with the same look are taken for each other. */
export function lookOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const letters = Array.from(plain, (letter) => looks[letter] ?? letter).join('')
  return letters
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
}
