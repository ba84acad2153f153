/**
 * Redaction: what must not be in a fixture is replaced, the same by the same, so that the fixture still replays.
 *
 * RECORDED-3. Redacting twice is redacting once: what a test makes of redacted values is compared after redaction on both sides.
 */
import { createHash } from 'node:crypto'
import { marked, redactText, shortenedOf } from '@loom-agent/agent/kit'
import type { Json, JsonObject, LoomEvent, ToolOutcome } from '@loom-agent/kernel'

/** Replaces what must not be kept. Must return the same for the same text, and leave its own output unchanged. */
export type Redact = (text: string) => string

/** Enough of a hash to distinguish secrets, too little to find them. */
const markOf = (secret: string): string => `[redacted:${createHash('sha256').update(secret).digest('hex').slice(0, 6)}]`

/**
 * The redaction that is used unless another is given: the named secrets, keys and tokens of well-known formats, passwords in addresses, private keys,
 * and what stands under the name of a secret.
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
    return redactText(clean, { markOf })
  }
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
