/** Lines about what happens. */
import type { EventOf, EventType, Frame, JsonObject, LoomEvent } from '@loom-agent/kernel'
import { notify } from '../../platform/call-user.ts'
import { expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { type ObservingHook, toolOf } from './observing-hook.ts'

/** One line, for people and for machines. */
export interface LogEntry {
  /** The line to print. */
  readonly text: string
  /** When the event was stored, in milliseconds since 1970. */
  readonly time: number
  /** The id of the thread. */
  readonly thread: string
  /** The run it belongs to. */
  readonly run?: string | undefined
  /** The turn it belongs to. */
  readonly turn?: number | undefined
  /** The type of the event. */
  readonly type: EventType
  /** Whether it is a failure. */
  readonly error: boolean
  /** What the event holds: inputs, arguments, outputs. Only when verbose. */
  readonly data?: JsonObject
}

/** Where lines go, and how many there are. */
export interface LoggingOptions {
  /** Takes each entry; default: its text goes to `console.error`. What it throws is ignored. */
  readonly log?: (entry: LogEntry) => unknown
  /** Writes every event with its data; default `false`: no line quotes what people, models and tools said. */
  readonly verbose?: boolean
}

type Line<T extends EventType> = (event: EventOf<T>, frame: Frame) => string

/** What a line says about an event, without its data. */
const lines: { readonly [T in EventType]?: Line<T> } = {
  'run.started': ({ data }) => `run ${data.run} started`,
  'run.suspended': ({ data }) => `waits: ${data.reason}`,
  'run.resumed': ({ data }) => `goes on: ${data.cause}`,
  'run.finished': () => 'done',
  'run.failed': ({ data }) => `failed: ${data.error.code}`,
  'run.stopped': ({ data }) => `stopped: ${data.kind}`,
  'turn.entered': ({ data }) => `turn ${data.turn}`,
  'model.replied': ({ data }) => `model replied: ${data.usage.input} tokens in, ${data.usage.output} out${took(data.ms)}`,
  'model.failed': ({ data }) => `model failed, attempt ${data.attempt}: ${data.error.code}`,
  'tool.started': ({ data }, frame) => `tool ${shownTool(frame, data.call)} started (${data.call})`,
  'tool.finished': ({ data }, frame) => `tool ${shownTool(frame, data.call)} ended (${data.call}): ${data.errorType ?? data.status}${took(data.ms)}`,
  'tool.denied': ({ data }, frame) => `tool ${shownTool(frame, data.call)} denied (${data.call}): ${data.errorType}`,
  'question.asked': ({ data }) => `asks ${data.id}: ${data.kind}`,
  'question.answered': ({ data }) => `was answered ${data.id}: ${data.answer.kind}`,
  'child.started': ({ data }) => `child ${data.child} started`,
  'child.finished': ({ data }) => `child ${data.child} ended`,
}

const shownTool = (frame: Frame, call: string): string => toolOf(frame, call) ?? 'of an earlier turn'
const took = (ms: number | undefined): string => (ms === undefined ? '' : ` in ${ms} ms`)

const failures: ReadonlySet<EventType> = new Set(['run.failed', 'model.failed', 'tool.denied', 'context.compression-failed'])

/**
 * Writes a line for what happens to runs, turns, model calls, tools and questions.
 *
 * @example
 * agent({ model, hooks: [loggingHook()] })
 * agent({ model, hooks: [loggingHook({ verbose: true, log: (entry) => lines.push(JSON.stringify(entry)) })] })
 */
export function loggingHook(options: LoggingOptions = {}): ObservingHook {
  checkOptions('loggingHook', options, { log: expected.function, verbose: expected.flag })
  const { log = (entry: LogEntry) => console.error(entry.text), verbose = false } = options
  return {
    name: 'loggingHook',
    observe(event, frame) {
      const line = lines[event.type] as Line<EventType> | undefined
      if (line || verbose) notify(log, entryOf(event, line?.(event, frame) ?? event.type, verbose))
    },
  }
}

function entryOf(event: LoomEvent, said: string, verbose: boolean): LogEntry {
  const { time, thread, run, turn, type, data } = event
  const error = failures.has(type) || (type === 'tool.finished' && data.status === 'error')
  const place = run === undefined ? thread : `${thread} ${run}`
  const held = verbose ? ` ${JSON.stringify(data)}` : ''
  return { text: `[${place}] ${said}${held}`, time, thread, run, turn, type, error, ...(verbose && { data: { ...data } as JsonObject }) }
}
