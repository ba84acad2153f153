/**
 * Secrets in what foreign code says: messages of errors lose them where they enter Loom, before they are journaled, logged or shown to a model.
 *
 * SECRET-1. Every message that was thrown becomes text in `messageOf`, and every error with a code becomes data in `failureOf`: both redact. The error
 *     itself stays as it is, in the process (THROWN-1).
 * SECRET-2. The rules are loaded before a thread is driven. Until then long words of such messages are withheld: what is not judged is not shown.
 */
import type { JsonObject } from '@loom-agent/kernel'

type Redaction = typeof import('../redact/redact.ts')

let redaction: Redaction | undefined

/** Loads the rules of the redaction. */
export async function loadRedaction(): Promise<Redaction> {
  redaction ??= await import('../redact/redact.ts')
  return redaction
}

/** Whether the rules are loaded. */
export const isRedactionLoaded = (): boolean => redaction !== undefined

/** Longer words may be secrets, as far as is known without the rules. */
const longWords = /[^\s"'`,;<>(){}[\]]{20,}/g

/** The message of an error without secrets. A foreign one has none of Loom's own ids in it: what looks random in it is a secret too. */
export function withoutSecrets(message: string, kind: 'message' | 'foreign' = 'foreign'): string {
  return redaction ? redaction.redactText(message, { kind }) : message.replace(longWords, '[withheld]')
}

/** The context of an error without secrets, also under the names that it gives them; nothing of it before the rules are loaded. */
export function contextWithoutSecrets(context: JsonObject): JsonObject {
  return redaction ? redaction.redactJson(context, { kind: 'message' }) : {}
}
