/** Stage 6: turn what a body returned into what the model reads. Cutting and redaction happen here, before anything is stored. */

import {
  type Blobs,
  type FileFacts,
  isLoomError,
  type JsonObject,
  keysInDoubt,
  type Outbox,
  type Output,
  stepsNote,
  type ToolOutcome,
  unknownOutcome,
} from '@loom-agent/kernel'
import { messageOf, toJson, toSentence } from '../platform/normalize.ts'
import { shorten } from '../platform/shorten.ts'
import { fileFacts } from '../types/changed-files.ts'
import { isContent, partsWithin } from '../types/content.ts'
import type { OutputLimits } from '../types/content-parts.ts'
import { isHarmless } from '../types/effect-class.ts'
import { type ChangedFiles, notesOf } from '../types/noted.ts'
import type { CallJob } from './call-job.ts'
import { currentCall } from './current-call.ts'
import type { Executed } from './execute.ts'
import { keepWhole } from './whole-result.ts'

/** What formatting needs to know about the call. */
export interface FormatOptions {
  readonly tool: string
  readonly behaviour: OutputLimits & { readonly wholeLimit: number }
  /** The id of the call, where the model has a tool that reads the rest of a long result. */
  readonly more?: string | undefined
  /** The call whose body was entered, and where it is as it is now; absent where none was. */
  readonly body?: { readonly job: Pick<CallJob, 'call' | 'tool'>; readonly outbox: Pick<Outbox, 'frame'> }
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

/** An outcome, what its call has changed, and the bytes that these refer to. */
export interface Formatted {
  readonly outcome: ToolOutcome
  readonly facts?: FileFacts
  readonly blobs?: Blobs | undefined
}

/** The outcome of a call: always something that the model can read. Never throws. */
export function format(executed: Ended, options: FormatOptions): Formatted {
  const changed = executed.kind === 'returned' ? notesOf(executed.value)?.changed : 'changed' in executed ? executed.changed : undefined
  const formatted = orUnreadable(executed, options)
  return changed ? withFacts(formatted, changed) : formatted
}

function withFacts({ outcome, blobs: whole }: Formatted, changed: ChangedFiles): Formatted {
  const { facts, blobs } = fileFacts(changed)
  return { outcome, facts, blobs: whole && blobs ? new Map([...whole, ...blobs]) : (whole ?? blobs) }
}

function orUnreadable(executed: Ended, options: FormatOptions): Formatted {
  try {
    return outcomeOf(executed, options)
  } catch (error) {
    const why = toSentence(messageOf(error))
    return failure('failed', `${unreadableWords(options.tool)}${why} ${unreadableAdvice}`, options)
  }
}

function outcomeOf(executed: Ended, options: FormatOptions): Formatted {
  const { tool } = options
  switch (executed.kind) {
    case 'returned':
      return formatValue(executed.value, options)
    case 'threw':
      return failure(
        isLoomError(executed.error) ? 'failed' : errorTypeOf(executed.error),
        `${failedWords(tool)}${toSentence(messageOf(executed.error))} ${executed.advice ?? failedAdvice}`,
        options,
      )
    case 'timed-out': {
      const why = `${tool} ${lateWords} ${executed.ms} ms.`
      return isInDoubt(options)
        ? unknown(why, options)
        : { outcome: failed('timeout', `${why} Split the task, or try again with less.${stepsIn(options) ?? ''}`) }
    }
    case 'aborted':
      return isInDoubt(options)
        ? unknown(`${tool} was stopped while it ran: ${executed.reason}.`, options)
        : { outcome: failed('cancelled', `Cancelled: ${executed.reason}${stepsIn(options) ?? ''}`) }
  }
}

/** Whether a body that did not come to its end may have changed something. A durable one changes things in its steps and children only. */
function isInDoubt({ body }: FormatOptions): boolean {
  if (!body) return false
  const { call, tool } = body.job
  return tool.definition.durable ? keysInDoubt(currentCall(body.outbox, call)).length > 0 : !isHarmless(tool.effect)
}

/** What is known of the steps of a durable body, in words. */
const stepsIn = ({ body }: FormatOptions): string | undefined =>
  body?.job.tool.definition.durable ? stepsNote(currentCall(body.outbox, body.job.call)) : undefined

const unknown = (why: string, options: FormatOptions): Formatted => ({ outcome: unknownOutcome(why, stepsIn(options)) })

const failed = (errorType: string, value: string): ToolOutcome => ({ status: 'error', output: { type: 'error', value }, errorType })

/** A failure in words, which may be long. */
const failure = (errorType: string, text: string, options: FormatOptions): Formatted => fitted(text, options, (value) => failed(errorType, value))

/** The outcome that a text makes; of one that is too long, its head and its tail, and where the whole is. */
function fitted(text: string, { behaviour, more }: FormatOptions, make: (value: string) => ToolOutcome): Formatted {
  if (text.length <= behaviour.outputLimit) return { outcome: make(text) }
  const kept = keepWhole(text, behaviour.wholeLimit)
  const outcome = make(shorten(text, behaviour.outputLimit, kept && more))
  return kept ? { outcome: { ...outcome, whole: kept.whole }, blobs: kept.blobs } : { outcome }
}

const errorTypeOf = (error: unknown): string => (error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'failed')

function formatValue(value: unknown, options: FormatOptions): Formatted {
  const notes = notesOf(value)
  if (notes) {
    const formatted = formatValue(notes.value, options)
    const { outcome } = formatted
    return notes.meta ? { ...formatted, outcome: { ...outcome, meta: { ...(toJson(notes.meta) as JsonObject), ...outcome.meta } } } : formatted
  }
  if (value instanceof Error) return failure('failed', `${failedWords(options.tool)}${messageOf(value)}`, options)
  if (isBlank(value))
    return { outcome: { status: 'warning', output: { type: 'text', value: `${options.tool} returned nothing.` }, meta: { empty: true } } }
  if (isContent(value)) return { outcome: success({ type: 'parts', value: partsWithin(value, options.behaviour) }) }
  if (typeof value === 'string') return formatText(value.toWellFormed(), options)
  const json = toJson(value)
  const text = JSON.stringify(json)
  return text.length > options.behaviour.outputLimit ? formatText(text, options) : { outcome: success({ type: 'json', value: json }) }
}

function formatText(text: string, options: FormatOptions): Formatted {
  if (text.length <= options.behaviour.outputLimit) return { outcome: success({ type: 'text', value: text }) }
  return fitted(text, options, (value) => success({ type: 'text', value }, value === text ? undefined : { cut: text.length }))
}

const success = (output: Output, meta?: JsonObject): ToolOutcome => (meta ? { status: 'success', output, meta } : { status: 'success', output })

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' ? value.trim() === '' : isContent(value) && value.parts.length === 0)
