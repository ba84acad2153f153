/** What a tool's body must have done for its recorded result to come of it. */
import { content } from '@loom-agent/agent'
import { callOf, type Frame, type LoomEvent, type ToolOutcome } from '@loom-agent/kernel'
import { uncut } from './cut.ts'
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
  if (output.type === 'text') return { kind: 'returned', value: meta?.['empty'] === true ? undefined : uncut(output.value) }
  return failureEnd(tool, uncut(output.value), errorType)
}

const suffix = ' Check the arguments or try another way.'
const unreadableSuffix = ' Do not rely on it.'

/** A value that throws when it is looked at. */
const unreadableValue = (why: string): object =>
  Object.defineProperty({}, 'kind', {
    get() {
      throw new Error(why)
    },
  })

function failureEnd(tool: string, text: string, errorType: string | undefined): BodyEnd {
  const prefix = `${tool} failed: `
  if (text.startsWith(prefix) && text.endsWith(suffix)) {
    return { kind: 'threw', message: text.slice(prefix.length, -suffix.length), name: errorType === 'timeout' ? 'TimeoutError' : 'Error' }
  }
  if (text.startsWith(prefix)) return { kind: 'returned', value: new Error(text.slice(prefix.length)) }
  const unreadable = `${tool} has run, and what it gave cannot be read: `
  if (text.startsWith(unreadable)) return { kind: 'returned', value: unreadableValue(text.slice(unreadable.length, -unreadableSuffix.length)) }
  return text.includes(' did not end within ') ? { kind: 'late' } : { kind: 'aborted' }
}

/** The errors of calls that may have ended before their bodies did. Any other is decided before a body begins, or by how it ended. */
const givenUp: ReadonlySet<string | undefined> = new Set(['cancelled', 'timeout', 'outcome-unknown'])

/** Whether an event is the end of an open call before that of its body: the body was aborted, or not in time. */
export function wasGivenUp({ run }: Frame, event: LoomEvent): boolean {
  if (event.type !== 'tool.finished' || !givenUp.has(event.data.errorType)) return false
  const tool = run && callOf(run, event.data.call)?.part.name
  return ['late', 'aborted'].includes(bodyEndOf(tool ?? '', event.data).kind)
}
