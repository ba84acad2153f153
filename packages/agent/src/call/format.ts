/** Stage 6: turn what a body returned into what the model reads. Cutting and redaction happen here, before anything is stored. */

import { isLoomError, type JsonObject, type Output, type ToolOutcome, unknownOutcome } from '@loom-agent/kernel'
import { messageOf, toJson, toSentence } from '../platform/normalize.ts'
import { shorten } from '../platform/shorten.ts'
import { isContent, partsWithin } from '../types/content.ts'
import type { OutputLimits } from '../types/content-parts.ts'
import { notesOf } from '../types/noted.ts'
import type { Executed } from './execute.ts'

/** What formatting needs to know about the call. */
export interface FormatOptions {
  readonly tool: string
  readonly behaviour: OutputLimits
  /** Whether a body that did not come to its end may have changed something. */
  readonly isInDoubt: () => boolean
  /** What is known of the steps of a durable body, in words. */
  readonly steps?: (() => string) | undefined
}

/** How the text of a failed call begins. Recorded tests read these words back: what a body did follows from them. */
export const failedWords = (tool: string): string => `${tool} failed: `
/** How the text of a call ends whose body has thrown. */
export const failedAdvice = 'Check the arguments or try another way.'
/** What the text of a call has whose body was not in time. */
export const lateWords = 'did not end within'
/** Before why the value of a body cannot be read. */
export const unreadableWords = (tool: string): string => `${tool} has run, and what it gave cannot be read: `
/** Behind it. */
export const unreadableAdvice = 'Do not rely on it.'

type Ended = Exclude<Executed, { kind: 'suspended' }>

/** The outcome of a call: always something that the model can read. Never throws. */
export function format(executed: Ended, options: FormatOptions): ToolOutcome {
  try {
    return outcomeOf(executed, options)
  } catch (error) {
    const why = toSentence(messageOf(error))
    return failure('failed', shorten(`${unreadableWords(options.tool)}${why} ${unreadableAdvice}`, options.behaviour.outputLimit))
  }
}

function outcomeOf(executed: Ended, options: FormatOptions): ToolOutcome {
  const { tool, behaviour, isInDoubt, steps } = options
  switch (executed.kind) {
    case 'returned':
      return formatValue(executed.value, options)
    case 'threw':
      return failure(
        isLoomError(executed.error) ? 'failed' : errorTypeOf(executed.error),
        shorten(`${failedWords(tool)}${toSentence(messageOf(executed.error))} ${executed.advice ?? failedAdvice}`, behaviour.outputLimit),
      )
    case 'timed-out': {
      const why = `${tool} ${lateWords} ${executed.ms} ms.`
      return isInDoubt() ? unknownOutcome(why, steps?.()) : failure('timeout', `${why} Split the task, or try again with less.${steps?.() ?? ''}`)
    }
    case 'aborted':
      return isInDoubt()
        ? unknownOutcome(`${tool} was stopped while it ran: ${executed.reason}.`, steps?.())
        : failure('cancelled', `Cancelled: ${executed.reason}${steps?.() ?? ''}`)
  }
}

const failure = (errorType: string, value: string): ToolOutcome => ({ status: 'error', output: { type: 'error', value }, errorType })

const errorTypeOf = (error: unknown): string => (error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'failed')

function formatValue(value: unknown, options: FormatOptions): ToolOutcome {
  const notes = notesOf(value)
  if (notes) {
    const outcome = formatValue(notes.value, options)
    return { ...outcome, meta: { ...(toJson(notes.meta) as JsonObject), ...outcome.meta } }
  }
  if (value instanceof Error) return failure('failed', shorten(`${failedWords(options.tool)}${messageOf(value)}`, options.behaviour.outputLimit))
  if (isBlank(value)) return { status: 'warning', output: { type: 'text', value: `${options.tool} returned nothing.` }, meta: { empty: true } }
  if (isContent(value)) return success({ type: 'parts', value: partsWithin(value, options.behaviour) })
  if (typeof value === 'string') return formatText(value.toWellFormed(), options)
  const json = toJson(value)
  const text = JSON.stringify(json)
  return text.length > options.behaviour.outputLimit ? formatText(text, options) : success({ type: 'json', value: json })
}

function formatText(text: string, options: FormatOptions): ToolOutcome {
  if (text.length <= options.behaviour.outputLimit) return success({ type: 'text', value: text })
  return success({ type: 'text', value: shorten(text, options.behaviour.outputLimit) }, { cut: text.length })
}

const success = (output: Output, meta?: JsonObject): ToolOutcome => ({ status: 'success', output, ...(meta && { meta }) })

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' ? value.trim() === '' : isContent(value) && value.parts.length === 0)
