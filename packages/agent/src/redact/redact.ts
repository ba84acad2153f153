/**
 * Redaction: secrets in texts are replaced by marks.
 *
 * REDACT-4. Redacting twice is redacting once: no mark, and nothing beside one, is taken for a secret.
 */
import type { Json, JsonObject } from '@loom-agent/kernel'
import { findSecrets, type TextKind } from './find.ts'
import { meaningOf } from './names.ts'
import { createReader } from './reader.ts'

/** Replaces what must not be kept. Must return the same for the same text, and leave its own output unchanged. */
export type Redact = (text: string) => string

/** How a redaction reads and what it leaves. */
export interface RedactOptions {
  /** What the text is; `text` unless given. */
  readonly kind?: TextKind
  /** What stands in place of a secret; begins with `[`. */
  readonly markOf?: (secret: string) => string
}

/** What stands in place of a secret, unless another mark is given. */
export const redactedMark = '[redacted]'

/** A text without the secrets in it; the same text when there are none. */
export function redactText(text: string, { kind = 'text', markOf = () => redactedMark }: RedactOptions = {}): string {
  // Shorter than any secret with a name.
  if (text.length < 8) return text
  let clean = ''
  let at = 0
  for (const { start, end } of findSecrets(createReader(text), kind)) {
    clean += text.slice(at, start) + markOf(text.slice(start, end))
    at = end
  }
  return at === 0 ? text : clean + text.slice(at)
}

/** A value without the secrets in its texts; what stands under the name of a secret is one. The same value when there are none. */
export function redactJson<T extends Json>(value: T, options: RedactOptions = {}): T {
  return walk(value, options, '') as T
}

function walk(value: Json, options: RedactOptions, name: string): Json {
  if (typeof value === 'string') {
    const { markOf = () => redactedMark } = options
    const isSecret = meaningOf(name) === 'secret' && value.length > 3 && !value.startsWith('[')
    return isSecret ? markOf(value) : redactText(value, options)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => walk(item, options, name))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const before = Object.entries(value as JsonObject).flatMap(([key, field]) => (field === undefined ? [] : [[key, field] as const]))
  const after = before.map(([key, field]) => [redactText(key, options), walk(field, options, key.slice(-48))] as const)
  const isChanged = after.some(([key, field], index) => key !== before[index]?.[0] || field !== before[index]?.[1])
  return isChanged ? Object.fromEntries(after) : value
}
