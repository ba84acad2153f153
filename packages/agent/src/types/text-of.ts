/** The text of messages. */
import type { Part } from '@loom-agent/kernel'

/** The text of a message's parts, without reasoning. */
export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
