/**
 * Results that a rebase shows in part.
 *
 * TRIM-1. What is shown follows from the entry and the trim alone, and its form never changes: a request that was sent can be rendered again.
 */
import type { CallResult, Entry, Output, Trim } from '@loom-agent/kernel'
import { textOf } from '../types/text-of.ts'

/** The entry with those results cut that the first fitting trim cuts; the entry itself when none is. */
export function trimmed(entry: Entry, trims: readonly Trim[]): Entry {
  const { message } = entry
  if (message.role !== 'tool') return entry
  let isCut = false
  const results = message.results.map((result) => {
    const trim = trims.find(({ tools }) => !tools || tools.includes(result.name))
    const output = trim && cut(result, trim)
    if (output) isCut = true
    return output ? { ...result, output } : result
  })
  return isCut ? { ...entry, message: { role: 'tool', results } } : entry
}

/** The output in part; undefined where it is short enough. */
function cut({ call, output }: CallResult, { over, head, tail }: Trim): Output | undefined {
  const text = outputText(output)
  if (text.length <= Math.max(over, head + tail)) return undefined
  const left = `[... ${text.length - head - tail} of ${text.length} characters of the result of call ${call} are left out ...]`
  const value = [text.slice(0, head).toWellFormed(), left, text.slice(text.length - tail).toWellFormed()].filter((part) => part !== '').join('\n')
  return { type: output.type === 'error' || output.type === 'denied' ? output.type : 'text', value }
}

/** A result as text: of parts, their text. */
export function outputText(output: Output): string {
  if (output.type === 'json') return JSON.stringify(output.value)
  return output.type === 'parts' ? textOf(output.value) : output.value
}
