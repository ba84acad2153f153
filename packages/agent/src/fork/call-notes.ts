/** What a thread has recorded of each of its calls: what the plan of a fork needs where the call cannot be judged anew. */
import type { EffectClass, EventOf, EventType, Json, LoomEvent, QuestionData } from '@loom-agent/kernel'
import { isHarmless } from '../types/effect-class.ts'

/** What a thread has recorded of a call. */
export interface CallNotes {
  /** The class under which it was started. */
  readonly effect?: EffectClass
  /** The arguments that hooks made of those proposed. */
  readonly input?: Json
  /** What hooks asked before it. */
  readonly hookQuestions?: readonly QuestionData[]
  /** How hooks ended it. */
  readonly byHook?: 'skipped' | 'answered'
  /** How the stages before execution ended it. */
  readonly verdict?: 'asked' | 'denied' | 'refused'
  /** A human gave its result. */
  readonly isGiven?: true
  /** The keys of steps and children of its body that may have changed the world. */
  readonly changing?: readonly string[]
}

/** The notes while they are made. */
interface Notebook {
  readonly calls: Map<string, CallNotes>
  readonly questions: Map<string, QuestionData>
}

/** The errors with which calls end that cannot be executed. */
const refusals: ReadonlySet<string | undefined> = new Set(['not-found', 'unavailable', 'validation'])

/** What each event says of a call. */
const noted: { readonly [K in EventType]?: (book: Notebook, data: EventOf<K>['data']) => void } = {
  // What was open there was decided anew.
  'thread.forked'({ calls }) {
    for (const [call, { effect }] of calls) calls.set(call, effect ? { effect } : {})
  },
  'tool.started': (book, { call, effect }) => note(book, call, { effect }),
  'tool.step-started'(book, { call, key, effect }) {
    if (!isHarmless(effect)) noteChange(book, call, key)
  },
  'child.started': (book, { call, key }) => noteChange(book, call, key),
  'hook.applied'(book, { point, call, patch: { input } }) {
    if (point === 'beforeToolExecution' && call !== undefined && input !== undefined) note(book, call, { input })
  },
  'question.asked'(book, question) {
    const { id, call, kind } = question
    book.questions.set(id, question)
    if (call === undefined) return
    if (kind === 'approval') note(book, call, { verdict: 'asked' })
    if (id.startsWith('hook:beforeToolExecution@')) note(book, call, { hookQuestions: [...(book.calls.get(call)?.hookQuestions ?? []), question] })
  },
  'question.answered'(book, { id, answer }) {
    const { call, key } = book.questions.get(id) ?? {}
    if (call !== undefined && key === undefined && answer.kind === 'respond') note(book, call, { isGiven: true })
  },
  'tool.denied'(book, { call, errorType }) {
    if (errorType === 'permission') note(book, call, { verdict: 'denied' })
  },
  'tool.finished'(book, { call, errorType, meta }) {
    const known = book.calls.get(call)
    if (errorType === 'skipped') note(book, call, { byHook: 'skipped' })
    else if (meta?.['answered'] === true && !known?.isGiven) note(book, call, { byHook: 'answered' })
    else if (refusals.has(errorType) && known?.effect === undefined) note(book, call, { verdict: 'refused' })
  },
}

function note({ calls }: Notebook, call: string, added: CallNotes): void {
  calls.set(call, { ...calls.get(call), ...added })
}

function noteChange(book: Notebook, call: string, key: string): void {
  note(book, call, { changing: [...(book.calls.get(call)?.changing ?? []), key] })
}

/** What a thread has recorded of its calls, by their ids. */
export function noteCalls(events: readonly LoomEvent[]): ReadonlyMap<string, CallNotes> {
  const book: Notebook = { calls: new Map(), questions: new Map() }
  for (const { type, data } of events) noted[type]?.(book, data as never)
  return book.calls
}
