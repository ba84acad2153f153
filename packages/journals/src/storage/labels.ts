/** The labels of a thread, as databases store them. */
import type { JsonObject } from '@loom-agent/kernel'
import { damage } from './failure.ts'

/** The labels in a stored text. Throws when the text is damaged. */
export function labelsIn(text: string, thread: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    throw damage(thread, 1, 'its labels are broken')
  }
}
