/**
 * The frame: the immutable state of a thread after an event.
 *
 * FRAME-1. A frame is plain read-only data and nothing but the fold of events. No function, class instance, date or object identity has a meaning in it.
 * FRAME-2. A frame's link to another thread is the pair `thread@seq`, never an object reference.
 *
 * All fields are there from the start: copies of one shape are cheap.
 */
import type { Answer, EffectClass, Epoch, EventData, Failure, Limits, QuestionData, RunRequest, Seq, ToolOutcome, ToolStart } from './event.ts'
import type { Json, JsonObject } from './json.ts'
import { emptyList, type List } from './list.ts'
import type { CallPart, Message, ToolSpec, Usage } from './message.ts'

/** One message of the history, with where it came from. */
export type Entry = Readonly<{ seq: Seq; origin: Origin; turn: number; message: Message }>
type Origin = 'input' | 'reply' | 'results' | 'steered' | 'note' | 'retrieved' | 'hook'

/** What of a durable body has begun and not ended: a step, a question, a child, a sleep. */
export type OpenStep = Readonly<{ key: string; epoch: Epoch; effect?: EffectClass; until?: number; child?: string; question?: string }>
/** A recorded key of a durable body. */
export type StepRecord = Readonly<{ key: string; value?: Json; error?: Failure }>

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
  /** The epoch under which it was last begun or suspended. */
  readonly epoch: Epoch
  readonly start: ToolStart | undefined
  /** The answer that cleared, rejected or settled it, and what it was bound to. */
  readonly answer: Readonly<{ answer: Answer; kind: QuestionData['kind']; digest?: string | undefined }> | undefined
  readonly open: readonly OpenStep[]
  readonly done: List<StepRecord>
  /** Something the suspended body waits for has come. */
  readonly woken: boolean
  readonly outcome: ToolOutcome | undefined
}

/** A question that is open. */
export type OpenQuestion = QuestionData & { readonly seq: Seq; readonly votes: readonly string[] }

/** One run of the thread. */
export interface Run {
  readonly id: string
  readonly status: 'active' | 'suspended' | 'finished' | 'failed' | 'stopped'
  readonly phase: 'enter' | 'context' | 'model' | 'tools' | 'answer'
  readonly request: RunRequest
  readonly limits: Limits
  readonly settings: JsonObject
  readonly firstTurn: number
  /** Model attempts of this turn, when the first was made, the one that is open, when to try again, and what a failed one had said. */
  readonly attempt: number
  readonly tried: number | undefined
  readonly sent: Readonly<{ attempt: number; epoch: Epoch; tokens: number; cost: number }> | undefined
  readonly retryAt: number | undefined
  readonly partial: string | undefined
  /** What the output schema said of the last reply. */
  readonly verdict: { readonly value: Json } | { readonly error: string } | undefined
  readonly calls: List<Call>
  readonly unsettled: number
  readonly usage: Usage
  /** Micro-units spent; `unpriced` counts replies whose price is unknown, `lost` what attempts reserved that never ended. */
  readonly cost: number
  readonly unpriced: number
  readonly lost: { readonly tokens: number; readonly cost: number }
  /** Milliseconds of driving, since when it is driven, and when a suspended run wakes by itself. */
  readonly driven: number
  readonly since: number | undefined
  readonly until: number | undefined
  readonly stop: { readonly reason: string; readonly kind: 'cancelled' | 'budget' } | undefined
  readonly pause: boolean
  readonly repairs: number
  /** The reminder to end with the required tool was given, or is not needed any more. */
  readonly reminded: boolean
  /** Digests of the latest calls with their results, and the one that repeats. */
  readonly recent: readonly number[]
  readonly repeated: { readonly tool: string; readonly count: number } | undefined
  /** What hooks changed about the next request, and the rebase they asked for. */
  readonly patch: JsonObject | undefined
  readonly rebase: JsonObject | undefined
  readonly end: Readonly<EventData['run.stopped']> | undefined
  readonly error: Failure | undefined
  readonly output: Json | undefined
}

/** What the model was last told besides the history, and how many entries of the history are in. */
export type Context = Readonly<{ rebases: number; system: string; tools: readonly ToolSpec[] }> &
  Readonly<{ lead: string | undefined; keepFrom: number; covered: number }>

/** A thread at one moment. */
export interface Frame {
  /** The id of the thread. */
  readonly thread: string
  /** Which life of the thread's name this is; in format 1 the name itself. */
  readonly incarnation: string
  readonly seq: Seq
  /** When that event was stored, in milliseconds since 1970. */
  readonly time: number
  /** The epoch of the current driver; 0 when nobody has driven. */
  readonly epoch: Epoch
  /** Drivers in a row that left no new fact. */
  readonly takeovers: number
  /** The name of the agent that the thread belongs to. */
  readonly agent: string | undefined
  /** Labels that the thread was started with. */
  readonly labels: JsonObject | undefined
  /** The call of another thread that started this one. */
  readonly parent: EventData['thread.started']['parent']
  /** Where this thread was forked from. */
  readonly fork: Readonly<EventData['thread.forked']> | undefined
  /** The number of the last turn. */
  readonly turn: number
  /** How many runs were asked for. */
  readonly runs: number
  /** The active or last run. */
  readonly run: Run | undefined
  /** Runs that wait for the active one. */
  readonly queue: readonly Readonly<{ run: string; seq: Seq; request: RunRequest }>[]
  /** What was said, call by call, as the model may be sent it. */
  readonly history: List<Entry>
  /** What the model is sent of the history. */
  readonly context: Context
  /** Words that the model has not been told yet. */
  readonly steering: readonly Readonly<{ seq: Seq; priority: number; message: Message }>[]
  /** How many questions were asked; the ordinal of the next id. */
  readonly asked: number
  readonly questions: { readonly [id: string]: OpenQuestion }
  readonly answered: List<{ readonly id: string; readonly answer: Answer }>
  /** Answers for hooks that suspended the run, by place. */
  readonly hookAnswers: { readonly [place: string]: Answer }
  /** Hook points that this turn has passed with a patch: point@call. */
  readonly hooked: readonly string[]
  /** Digests of what a human approved for the whole thread. */
  readonly grants: readonly string[]
  /** The first event this version cannot read: the thread is readable, not drivable. */
  readonly unknown: { readonly type: string; readonly v: number; readonly seq: Seq } | undefined
}

/** The frame of a thread before its first event. */
export function emptyFrame(thread: string): Frame {
  const counts = { seq: 0, time: 0, epoch: 0, takeovers: 0, turn: 0, runs: 0, asked: 0 }
  const absent = { agent: undefined, labels: undefined, parent: undefined, fork: undefined, run: undefined, unknown: undefined }
  const context: Context = { rebases: 0, system: '', tools: [], lead: undefined, keepFrom: 0, covered: 0 }
  const lists = { queue: [], steering: [], grants: [], hooked: [], questions: {}, hookAnswers: {} }
  return { thread, incarnation: thread, ...counts, ...absent, context, ...lists, history: emptyList(), answered: emptyList() }
}

/** A run before its first turn. */
export function freshRun(id: string, request: RunRequest, at: { turn: number; time: number }): Run {
  const { limits, settings = {} } = request
  const spent = { usage: { input: 0, output: 0 }, cost: 0, unpriced: 0, lost: { tokens: 0, cost: 0 }, driven: 0, since: at.time, until: undefined }
  const turn = { firstTurn: at.turn + 1, attempt: 0, tried: undefined, sent: undefined, retryAt: undefined, partial: undefined, verdict: undefined }
  const calls = { calls: emptyList<Call>(), unsettled: 0, recent: [], repeated: undefined, patch: undefined, rebase: undefined }
  const ending = { stop: undefined, pause: false, repairs: 0, reminded: false, end: undefined, error: undefined, output: undefined }
  return { id, status: 'active', phase: 'enter', request, limits, settings, ...spent, ...turn, ...calls, ...ending }
}

/** Whether a run has come to its end (it may still be resumed when it failed or reached a limit). */
export function isOver({ status }: Run): boolean {
  return status === 'finished' || status === 'failed' || status === 'stopped'
}
