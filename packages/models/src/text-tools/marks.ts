/**
 * The marks of requests: what tells a call that the model makes now from a call that it quotes.
 *
 * TEXT-4. A request has a mark of its own, which is random and stands at its end: nothing that a user wrote or a tool returned before can know it. Only a
 *     block under that mark is a call; a block under any other mark, or none, is text.
 * TEXT-5. A result stands between two lines with the mark of its message: what a tool returned cannot end there, and cannot begin the result of another.
 */
import type { LanguageModelV4Message } from '@loom-agent/agent/language-model'

/** The marks of messages: the same message has the same mark as long as the process knows it, so that the prompt only grows (TEXT-3). */
const marks = new WeakMap<LanguageModelV4Message, string>()

/** The mark of a message, and of the request that it ends. */
export function markOf(message: LanguageModelV4Message): string {
  const known = marks.get(message) ?? randomMark()
  marks.set(message, known)
  return known
}

/** Eighty random bits as letters and digits. */
function randomMark(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('')
}

/** What opens a call under a mark. */
export const openerOf = (mark: string): string => `tool-${mark}`
