/**
 * The closed union of events: everything that can have happened on a thread.
 *
 * EVENT-1. An event is a fact in the past tense. Each fact is stored once; a later event refers to what an earlier one holds.
 * EVENT-2. The shape of a type never changes under one version: a new shape gets a new version and an upcaster.
 */
import type { Json, JsonObject } from './json.ts'
import type { Message, Output, Part, ProviderMetadata, ToolSpec, Usage } from './message.ts'

/** Numbers the events of a thread from 1. */
export type Seq = number
/** Counts the drivers a thread has had; 0 before the first. */
export type Epoch = number
/** What may happen to an effect whose performer was lost: pure and read run again, unsafe is never re-run silently. */
export type EffectClass = 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe'
/** How often the same call with the same result may repeat before something is done about it. */
export type LoopLimits = { readonly [K in 'warn' | 'nudge' | 'stop']: number }

/** What a run may spend: cost in integer micro-units, time in milliseconds of driving. `onReached` is for tokens and cost; turns and time stop. */
export type Limits = {
  /** Turns of the run; default 50, or 10 for a child. Reached: the run stops. */
  readonly turns?: number
  /** Input and output tokens together; default: no limit. Reached: see `onReached`. */
  readonly tokens?: number
  /** Integer micro-units; default: no limit. Counts only where the price is known. Reached: see `onReached`. */
  readonly cost?: number
  /** Milliseconds of driving, without waiting; default 24 hours. Reached: the run stops. */
  readonly time?: number
  /** How deep agents may be nested; default 5. */
  readonly depth?: number
  /** For tokens and cost: asks whether to go on (default), or stops. */
  readonly onReached?: 'ask' | 'stop'
  /** The same call with the same result so many times: note it, tell the model, stop; default 3, 4, 5. `false` turns it off. */
  readonly loop?: LoopLimits | false
}

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
}
type QuestionKind = 'approval' | 'choice' | 'in-doubt' | 'limit' | 'hook' | 'incompatible' | 'parked'

/** What a run is asked to do, and every fact about it that `decide` looks at. */
export type RunRequest = Readonly<{ input: readonly Message[]; model: string; settings?: JsonObject; limits: Limits; metadata?: JsonObject }> & {
  readonly agent: { readonly name: string; readonly fingerprint: string }
  /** Dependencies were given with the run; whoever resumes it must give them again. */
  readonly needsDeps?: true
  /** Nobody will answer: questions are settled as denied. */
  readonly unattended?: 'deny'
  /** The run ends only through the tool of this name; one reminder is given. */
  readonly done?: string
  /** How often a reply that does not fit the output schema is sent back. */
  readonly repairs?: number
}

/** Why earlier bytes of the context may change, and what it holds from then on: `lead` stands in for what is left out before entry `keepFrom`. */
export type Rebase = Readonly<{ reason: string; system: string; tools: readonly ToolSpec[]; lead?: string; keepFrom?: number }>
/** A note of the framework to the model: visible, and part of the history. */
export type Note = { readonly kind: 'loop' | 'repair' | 'done'; readonly text: string }
/** A document that retrieval brought. */
export type RetrievedDocument = Readonly<{ id: string; title?: string; score?: number; text: string }>
/** A complete reply of the model; `output` is the verdict of the output schema. */
export type ModelReply = Readonly<{ parts: readonly Part[]; usage: Usage; cost?: number; finish: string; model?: string; ms?: number }> & {
  readonly meta?: ProviderMetadata
  readonly output?: { readonly value: Json } | { readonly error: string }
}
/** The intent of a call: every fact that recovery needs to judge it. `input` is there when it is not what the model proposed. */
export type ToolStart = Readonly<{
  call: string
  effect: EffectClass
  durable?: true
  key?: string
  digest?: string
  input?: Json
  allowedBy?: string
}>
/** How a call ended, as the model sees it and as people read it. */
export type ToolOutcome = Readonly<{ status: 'success' | 'error' | 'warning'; output: Output; errorType?: string }> &
  Readonly<{ ms?: number; stages?: JsonObject; meta?: JsonObject }>

/** What becomes of effects after the cut of a fork: they happen, are taken from the parent's record, are left out, or are asked about. */
export type ForkEffects = 'live' | 'recorded' | 'stub' | 'ask'

/** What each type of event carries. */
export interface EventData {
  /** `incarnation` names this life of the thread's name; version 1 had none. */
  'thread.started': { agent: string; incarnation?: string; labels?: JsonObject; parent?: { thread: string; call: string; depth: number } }
  'thread.forked': { from: string; incarnation?: string; edits?: Json; effects?: ForkEffects; limits?: Limits }
  'driver.acquired': { epoch: Epoch; worker: string }
  'run.queued': { run: string; request: RunRequest }
  'run.started': { run: string; request: RunRequest } | { run: string; queued: Seq }
  'run.suspended': { reason: 'question' | 'paused' | 'waiting'; until?: number }
  'run.resumed': { cause: string }
  'run.stop-requested': { reason: string; by?: string }
  'run.pause-requested': { by?: string }
  'run.finished': { output?: Json }
  'run.failed': { error: Failure }
  'run.stopped': { kind: 'cancelled' | 'limit' | 'budget' | 'loop'; reason: string; limit?: string; used?: number; max?: number }
  'turn.entered': { turn: number; notes?: readonly Note[]; loop?: { level: 'warn' | 'nudge'; tool: string; count: number } }
  'message.steered': { message: Message; priority?: number; by?: string }
  'context.assembled': { rebase?: Rebase }
  'context.compressed': { from: Seq; to: Seq; summary: string; tokensBefore?: number; tokensAfter?: number }
  'context.compression-failed': { error: Failure }
  'retrieval.finished': { query: string; documents: readonly RetrievedDocument[] }
  'model.requested': { attempt: number; model?: string; digest?: string; reserved?: { tokens: number; cost?: number } }
  'model.replied': ModelReply
  'model.failed': { attempt: number; error: Failure; retryAt?: number; partial?: string; usage?: Usage; cost?: number }
  'tool.denied': { call: string; reason: string; errorType: string }
  'tool.started': ToolStart
  'tool.step-started': { call: string; key: string; effect: EffectClass; until?: number }
  'tool.step-finished': { call: string; key: string; value?: Json; error?: Failure }
  'tool.suspended': { call: string }
  'tool.finished': ToolOutcome & { call: string }
  'tool.in-doubt': { call: string; key?: string }
  'question.asked': QuestionData
  'question.answered': { id: string; answer: Answer; by?: string }
  'question.expired': { id: string }
  'child.started': { call: string; key: string; child: string; agent: string }
  'child.finished': { call: string; key: string; child: string; value?: Json; error?: Failure; usage?: Usage; cost?: number }
  'hook.applied': { point: string; hook?: string; call?: string; patch: JsonObject }
  'limit.raised': { limits: Limits; by?: string }
  'memory.recorded': { key: string; value: Json }
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
/** An event before it has a place: what `decide` and performers produce. */
export type Draft = { [T in EventType]: { readonly type: T; readonly data: Readonly<EventData[T]> } }[EventType]
/** The version in which a type is written, where it is not 1. */
export const eventVersions: Readonly<Partial<Record<EventType, number>>> = { 'thread.started': 2, 'thread.forked': 2 }
