/**
 * The closed union of events: everything that can have happened on a thread.
 *
 * EVENT-1. An event is a fact in the past tense. Each fact is stored once; a later event refers to what an earlier one holds.
 * EVENT-2. The shape of a type never changes under one version: a new shape gets a new version and an upcaster.
 */
import type { Breakpoint } from './break-facts.ts'
import type { ContextItem, ContextSummary, Rebase, RetrievedDocument } from './context.ts'
import type { FileChange, FileChanges, FileConflict, FileFacts } from './file-facts.ts'
import type { Json, JsonObject } from './json.ts'
import type { ArgumentKinds, BlobRef, Message, Output, Part, ProviderMetadata, StreamedDelta, Usage } from './message.ts'
import type { Limits, RunRequest, StartId, Taint } from './run-request.ts'
import type { ScheduleData } from './schedule-facts.ts'

/** Numbers the events of a thread from 1. */
export type Seq = number
/** Counts the drivers a thread has had; 0 before the first. */
export type Epoch = number
/** What may happen to an effect whose performer was lost: pure and read run again, unsafe is never re-run silently. */
export type EffectClass = 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe'

/** What went wrong, as data. */
export type Failure = {
  /** The code of the error. */
  readonly code: string
  /** What happened, and what to do. */
  readonly message: string
  /** Whether resuming can help. */
  readonly recoverable: boolean
  /** The values that the message names. */
  readonly context?: JsonObject
}

/** An answer to a question. */
export type Answer =
  | {
      readonly kind: 'approve'
      /** Also for the same tool on the rest of the thread. */
      readonly scope?: 'thread'
      /** How far a limit that was reached is raised. */
      readonly limits?: Limits
    }
  | {
      readonly kind: 'edit'
      /** The arguments to use instead. */
      readonly input: Json
    }
  | {
      readonly kind: 'reject'
      /** Shown to the model. */
      readonly reason?: string
    }
  | {
      readonly kind: 'respond'
      /** Stands for the result; nothing is run. */
      readonly value: Json
    }

/** A question as it is asked; its id is (place, ordinal), the place being a call, a hook point or the run. */
export type QuestionData = Readonly<{
  id: string
  kind: QuestionKind
  prompt: string
  show?: Json
  schema?: Json
  expires?: number
  approvers?: number
}> & {
  readonly call?: string
  /** The key inside a durable call, or the limit that was reached. */
  readonly key?: string
  /** What an approval is bound to: tool definition, canonical arguments, deciding rules. */
  readonly digest?: string
  /** What approving for the whole thread would cover: the same without the arguments. */
  readonly grant?: string
  /** How many threads above this one the rule is that asks; absent where it is this one's own. */
  readonly above?: number
}
type QuestionKind = 'approval' | 'choice' | 'in-doubt' | 'limit' | 'hook' | 'incompatible' | 'parked'

/** A note of the framework to the model: visible, and part of the history. */
export type Note = { readonly kind: 'loop' | 'repair' | 'done'; readonly text: string }
/** A complete reply of the model; `output` is the verdict of the output schema. */
export type ModelReply = Readonly<{ parts: readonly Part[]; usage: Usage; cost?: number; finish: string; model?: string; ms?: number }> & {
  readonly meta?: ProviderMetadata
  readonly output?: { readonly value: Json } | { readonly error: string }
  /** What the provider warned of, such as a setting that it does not know. */
  readonly warnings?: readonly Readonly<{ type: string; feature?: string; message: string }>[]
}
/** The intent of a call: every fact that recovery needs to judge it. */
export type ToolStart = Readonly<{
  call: string
  effect: EffectClass
  durable?: true
  key?: string
  digest?: string
  /** The arguments, where they are not what the model proposed. */
  input?: Json
  /** What rules judged, where they look at the calls of the run and the schema made something else of it. */
  judged?: Json
  allowedBy?: string
  /** Of a call that sends something out: what others wrote before it. */
  taint?: Taint
  /** Which arguments are paths, commands, addresses or hosts. */
  kinds?: ArgumentKinds
}>
/** The whole text of a result that the output has in part: where it is, how many characters it has, and how many more were not kept. */
export type WholeResult = Readonly<{ text: BlobRef; characters: number; lost?: number }>
/** How a call ended, as the model sees it and as people read it; `taint` says what others wrote, or what is private, in its result. */
export type ToolOutcome = Readonly<{ status: 'success' | 'error' | 'warning'; output: Output; errorType?: string }> &
  Readonly<{ ms?: number; stages?: JsonObject; meta?: JsonObject; whole?: WholeResult | undefined; taint?: Taint }>

/** What stopped a run. */
export type StopKind = 'cancelled' | 'limit' | 'budget' | 'loop' | 'length' | 'filtered'

/** What happens to effects after the cut of a fork: they run, are taken from the parent's record, are left out, or are asked about. */
export type ForkEffects = 'live' | 'recorded' | 'stub' | 'ask'

/** The call of another thread that started a child. Before version 3 of `thread.started` it had neither an incarnation nor a key. */
export type ParentLink = Readonly<{ thread: string; incarnation?: string; call: string; key?: string; depth: number }>

/** What a child and its own children have used. */
type Used = { usage?: Usage; cost?: number; calls?: number; children?: number }

/** What each type of event carries. */
export interface EventData extends ScheduleData {
  /** A thread was started. `incarnation` distinguishes it from a removed thread of the same id; version 1 had none. `labels` has no writer any more: `labels.changed` sets them. */
  'thread.started': { agent: string; incarnation?: string; labels?: JsonObject; parent?: ParentLink }
  /** An agent of another name goes on with the thread: from now on it belongs to that one. */
  'thread.adopted': { agent: string; from: string }
  /** The thread was forked from the moment `from` of another one. `instructions` and `model` (an id) are those of all its runs from here on. */
  'thread.forked': { from: string; incarnation?: string; edits?: Json; effects?: ForkEffects; limits?: Limits; instructions?: string; model?: string }
  /** Labels of the thread were set; one that is null was removed. */
  'labels.changed': { labels: JsonObject }
  /** The breakpoints of the thread are these, in place of those before. */
  'breakpoints.changed': { breakpoints: readonly Breakpoint[]; by?: string }
  /** A worker acquired the thread and drives it under this epoch. */
  'driver.acquired': { epoch: Epoch; worker: string }
  /** A run was asked for while another one was under way. */
  'run.queued': { run: string; request: RunRequest }
  /** A run started: one that was asked for just now, or one from the queue. */
  'run.started': { run: string; request: RunRequest } | { run: string; queued: Seq }
  /** The run waits, until a time (milliseconds since 1970) where `until` is given. At a breakpoint it is paused. */
  'run.suspended': { reason: 'question' | 'paused' | 'waiting' | 'breakpoint'; until?: number; stop?: { at: string; hit: readonly string[] } }
  /** The run goes on. */
  'run.resumed': { cause: string }
  /** The run under way was asked to stop, or the queued one that `run` names. With `limit`, its driver asks: the run has used its time, which is `max`. */
  'run.stop-requested': { reason: string; by?: string; run?: string; limit?: 'time'; max?: number }
  /** The run under way was asked to pause at its next safe point, or the queued one that `run` names before its first turn. */
  'run.pause-requested': { by?: string; run?: string }
  /** The run is done; `output` is there when the agent has an output schema. */
  'run.finished': { output?: Json }
  /** The run failed; it may be resumed. */
  'run.failed': { error: Failure }
  /** The run was stopped: by a request, a limit, a budget, a loop, or a last reply that was cut or filtered. With `partial`, its streamed text is in the history. */
  'run.stopped': { kind: StopKind; reason: string; limit?: string; used?: number; max?: number; partial?: true }
  /** A turn of the thread was entered, with notes to the model and a repetition that was noticed. */
  'turn.entered': { turn: number; notes?: readonly Note[]; loop?: { level: 'warn' | 'nudge'; tool: string; count: number } }
  /** A message came for the run under way; the highest priority is read first. `start` is there when a start with an id became this message. */
  'message.steered': { message: Message; priority?: number; by?: string; start?: StartId; pin?: true; taint?: Taint }
  /** A value came for the thread: for the first open wait of this name, or for the next one. */
  'signal.received': { name: string; value: Json; by?: string; keep?: true; taint?: Taint }
  /** The context of the next model call is complete: a rebase changes earlier parts of it, and items are added at its end. */
  'context.assembled': { rebase?: Rebase; items?: readonly ContextItem[] }
  /** Somebody asks for a rebase that makes the context shorter, before the next model call. */
  'context.compact-requested': { by?: string }
  /** A summary of events was made; segments of a rebase refer to it by its number among those of the thread, from 0. */
  'context.compressed': ContextSummary
  /** A summary could not be made; the run goes on without it. */
  'context.compression-failed': { error: Failure }
  /** Documents were looked up for the context. */
  'retrieval.finished': { query: string; documents: readonly RetrievedDocument[] }
  /** The intent of a model call, with what it may take of the budget. */
  'model.requested': { attempt: number; model?: string; digest?: string; reserved?: { tokens: number; cost?: number } }
  /** The model replied in full. */
  'model.replied': ModelReply
  /** A model call failed; `retryAt` (milliseconds since 1970) is there when another attempt follows. */
  'model.failed': { attempt: number; error: Failure; retryAt?: number; partial?: string; usage?: Usage; cost?: number }
  /** How an attempt at the model was streamed, where the agent records it; its reply or its failure follows. The fold ignores it. */
  'model.streamed': { attempt: number; deltas: readonly StreamedDelta[]; dropped?: number }
  /** A call was not permitted, and this is its result. */
  'tool.denied': { call: string; reason: string; errorType: string }
  /** The intent of a call. */
  'tool.started': ToolStart
  /** The intent of a step of a durable body, with the files that it is to change, a sleep until a time (milliseconds since 1970), or a wait for a signal of this name. */
  'tool.step-started': { call: string; key: string; effect: EffectClass; until?: number; signal?: string } & FileChanges
  /** A step of a durable body has ended, with a value or an error. */
  'tool.step-finished': { call: string; key: string; value?: Json; error?: Failure }
  /** A durable body waits, and no process is needed for it. */
  'tool.suspended': { call: string }
  /** A call has its result, and has changed files. */
  'tool.finished': ToolOutcome & FileFacts & { call: string }
  /** The performer of a call, or of one step of it, was lost: it may or may not have happened. */
  'tool.in-doubt': { call: string; key?: string }
  /** A question was asked. */
  'question.asked': QuestionData
  /** A question was answered, or one of several approvers approved. `recorded` names the moment of the parent from which a fork has taken the answer. */
  'question.answered': { id: string; answer: Answer; by?: string; recorded?: string }
  /** A question was not answered in time, which counts as a rejection. */
  'question.expired': { id: string }
  /** A call started a child thread. `input` is a digest of what the child was given, and `hasResolver` says whether its agent has an `onQuestion`. */
  'child.started': { call: string; key: string; child: string; agent: string; input?: string; hasResolver?: boolean }
  /** A child thread has ended, and its result is recorded for the call, with what the child has read. */
  'child.finished': { call: string; key: string; child: string; value?: Json; error?: Failure; taint?: Taint } & Used
  /** A hook changed something; the patch holds what. */
  'hook.applied': { point: string; hook?: string; call?: string; patch: JsonObject }
  /** Limits of the run were raised. */
  'limit.raised': { limits: Limits; by?: string }
  /** A value was recorded under a key; the fold ignores it. */
  'memory.recorded': { key: string; value: Json }
  /** Files were changed after a call had its result, or by one whose performer was lost; the fold ignores it. */
  'workspace.changed': FileFacts & { call?: string; by?: string }
  /** The intent of a fork to put files back as they were at the moment `at`. The folder had those of the moment `from`. */
  'workspace.restore-started': FileChanges & { at: string; from: string; workspace?: string; conflicts?: readonly FileConflict[] }
  /** Files were put back. What was left as it was is a conflict. */
  'workspace.restored': { files: readonly FileChange[]; conflicts?: readonly FileConflict[] }
  /** The agent's code has changed since the run was started: other fingerprints. */
  'agent.upgraded': { from: string; to: string }
}

/** The name of a type of event, such as `tool.started`. */
export type EventType = keyof EventData

/** A durable fact of one type. */
export interface EventOf<T extends EventType> {
  /** The version of the shape of `data`. */
  readonly v: number
  /** What has happened, as `noun.verbed`. */
  readonly type: T
  /** The id of the thread. */
  readonly thread: string
  /** Its number on the thread, from 1. */
  readonly seq: Seq
  /** When it was stored, in milliseconds since 1970. */
  readonly time: number
  /** The run it belongs to. */
  readonly run?: string | undefined
  /** The turn it belongs to. */
  readonly turn?: number | undefined
  /** What is known about it. */
  readonly data: Readonly<EventData[T]>
}

/** Any durable fact. */
export type LoomEvent = { [T in EventType]: EventOf<T> }[EventType]
/** Bytes that are stored beside events, by the names that their data has for them. */
export type Blobs = ReadonlyMap<string, Uint8Array>
/** An event before it has a place: what `decide` and performers produce, with the blobs that it brings. */
export type Draft = { [T in EventType]: { readonly type: T; readonly data: Readonly<EventData[T]>; readonly blobs?: Blobs | undefined } }[EventType]
