/** What a person types, out of the bytes that a terminal sends. */

/** The names of keys that are no text. `ctrl-` and `alt-` stand before them, as in `ctrl-c` and `alt-enter`. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: string }

/** What has come and is not yet understood. */
export interface Decoding {
  /** The beginning of a sequence. */
  readonly rest: string
  /** The text of a paste that has not ended. */
  readonly paste?: string
}

/** Nothing has come yet. */
export const nothingTyped: Decoding = { rest: '' }

const pasteBegin = '\u001b[200~'
const pasteEnd = '\u001b[201~'

/** Characters of one paste; what is beyond them is left out. */
const longestPaste = 4 * 1024 * 1024

/** Sequences that are longer are none: their introduction is dropped. */
const longestSequence = 64

/** Takes what has come, and returns the keys that are whole. */
export function decode(decoding: Decoding, given: string): readonly [keys: readonly Key[], next: Decoding] {
  const keys: Key[] = []
  let { paste } = decoding
  let text = decoding.rest + given
  for (;;) {
    if (paste !== undefined) {
      const from = paste.length
      const whole: string = paste + text
      const end = whole.indexOf(pasteEnd, Math.max(0, from - pasteEnd.length))
      if (end < 0) return [keys, { rest: '', paste: whole.slice(0, longestPaste) }]
      keys.push({ kind: 'paste', text: whole.slice(0, end) })
      text = whole.slice(end + pasteEnd.length)
      paste = undefined
    }
    const [found, left] = typed(text, keys)
    if (!found) return [keys, { rest: left }]
    text = left
    paste = ''
  }
}

/** What was held back has no end: it is what it looks like. For when nothing more has come for a moment. */
export function flush({ rest, paste }: Decoding): readonly [keys: readonly Key[], next: Decoding] {
  if (paste !== undefined || rest === '') return [[], { rest, ...(paste !== undefined && { paste }) }]
  return [[named('escape'), ...(rest.length > 1 ? textKeys(rest.slice(1)) : [])], nothingTyped]
}

/** Reads keys up to the beginning of a paste, or up to a sequence that is not whole. */
function typed(text: string, keys: Key[]): readonly [isPaste: boolean, left: string] {
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('\u001b', at)
    keys.push(...textKeys(text.slice(at, next < 0 ? text.length : next)))
    if (next < 0) return [false, '']
    if (text.startsWith(pasteBegin, next)) return [true, text.slice(next + pasteBegin.length)]
    const sequence = sequenceAt(text, next)
    if (sequence === undefined) return [false, text.slice(next)]
    const key = keyOf(sequence)
    if (key !== undefined) keys.push(key)
    at = next + sequence.length
  }
  return [false, '']
}

const named = (name: string): Key => ({ kind: 'key', name })

/** One sequence of a key; `undefined` while its end is missing. */
function sequenceAt(text: string, at: number): string | undefined {
  const after = text[at + 1]
  if (after === undefined) return undefined
  if (after === '[') {
    const [body] = /^[ -?]*[@-~]/.exec(text.slice(at + 2, at + longestSequence)) ?? []
    if (body !== undefined) return text.slice(at, at + 2 + body.length)
    return text.length - at >= longestSequence ? text.slice(at, at + 2) : undefined
  }
  if (after === 'O') return text[at + 2] === undefined ? undefined : text.slice(at, at + 3)
  // Escape before another sequence is a key of its own.
  return after === '\u001b' ? '\u001b' : text.slice(at, at + 1 + String.fromCodePoint(text.codePointAt(at + 1) ?? 0).length)
}

const finals: Readonly<Record<string, string>> = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end', Z: 'shift-tab', M: 'enter' }
const numbers: Readonly<Record<string, string>> = { 1: 'home', 3: 'delete', 4: 'end', 5: 'page-up', 6: 'page-down', 7: 'home', 8: 'end' }
const codes: Readonly<Record<string, string>> = { 9: 'tab', 13: 'enter', 27: 'escape', 32: 'space', 127: 'backspace' }
const modifiers: Readonly<Record<string, string>> = { 2: 'shift-', 3: 'alt-', 4: 'alt-shift-', 5: 'ctrl-', 6: 'ctrl-shift-', 7: 'ctrl-alt-' }

/** The key of a sequence; `undefined` for one that says nothing to us, such as the report of a mouse. */
function keyOf(sequence: string): Key | undefined {
  if (sequence === '\u001b') return named('escape')
  const body = sequence.slice(2)
  if (sequence[1] === '[') return controlKey(body)
  if (sequence[1] === 'O') return namedIn(finals, body)
  const [key] = textKeys(sequence.slice(1))
  return key && named(`alt-${key.kind === 'key' ? key.name : key.text}`)
}

/** The key of a control sequence, without its introduction. */
function controlKey(body: string): Key | undefined {
  const [, first = '', second = '', third = '', final = ''] = /^(\d*)(?:;(\d*))?(?:;(\d*))?(.)$/.exec(body) ?? []
  const modifier = modifiers[second] ?? ''
  if (final === 'u') return codeKey(first, modifier)
  if (final !== '~') return namedIn(finals, final, modifier)
  return first === '27' ? codeKey(third, modifier) : namedIn(numbers, first, modifier)
}

function namedIn(names: Readonly<Record<string, string>>, key: string, modifier = ''): Key | undefined {
  const name = names[key]
  return name === undefined ? undefined : named(modifier + name)
}

/** A key by its code, as terminals send it that report modifiers. */
function codeKey(code: string, modifier: string): Key | undefined {
  const name = codes[code]
  if (name !== undefined) return named(modifier + name)
  const character = Number(code) > 32 && Number(code) < 0x11_0000 ? String.fromCodePoint(Number(code)) : undefined
  if (character === undefined) return undefined
  return modifier === '' || modifier === 'shift-' ? { kind: 'text', text: character } : named(modifier + character)
}

const controls: Readonly<Record<string, string>> = { '\r': 'enter', '\n': 'ctrl-j', '\t': 'tab', '\b': 'backspace', '\u007f': 'backspace' }

/** Keys out of a text without sequences: what can be seen stays together. */
function textKeys(text: string): readonly Key[] {
  const keys: Key[] = []
  let run = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 32 && code !== 127) {
      run += character
      continue
    }
    if (run !== '') keys.push({ kind: 'text', text: run })
    run = ''
    keys.push(named(controls[character] ?? `ctrl-${String.fromCodePoint(code + 96)}`))
  }
  if (run !== '') keys.push({ kind: 'text', text: run })
  return keys
}
