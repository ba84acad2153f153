/**
 * The frame: the immutable state of a thread after an event.
 *
 * FRAME-1. A frame is plain read-only data and nothing but the fold of events. No function, class instance, date or object identity has a meaning in it.
 * FRAME-2. A frame's link to another thread is the pair `thread@seq`, never an object reference.
 *
 * All fields are there from the start: copies of one shape are cheap.
 */
import type { Context, ContextSummary } from './context.ts'
import type { Entry } from './entry.ts'
import type { Answer, EffectClass, Epoch, EventData, Failure, ParentLink, QuestionData, Seq, ToolOutcome, ToolStart } from './event.ts'
import type { Json, JsonObject } from './json.ts'
import { emptyList, type List } from './list.ts'
import type { CallPart, Message, Usage } from './message.ts'
import type { Limits, RunRequest, StartId, Taint } from './run-request.ts'

/** A key of a durable body, and what it stands for: the prompt of a question, the digest of a child's input. */
type Keyed = Readonly<{ key: string; about?: string }>
/** A part of a durable body that has started and not ended: a step, a question, a child, a sleep, a wait for a signal. */
export type OpenStep = Keyed & Readonly<{ epoch: Epoch; effect?: EffectClass; until?: number; question?: string; signal?: string }> & OpenChild
/** The child that is open. `hasResolver` says whether its agent has an `onQuestion`; older records do not say it. */
type OpenChild = Readonly<{ child?: string; hasResolver?: boolean }>
/** A recorded key of a durable body; of a child with what it has read. */
export type StepRecord = Keyed & Readonly<{ value?: Json; error?: Failure; taint?: Taint }>

/**
 * A call on its way to exactly one result.
 *
 * proposed -> (asking -> cleared | rejected | responded) -> running -> (suspended -> running) -> settled; a running call whose performer was
 * lost may become in-doubt, which is a question like any other.
 */
export interface Call {
  /** Loom's own id: `turn.index`. */
  readonly id: string
  /** The call as the model proposed it. */
  readonly part: CallPart
  /** The arguments that count: as proposed, or as a hook or a human changed them. */
  readonly input: Json
  /** How far it has come. */
  readonly state: 'proposed' | 'asking' | 'cleared' | 'rejected' | 'responded' | 'running' | 'suspended' | 'in-doubt' | 'settled'
  /** The epoch under which it was last started or suspended. */
  readonly epoch: Epoch
  /** Its intent; undefined before it was started. */
  readonly start: ToolStart | undefined
  /** The answer that cleared, rejected or settled it, and what it was bound to. */
  readonly answer: Readonly<{ answer: Answer; kind: QuestionData['kind']; digest?: string | undefined }> | undefined
  /** What its durable body waits for or performs. */
  readonly open: readonly OpenStep[]
  /** What its durable body has recorded, in order. */
  readonly done: List<StepRecord>
  /** Something that the suspended body waits for has happened. */
  readonly woken: boolean
  /** Signals that its waits have taken since the body was last entered: if it is not entered again, the thread keeps them. */
  readonly unread: Frame['signals']
  /** The hook points that it has passed with a patch. */
  readonly hooks: readonly string[]
  /** Its result; undefined until it is settled. */
  readonly outcome: ToolOutcome | undefined
}

/** A question that is open. */
export type OpenQuestion = QuestionData & {
  /** The seq of the event that asked it. */
  readonly seq: Seq
  /** The people who have approved, where several must. */
  readonly votes: readonly string[]
}

/** One run of the thread. */
export interface Run {
  /** Its id on the thread: `r1`, `r2`, and so on. */
  readonly id: string
  /** Whether it goes on, waits or has ended, and how. */
  readonly status: 'active' | 'suspended' | 'finished' | 'failed' | 'stopped'
  /** The part of a turn that comes next. */
  readonly phase: 'enter' | 'context' | 'model' | 'tools' | 'answer'
  /** What it was asked to do. */
  readonly request: RunRequest
  /** The limits in force, with those that were raised since. */
  readonly limits: Limits
  /** What a fork that was made without limits may spend once a budget is granted; until then it spends nothing. */
  readonly ungranted: Limits | undefined
  /** The model settings in force. */
  readonly settings: JsonObject
  /** The number of its first turn on the thread. */
  readonly firstTurn: number
  /** Model attempts of this turn. */
  readonly attempt: number
  /** When the first attempt of this turn was made, in milliseconds since 1970. */
  readonly tried: number | undefined
  /** The attempt that is open, and what it reserved of the budget. */
  readonly sent: Readonly<{ attempt: number; epoch: Epoch; tokens: number; cost: number }> | undefined
  /** When to try again after a failed attempt, in milliseconds since 1970. */
  readonly retryAt: number | undefined
  /** The text that a failed attempt had streamed. */
  readonly partial: string | undefined
  /** What the output schema made of the last reply. */
  readonly verdict: { readonly value: Json } | { readonly error: string } | undefined
  /** The calls of this turn. */
  readonly calls: List<Call>
  /** How many of them have no result yet. */
  readonly unsettled: number
  /** How many of the first calls of this turn all have their result. */
  readonly settledTo: number
  /** Calls that were proposed in the whole run, with those of children that have ended. */
  readonly called: number
  /** Children that were started in the whole run, with those of children that have ended. */
  readonly children: number
  /** Tokens of all model calls, those of children included. */
  readonly usage: Usage
  /** Integer micro-units spent, as far as prices are known. */
  readonly cost: number
  /** How many replies have no known price. */
  readonly unpriced: number
  /** What attempts had reserved that failed without a count. */
  readonly lost: { readonly tokens: number; readonly cost: number }
  /** Milliseconds of driving before `since`. */
  readonly driven: number
  /** Since when it is driven, in milliseconds since 1970; undefined while it waits. */
  readonly since: number | undefined
  /** When a suspended run wakes by itself, in milliseconds since 1970. */
  readonly until: number | undefined
  /** A stop that was asked for and is not carried out yet. */
  readonly stop: Readonly<{ reason: string; kind: 'cancelled' | 'budget' } | { reason: string; kind: 'limit'; max: number; at: number }> | undefined
  /** Whether it was asked to pause. */
  readonly pause: boolean
  /** The last place at which a breakpoint has stopped it: it goes past that when it is resumed. */
  readonly passed: string | undefined
  /** How often a reply that does not fit the output schema was sent back. */
  readonly repairs: number
  /** The reminder to end with the required tool was given, or is not needed any more. */
  readonly reminded: boolean
  /** Digests of the latest calls with their results. */
  readonly recent: readonly number[]
  /** The call that repeats, and how often. */
  readonly repeated: { readonly tool: string; readonly count: number } | undefined
  /** What hooks changed about the next request. */
  readonly patch: JsonObject | undefined
  /** The rebase that hooks asked for. */
  readonly rebase: JsonObject | undefined
  /** Why it was stopped. */
  readonly end: Readonly<EventData['run.stopped']> | undefined
  /** Why it failed, or why its last attempt did. */
  readonly error: Failure | undefined
  /** Its answer, where the agent has an output schema. */
  readonly output: Json | undefined
}

/** A run that is to start, and what it was asked while it was queued. */
export type RunStart = Readonly<{ run: string; request: RunRequest }> & Partial<Pick<Run, 'stop' | 'pause'>>

/** A thread at one moment. */
export interface Frame {
  /** The id of the thread. */
  readonly thread: string
  /** Distinguishes the thread from a removed one of the same id; in format 1 the id itself. */
  readonly incarnation: string
  /** The seq of the last event. */
  readonly seq: Seq
  /** When that event was stored, in milliseconds since 1970. */
  readonly time: number
  /** The epoch of the current driver; 0 before the first. */
  readonly epoch: Epoch
  /** Drivers in a row that left no new fact, with those that stored nothing. */
  readonly takeovers: number
  /** The name of the agent that the thread belongs to. */
  readonly agent: string | undefined
  /** The labels that the thread has now. */
  readonly labels: JsonObject | undefined
  /** The call of another thread that started this one. */
  readonly parent: ParentLink | undefined
  /** Where this thread was forked from. */
  readonly fork: Readonly<EventData['thread.forked']> | undefined
  /** The number of the last turn. */
  readonly turn: number
  /** How many runs were asked for. */
  readonly runs: number
  /** The active or last run. */
  readonly run: Run | undefined
  /** Runs that wait for the active one, with what they were asked meanwhile. */
  readonly queue: readonly (RunStart & { readonly seq: Seq })[]
  /** The starts that had an id, and the run that each of them started or joined. */
  readonly starts: List<StartId & { readonly run: string }>
  /** Signals that no wait has taken yet, in order. */
  readonly signals: readonly Readonly<EventData['signal.received']>[]
  /** All messages so far, as a model may be sent them. */
  readonly history: List<Entry>
  /** The first of what others wrote, and of what is private, that was read here; undefined where nothing was. */
  readonly taint: Taint | undefined
  /** What the model is sent of the history. */
  readonly context: Context
  /** The summaries that were made, by number. */
  readonly summaries: List<ContextSummary>
  /** A rebase that makes the context shorter was asked for, and has not been made. */
  readonly compact: boolean
  /** Messages for the run that the model has not been sent yet. */
  readonly steering: readonly Readonly<{ seq: Seq; priority: number; message: Message; pin?: true; taint?: Taint }>[]
  /** How many questions were asked; the ordinal of the next id. */
  readonly asked: number
  /** The open questions, by id. */
  readonly questions: { readonly [id: string]: OpenQuestion }
  /** The questions that are settled, with the answers that settled them. */
  readonly answered: List<{ readonly id: string; readonly answer: Answer }>
  /** Answers for hooks that suspended the run, by place. */
  readonly hookAnswers: { readonly [place: string]: Answer }
  /** Hook points of the run that this turn has passed with a patch. */
  readonly hooked: readonly string[]
  /** Digests of what a human approved for the whole thread. */
  readonly grants: readonly string[]
  /** Where runs of the thread stop. */
  readonly breakpoints: EventData['breakpoints.changed']['breakpoints']
  /** Files are being put back: until that has ended, nothing else is done here. */
  readonly restoring: boolean
  /** Of a schedule: when it is looked at next, in milliseconds since 1970. */
  readonly wakeAt: number | undefined
  /** The first event this version cannot read: the thread is readable, not drivable. */
  readonly unknown: { readonly type: string; readonly v: number; readonly seq: Seq } | undefined
}

/** The frame of a thread before its first event. */
export function emptyFrame(thread: string): Frame {
  const counts = { seq: 0, time: 0, epoch: 0, takeovers: 0, turn: 0, runs: 0, asked: 0 }
  const absent = { agent: undefined, labels: undefined, parent: undefined, fork: undefined, run: undefined, taint: undefined }
  const nothing = { wakeAt: undefined, unknown: undefined }
  const context: Context = { rebases: 0, system: '', tools: [], segments: [], covered: 0 }
  const lists = { breakpoints: [], queue: [], signals: [], steering: [], grants: [], hooked: [], questions: {}, hookAnswers: {} }
  const trees = { starts: emptyList<never>(), history: emptyList<never>(), summaries: emptyList<never>(), answered: emptyList<never>() }
  return { thread, incarnation: thread, ...counts, ...absent, ...nothing, context, compact: false, restoring: false, ...lists, ...trees }
}

/** A run before its first turn. */
export function freshRun({ run: id, request, stop, pause = false }: RunStart, at: { turn: number; time: number }): Run {
  const { limits, settings = {} } = request
  const spent = { usage: { input: 0, output: 0 }, cost: 0, unpriced: 0, lost: { tokens: 0, cost: 0 }, driven: 0, since: at.time, until: undefined }
  const turn = { firstTurn: at.turn + 1, attempt: 0, tried: undefined, sent: undefined, retryAt: undefined, partial: undefined, verdict: undefined }
  const calls = { calls: emptyList<Call>(), unsettled: 0, settledTo: 0, recent: [], repeated: undefined, patch: undefined, rebase: undefined }
  const rest = { called: 0, children: 0, stop, pause, passed: undefined, reminded: false, end: undefined, error: undefined, output: undefined }
  return { id, status: 'active', phase: 'enter', request, limits, ungranted: undefined, settings, repairs: 0, ...spent, ...turn, ...calls, ...rest }
}

/** Whether a run has ended (it may still be resumed when it failed or reached a limit). */
export function isOver({ status }: Run): boolean {
  return status === 'finished' || status === 'failed' || status === 'stopped'
}
