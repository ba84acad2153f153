/**
 * Redaction: what must not be in a fixture is replaced, the same by the same, so that the fixture still replays.
 *
 * RECORDED-3. Redacting twice is redacting once: what a test makes of redacted values is compared after redaction on both sides.
 */
import { createHash } from 'node:crypto'
import type { Json, JsonObject, LoomEvent, ToolOutcome } from '@loom-agent/kernel'
import { cutOf, marked } from './cut.ts'

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
  /\b(eyJ)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\b((?:Bearer|Basic)\s+)[A-Za-z0-9._~+/-]{8,}=*/gi,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@/[]+(?=@)/gi,
]
/** A private key, whole; and what is left of one whose end was cut off. */
const pems: readonly RegExp[] = [
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?:(?:\s|\\n)*[A-Za-z0-9+/=]{16,})+/g,
]
const endOfKey = /(-----END [A-Z ]*PRIVATE KEY-----)/

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
    for (const pattern of pems) clean = clean.replace(pattern, withMark)
    clean = withoutKeyTails(clean)
    for (const pattern of prefixed) clean = clean.replace(pattern, withMark)
    return clean
  }
}

/** Redacts what is left of private keys whose beginning was cut off. */
function withoutKeyTails(text: string): string {
  const pieces = text.split(endOfKey)
  for (let end = 1; end < pieces.length; end += 2) {
    const before = pieces[end - 1] ?? ''
    const start = startOfKey(before)
    if (start === before.length) continue
    pieces[end] = markOf(`${before.slice(start)}${pieces[end]}`)
    pieces[end - 1] = before.slice(0, start)
  }
  return pieces.join('')
}

/** Where the lines of a key begin that end with the text. They are read backwards, so that each is looked at once; only the last may be short. */
function startOfKey(text: string): number {
  let start = text.length
  let at = text.length
  let isLast = true
  for (const part of text.split(/(\s|\\n)/).reverse()) {
    at -= part.length
    if (/^(?:\s|\\n)?$/.test(part)) continue
    const [line = ''] = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]+$/.exec(part) ?? []
    if (line.length >= 16) start = at + part.length - line.length
    if ((line.length < 16 && !isLast) || line.length < part.length) break
    isLast = false
  }
  return start
}

/** A value with every text in it redacted, names of fields included; the same value when there was nothing to redact. */
export function redactValue<T extends Json | undefined>(value: T, redact: Redact): T {
  return walk(value, redact) as T
}

function walk(value: Json | undefined, redact: Redact): Json | undefined {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => walk(item, redact) as Json)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const before = Object.entries(value as JsonObject)
  const after = before.map(([key, field]) => [redact(key), walk(field, redact)] as const)
  const changed = after.some(([key, field], index) => key !== before[index]?.[0] || field !== before[index]?.[1])
  return changed ? Object.fromEntries(after) : value
}

/** An event with every text in it redacted, and without digests: from them a short secret could be guessed. */
export function redactEvent<E extends LoomEvent>(event: E, redact: Redact): E {
  const { digest: _digest, grant: _grant, ...data } = event.data as JsonObject
  const clean = { ...event, thread: redact(event.thread), data: redactValue(data, redact) } as E
  return clean.type === 'tool.finished' && event.type === 'tool.finished'
    ? ({ ...clean, data: { ...clean.data, output: redactOutput(event.data.output, clean.data.output, redact) } } as E)
    : clean
}

/** A result that was cut keeps the lengths of its two ends: where it was cut is compared, too. */
function redactOutput(output: ToolOutcome['output'], clean: ToolOutcome['output'], redact: Redact): ToolOutcome['output'] {
  const cut = output.type === 'text' || output.type === 'error' ? cutOf(output.value) : undefined
  if (!cut || typeof clean.value !== 'string') return clean
  const fit = (text: string): string => redact(text).slice(0, text.length).padEnd(text.length, '.')
  return { ...output, value: marked({ ...cut, head: fit(cut.head), tail: fit(cut.tail) }) } as ToolOutcome['output']
}

/** Bytes with every secret in them redacted, as far as they are text. */
export function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\u{FFFD}') ? bytes : Buffer.from(redact(text))
}
