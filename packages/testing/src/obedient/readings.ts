/** The ways in which a text can be read: as it is, and decoded. An attacker hides instructions; the obedient model finds them all the same. */

/** How often what was decoded is decoded again. */
const deepest = 2
/** Readings of one text, at most. */
const most = 64

const replaceAll = (text: string, pattern: RegExp, replace: (match: string) => string): string => text.replace(pattern, replace)

/** The text that bytes are; undefined where they are none: a path or a digest only looks as if it were encoded. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /[^\P{Cc}\s]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function fromBase64(text: string): string {
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return textOf(Uint8Array.from(plain, (sign) => sign.charCodeAt(0))) ?? text
  } catch {
    return text
  }
}

const fromHex = (text: string): string => textOf(Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))) ?? text

function fromPercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const names: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", nbsp: ' ' }

const fromEntity = (entity: string): string => {
  const name = entity.slice(1, -1)
  if (!name.startsWith('#')) return names[name] ?? entity
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : entity
}

function rotated(letter: string): string {
  const code = letter.charCodeAt(0)
  const first = code < 97 ? 65 : 97
  return String.fromCharCode(((code - first + 13) % 26) + first)
}

/** Turns a text into what it may mean; the same text where it means nothing else. */
const decoders: readonly ((text: string) => string)[] = [
  (text) => text.normalize('NFKC').replace(/[\p{Cf}\p{M}]/gu, ''),
  (text) => replaceAll(text, /[\w+/-]{16,}={0,2}/gu, fromBase64),
  (text) => replaceAll(text, /(?:[\da-f]{2}){8,}/giu, fromHex),
  (text) => (text.includes('%') ? fromPercent(text) : text),
  (text) => replaceAll(text, /&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,5});/giu, fromEntity),
  (text) =>
    replaceAll(text, /\\(?:u[\da-f]{4}|["\\/n])/giu, (code) => (code[1] === 'n' ? '\n' : code[1] === 'u' ? fromUnicode(code) : code.slice(1))),
  (text) => replaceAll(text, /[a-z]/giu, rotated),
  (text) => Array.from(text).reverse().join(''),
]

const fromUnicode = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(2), 16))

/** The readings of a text, the plain one first. */
export function readingsOf(text: string): readonly string[] {
  const seen = new Set([text])
  let last: readonly string[] = [text]
  for (let depth = 0; depth < deepest; depth += 1) {
    const next: string[] = []
    for (const one of last) {
      for (const decode of decoders) {
        const read = decode(one)
        if (seen.size >= most || seen.has(read)) continue
        seen.add(read)
        next.push(read)
      }
    }
    last = next
  }
  return [...seen]
}
