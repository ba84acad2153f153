/**
 * The frame: the immutable state of a thread after an event.
 *
 * K5. A frame is plain read-only data and nothing but the fold of events. No function, class instance, date or object identity has a meaning in it.
 * K6. A frame's link to another thread is the pair `thread@seq`, never an object reference.
 */
import type { Answer, EffectClass, Epoch, Failure, Limits, QuestionData, RunRequest, Seq, ToolOutcome, ToolStart } from './event.ts'
import type { Json, JsonObject } from './json.ts'
import { emptyList, type List } from './list.ts'
import type { CallPart, Message, ToolSpec, Usage } from './message.ts'

/** One message of the history, with where it came from. */
export interface Entry {
  readonly seq: Seq
  readonly origin: 'input' | 'reply' | 'results' | 'steered' | 'note' | 'retrieved' | 'hook'
  readonly turn: number
  readonly message: Message
}

/** What a durable body waits for, or what of it has begun: a step, a question, a child, a sleep. */
export interface OpenStep {
  readonly key: string
  readonly effect?: EffectClass
  readonly epoch: Epoch
  readonly until?: number
  readonly child?: string
  readonly question?: string
}

/** A recorded key of a durable body. */
export interface StepRecord {
  readonly key: string
  readonly value?: Json
  readonly error?: Failure
}

/**
 * A call on its way to exactly one result.
 *
 * proposed -> (asking -> cleared | rejected | responded) -> running -> (suspended -> running) -> settled; a running call whose performer was
 * lost may become in-doubt, which is a question like any other.
 */
export interface Call {
  readonly id: string
  readonly part: CallPart
  readonly input: Json
  readonly state: 'proposed' | 'asking' | 'cleared' | 'rejected' | 'responded' | 'running' | 'suspended' | 'in-doubt' | 'settled'
  readonly epoch: Epoch
  readonly start: ToolStart | undefined
  /** The answer that cleared, rejected or settled it, and what it was bound to. */
  readonly answer: { readonly answer: Answer; readonly kind: QuestionData['kind']; readonly digest?: string | undefined } | undefined
  readonly open: readonly OpenStep[]
  readonly done: List<StepRecord>
  /** Set when something the suspended body waits for has come. */
  readonly woken: true | undefined
  readonly outcome: ToolOutcome | undefined
}

/** A question that is open. */
export interface Question extends QuestionData {
  readonly seq: Seq
  readonly votes: readonly string[]
}

/** One run of the thread. */
export interface Run {
  readonly id: string
  readonly status: 'active' | 'suspended' | 'finished' | 'failed' | 'stopped'
  readonly phase: 'enter' | 'context' | 'model' | 'tools' | 'answer'
  readonly request: RunRequest
  readonly limits: Limits
  readonly settings: JsonObject
  readonly firstTurn: number
  /** Model attempts of this turn, and the one that is open. */
  readonly attempt: number
  readonly sent: { readonly attempt: number; readonly epoch: Epoch; readonly tokens: number; readonly cost: number } | undefined
  readonly retryAt: number | undefined
  /** What a failed or aborted attempt had said. */
  readonly partial: string | undefined
  /** What the output schema said of the last reply. */
  readonly verdict: { readonly value: Json } | { readonly error: string } | undefined
  readonly calls: List<Call>
  readonly unsettled: number
  readonly usage: Usage
  /** Micro-units spent; `unpriced` counts replies whose price is unknown. */
  readonly cost: number
  readonly unpriced: number
  /** Tokens and cost reserved by attempts that were lost: unknown spend. */
  readonly lost: { readonly tokens: number; readonly cost: number }
  readonly driven: number
  readonly since: number | undefined
  /** When a suspended run wakes by itself. */
  readonly until: number | undefined
  readonly stop: { readonly reason: string; readonly kind: 'cancelled' | 'budget' } | undefined
  readonly pause: boolean
  readonly repairs: number
  /** The reminder to end with the required tool was given, or is not needed any more. */
  readonly reminded: boolean
  /** Digests of the latest calls with their results. */
  readonly recent: readonly number[]
  readonly repeated: { readonly tool: string; readonly count: number } | undefined
  readonly patch: JsonObject | undefined
  readonly rebase: JsonObject | undefined
  readonly end?:
    | { readonly kind: string; readonly reason: string; readonly limit?: string; readonly used?: number; readonly max?: number }
    | undefined
  readonly error: Failure | undefined
  readonly output: Json | undefined
}

/** What the model was last told besides the history. */
export interface Context {
  readonly rebases: number
  readonly system: string
  readonly tools: readonly ToolSpec[]
  readonly lead: string | undefined
  readonly keepFrom: number
  /** How many entries of the history are in. */
  readonly covered: number
}

/** A thread at one moment. */
export interface Frame {
  readonly thread: string
  readonly seq: Seq
  readonly time: number
  readonly epoch: Epoch
  /** Drivers in a row that left no new fact. */
  readonly takeovers: number
  readonly agent: string | undefined
  readonly labels: JsonObject | undefined
  readonly parent: { readonly thread: string; readonly call: string; readonly depth: number } | undefined
  readonly forkedFrom: string | undefined
  readonly turn: number
  readonly runs: number
  readonly run: Run | undefined
  readonly queue: readonly { readonly run: string; readonly seq: Seq; readonly request: RunRequest }[]
  readonly history: List<Entry>
  readonly context: Context
  readonly steering: readonly { readonly seq: Seq; readonly priority: number; readonly message: Message }[]
  /** How many questions were asked; the ordinal of the next id. */
  readonly asked: number
  readonly questions: { readonly [id: string]: Question }
  readonly answered: List<{ readonly id: string; readonly answer: Answer }>
  readonly hookAnswers: { readonly [place: string]: Answer }
  /** Digests of what a human approved for the whole thread. */
  readonly grants: readonly string[]
  /** The first event this version cannot read: the thread is readable, not drivable. */
  readonly unknown: { readonly type: string; readonly v: number; readonly seq: Seq } | undefined
}

/** The frame of a thread before its first event. All fields are there from the start: copies of one shape are cheap. */
export function emptyFrame(thread: string): Frame {
  return {
    thread,
    seq: 0,
    time: 0,
    epoch: 0,
    takeovers: 0,
    agent: undefined,
    labels: undefined,
    parent: undefined,
    forkedFrom: undefined,
    turn: 0,
    runs: 0,
    run: undefined,
    queue: [],
    history: emptyList(),
    context: { rebases: 0, system: '', tools: [], lead: undefined, keepFrom: 0, covered: 0 },
    steering: [],
    asked: 0,
    questions: {},
    answered: emptyList(),
    hookAnswers: {},
    grants: [],
    unknown: undefined,
  }
}

/** Whether a run has come to its end (it may still be resumed when it failed or reached a limit). */
export function isOver(run: Run): boolean {
  return run.status === 'finished' || run.status === 'failed' || run.status === 'stopped'
}
