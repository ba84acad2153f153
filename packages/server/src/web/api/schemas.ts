/** What several routes take or return. */
import type { Head } from '@loom-agent/kernel'
import { anything, type Described, flag, named, object, oneOf, optional, text, whole } from '../route/described.ts'
import type { StartedRun } from '../service/started-run.ts'

/** The status of a thread. */
export const status: Described<Head['summary']['status']> = oneOf(
  'How it stands.',
  'idle',
  'running',
  'waiting',
  'done',
  'failed',
  'stopped',
  'partial',
)

/** A thread in a list. */
export interface ThreadRow {
  readonly thread: string
  readonly incarnation: string
  readonly status: Head['summary']['status']
  readonly agent?: string | undefined
  readonly parent?: string | undefined
  readonly labels?: unknown
  readonly wakeAt?: number | undefined
  readonly quarantined?: boolean | undefined
  readonly seq: number
  readonly epoch: number
  readonly holder?: string | undefined
  readonly forkOf?: string | undefined
  readonly began: number
  readonly changed: number
}

/** A thread in a list. */
export const threadRow: Described<ThreadRow> = object(
  {
    thread: text('Its id.'),
    incarnation: text('Distinguishes it from a removed thread of the same id.'),
    status,
    agent: optional(text('The agent that it belongs to.')),
    parent: optional(text('The thread that has started it.')),
    labels: optional(anything('Its labels.')),
    wakeAt: optional(whole('When it goes on by itself, in milliseconds since 1970.')),
    quarantined: optional(flag('It was imported, and nobody has adopted it.')),
    seq: whole('Its last event.'),
    epoch: whole('How many drivers it has had.'),
    holder: optional(text('The worker that drives it.')),
    forkOf: optional(text('The moment at which it was cut from another thread: `thread@seq`.')),
    began: whole('When it began, in milliseconds since 1970; 0 if that was not stored.'),
    changed: whole('When its summary changed last, in milliseconds since 1970; 0 if that was not stored.'),
  },
  'A thread.',
)

/** A thread as it is listed. */
export function rowOf({ thread, incarnation, seq, epoch, holder, summary, times, forkOf }: Head): ThreadRow {
  const cut = forkOf && `${forkOf.thread}@${forkOf.seq}`
  return { thread, incarnation, ...summary, seq, epoch, holder, forkOf: cut, began: times.began, changed: times.changed }
}

/** The seq of an event in a query. */
export const seqOf = (description: string): Described<number> => whole(description, { least: 1, most: Number.MAX_SAFE_INTEGER })

/** A view of which a package has the type. */
export const view = <T>(name: string, description: string): Described<T> => named<T>(name, '@loom-agent/telemetry', description)

/** A value of which the agent package has the type. */
export const ofAgent = <T>(name: string, description: string): Described<T> => named<T>(name, '@loom-agent/agent', description)

/** A run that has started. */
export const startedRun: Described<StartedRun> = object({
  thread: text('The thread of the run.'),
  run: text('The id of the run on its thread.'),
  seq: whole('The event that started, queued or added it: a stream continues behind it.'),
})
