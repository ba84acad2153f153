/** What a tool's body must have done for its recorded result to come of it. */
import { content } from '@loom-agent/agent'
import { failedAdvice, failedWords, lateWords, shortenedOf, unreadableAdvice, unreadableWords } from '@loom-agent/agent/kit'
import { callOf, type Frame, type LoomEvent, type ToolOutcome } from '@loom-agent/kernel'
import { contentOf } from './recorded-input.ts'

/** How a body ended: with a value, with an error, by an abort, or not in time. */
export type BodyEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string; readonly name: string }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'late' }

/** The end of a body that gives the recorded outcome, as long as nothing about the tool has changed. */
export function bodyEndOf(tool: string, { output, errorType, meta }: ToolOutcome): BodyEnd {
  if (output.type === 'json') return { kind: 'returned', value: output.value }
  if (output.type === 'parts') return { kind: 'returned', value: content(contentOf(output.value)) }
  if (output.type === 'text') return { kind: 'returned', value: meta?.['empty'] === true ? undefined : uncut(output.value, meta?.['cut']) }
  return failureEnd(tool, unshortened(output.value), errorType)
}

/** A text that was cut, at its former length. A text that only has the look of a cut one is what the tool returned. */
function uncut(text: string, length: unknown): string {
  return typeof length === 'number' ? unshortened(text) : text
}

/** No error is longer before it is shortened: a text that has the look of a longer one was written so. */
const longestError = 100_000_000

/** A text that would be shortened to the given one at the same length; the text itself when it was not shortened. */
function unshortened(text: string): string {
  const found = shortenedOf(text)
  const parts = found && found.left <= longestError ? found : undefined
  return parts ? `${parts.head}${'.'.repeat(parts.left)}${parts.tail}` : text
}

const suffix = ` ${failedAdvice}`

/** A result of parts that throws when its parts are looked at. */
const unreadableValue = (why: string): object =>
  content(
    Object.defineProperty([], '0', {
      enumerable: true,
      get() {
        throw new Error(why)
      },
    }),
  )

function failureEnd(tool: string, text: string, errorType: string | undefined): BodyEnd {
  const prefix = failedWords(tool)
  if (text.startsWith(prefix) && text.endsWith(suffix)) {
    return { kind: 'threw', message: text.slice(prefix.length, -suffix.length), name: errorType === 'timeout' ? 'TimeoutError' : 'Error' }
  }
  if (text.startsWith(prefix)) return { kind: 'returned', value: new Error(text.slice(prefix.length)) }
  const unreadable = unreadableWords(tool)
  if (text.startsWith(unreadable)) return { kind: 'returned', value: unreadableValue(text.slice(unreadable.length, -unreadableAdvice.length - 1)) }
  return text.includes(` ${lateWords} `) ? { kind: 'late' } : { kind: 'aborted' }
}

/** The errors of calls that may have ended before their bodies did. Any other is decided before a body begins, or by how it ended. */
const givenUp: ReadonlySet<string | undefined> = new Set(['cancelled', 'timeout', 'outcome-unknown'])

/** Whether an event is the end of an open call before that of its body: the body was aborted, or not in time. */
export function wasGivenUp({ run }: Frame, event: LoomEvent): boolean {
  if (event.type !== 'tool.finished' || !givenUp.has(event.data.errorType)) return false
  const tool = run && callOf(run, event.data.call)?.part.name
  return ['late', 'aborted'].includes(bodyEndOf(tool ?? '', event.data).kind)
}
