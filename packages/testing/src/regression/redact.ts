/**
 * Redaction: what must not be in a fixture is replaced, the same by the same, so that the fixture still replays.
 *
 * RECORDED-3. Redacting twice is redacting once: what a test makes of redacted values is compared after redaction on both sides.
 * RECORDED-9. Redaction is linear in the length of the text: whatever a pattern repeats without a bound can be followed by nothing, so that no text is
 *     read again from each of its places.
 */
import { createHash } from 'node:crypto'
import { marked, shortenedOf } from '@loom-agent/agent/kit'
import type { Json, JsonObject, LoomEvent, ToolOutcome } from '@loom-agent/kernel'

/** Replaces what must not be kept. Must return the same for the same text, and leave its own output unchanged. */
export type Redact = (text: string) => string

/** Keys that are recognised by a prefix; the prefix stays, so that a search still finds them. */
const prefixed: readonly RegExp[] = [
  /\b(sk-(?:ant-|proj-|or-v1-)?)[A-Za-z0-9_-]{16,}/g,
  /\b((?:sk|rk|pk|whsec)_(?:live_|test_)?)[A-Za-z0-9]{16,}/g,
  /\b(gh[pousr]_|github_pat_|glpat-|npm_|hf_|gsk_|xai-|pplx-|r8_|dop_v1_|shpat_|SG\.)[A-Za-z0-9_.-]{16,}/g,
  /\b(xox[abeoprs]-|xapp-)[A-Za-z0-9-]{10,}/g,
  /\b((?:AKIA|ASIA))[0-9A-Z]{16}\b/g,
  /\b(AIza)[0-9A-Za-z_-]{35}/g,
  /\b(ya29\.)[0-9A-Za-z_-]{20,}/g,
  /\b(eyJ)[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,16000}\.[A-Za-z0-9_-]*/g,
  /\b((?:Bearer|Basic)\s{1,20})[A-Za-z0-9._~+/-]{8,}=*/gi,
  /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]{0,200}:)[^\s@/[]{1,500}(?=@)/gi,
]
/** The first line of a private key, and the last. */
const keyMarks = /-----(BEGIN|END) [A-Z ]{0,40}PRIVATE KEY-----/g
/** The lines of a private key. */
const keyLines = /^(?:(?:\s|\\n){0,8}[A-Za-z0-9+/=]{16,})+/

/** All patterns. */
export const patterns: readonly RegExp[] = [...prefixed, keyMarks, keyLines]

/** Enough of a hash to distinguish secrets, too little to find them. */
const markOf = (secret: string): string => `[redacted:${createHash('sha256').update(secret).digest('hex').slice(0, 6)}]`

const withMark = (key: string, start: string): string => `${start}${markOf(key)}`

/**
 * The redaction that is used unless another is given: the named secrets, and what looks like a key of a well-known kind.
 *
 * @example
 * writeRegression(journal, thread, { ..., redact: redactSecrets([process.env.API_KEY ?? '']) })
 */
export function redactSecrets(secrets: readonly string[] = []): Redact {
  const named = secrets.map((secret, index) => [secret, `[secret ${index + 1}]`] as const).filter(([secret]) => secret.trim() !== '')
  // A secret that holds another one goes first.
  named.sort(([a], [b]) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const [secret, mark] of named) clean = clean.replaceAll(secret, mark)
    clean = withoutKeys(clean)
    for (const pattern of prefixed) clean = clean.replace(pattern, withMark)
    return clean
  }
}

const isEnd = ([, kind]: RegExpExecArray): boolean => kind === 'END'

/** Redacts private keys: whole ones, and what is left of those whose beginning or end was cut off. */
function withoutKeys(text: string): string {
  const marks = [...text.matchAll(keyMarks)]
  const ends = marks.filter(isEnd).reverse()
  let clean = ''
  let at = 0
  for (const mark of marks) {
    const from = mark.index + mark[0].length
    // It is in a key that was redacted.
    if (from <= at) continue
    while (ends.length > 0 && (ends.at(-1)?.index ?? 0) < mark.index) ends.pop()
    if (isEnd(mark)) {
      clean += withoutTail(text.slice(at, mark.index), mark[0])
      at = from
      continue
    }
    const end = ends.at(-1)
    const last = end ? end.index + end[0].length : from + (keyLines.exec(text.slice(from))?.[0].length ?? 0)
    clean += text.slice(at, from) + (last > from ? markOf(text.slice(mark.index, last)) : '')
    at = last
  }
  return clean + text.slice(at)
}

/** A text before the end of a key, without what is left of that key. */
function withoutTail(before: string, end: string): string {
  const start = startOfKey(before)
  return start === before.length ? `${before}${end}` : `${before.slice(0, start)}${markOf(`${before.slice(start)}${end}`)}`
}

const isOfKey = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9+/=]/.test(character)

/** Where the lines of a key begin that end with the text. They are read backwards, so that each is looked at once; only the last may be short. */
function startOfKey(text: string): number {
  let start = text.length
  let at = text.length
  let isLast = true
  for (const part of text.split(/(\s|\\n)/).reverse()) {
    at -= part.length
    if (/^(?:\s|\\n)?$/.test(part)) continue
    let line = 0
    while (isOfKey(part[part.length - line - 1])) line += 1
    if (line >= 16) start = at + part.length - line
    if ((line < 16 && !isLast) || line < part.length) break
    isLast = false
  }
  return start
}

/** A value with every text in it replaced, names of fields included; the same value where nothing changes. */
export function replaceTexts<T extends Json | undefined>(value: T, replace: Redact): T {
  return walk(value, replace) as T
}

function walk(value: Json | undefined, replace: Redact): Json | undefined {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => walk(item, replace) as Json)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const before = Object.entries(value as JsonObject)
  const after = before.map(([key, field]) => [replace(key), walk(field, replace)] as const)
  const changed = after.some(([key, field], index) => key !== before[index]?.[0] || field !== before[index]?.[1])
  return changed ? Object.fromEntries(after) : value
}

/** An event with every text in it redacted, and without digests: from them a short secret could be guessed. */
export function redactEvent<E extends LoomEvent>(event: E, redact: Redact): E {
  const { digest: _digest, grant: _grant, ...data } = withoutInputDigest(event)
  const clean = { ...event, thread: redact(event.thread), data: replaceTexts(data, redact) } as E
  return clean.type === 'tool.finished' && event.type === 'tool.finished'
    ? ({ ...clean, data: { ...clean.data, output: redactOutput(event.data.output, clean.data.output, redact) } } as E)
    : clean
}

function withoutInputDigest({ type, data }: LoomEvent): JsonObject {
  const { input, ...rest } = data as JsonObject
  return type === 'child.started' || input === undefined ? rest : { ...rest, input }
}

/** A result that was shortened keeps the lengths of its two ends: they are compared, too. */
function redactOutput(output: ToolOutcome['output'], clean: ToolOutcome['output'], redact: Redact): ToolOutcome['output'] {
  const shortened = output.type === 'text' || output.type === 'error' ? shortenedOf(output.value) : undefined
  if (!shortened || typeof clean.value !== 'string') return clean
  const fit = (text: string): string => redact(text).slice(0, text.length).padEnd(text.length, '.')
  return { ...output, value: marked({ ...shortened, head: fit(shortened.head), tail: fit(shortened.tail) }) } as ToolOutcome['output']
}

/** Bytes with every secret in them redacted, as far as they are text. */
export function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\u{FFFD}') ? bytes : Buffer.from(redact(text))
}
