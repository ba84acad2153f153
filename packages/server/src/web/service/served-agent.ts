/** An agent as the server uses it: of any output, with what it depends on. */
import type {
  ContextStrategy,
  Edit,
  ForkPlan,
  Input,
  InputTaint,
  ModelObject,
  ModelSettings,
  Recovered,
  RecoverOptions,
  ReplayMode,
  ReplayReport,
  ReportLimits,
  Result,
  RewindPlan,
  RunEvent,
  RunHandle,
  SignedAnswer,
  WatchOptions,
} from '@loom-agent/agent'
import type { ForkEffects, Journal, Limits } from '@loom-agent/kernel'

/** What a client may say about a run. */
export interface ServedStart {
  /** The thread; default: a new one. */
  readonly thread?: string | undefined
  /** The client's id of the start. */
  readonly id?: string | undefined
  /** Settings that differ for this run. */
  readonly settings?: ModelSettings | undefined
  /** Limits that differ for this run. */
  readonly limits?: Limits | undefined
  /** Journaled with the run. */
  readonly metadata?: { readonly [key: string]: unknown } | undefined
  /** Keeps the input in the context for good. */
  readonly pin?: boolean | undefined
  /** What the input holds that others wrote, or that is private. */
  readonly taint?: InputTaint | undefined
  /** What happens when the thread is busy. */
  readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined
  /** Another model for this run; no client can give one. */
  readonly model?: ModelObject | undefined
}

/** How a client forks a thread. */
export interface ServedForkOptions {
  /** The id of the fork; default: made up. */
  readonly thread?: string
  /** What is different from the cut on. */
  readonly edit?: Edit | readonly Edit[]
  /** What happens to effects after the cut. */
  readonly effects?: ForkEffects
  /** What the run that goes on may spend. */
  readonly limits?: Limits
}

/** A fork that was made. */
export interface ServedFork {
  /** The id of the fork. */
  readonly thread: string
  /** Where it was cut. */
  readonly from: string
  /** What it reuses, runs and risks. */
  readonly plan: ForkPlan
  /** Goes on from the cut. */
  resume(): RunHandle<unknown>
}

/** How a client rewinds a thread. */
export interface ServedRewindOptions extends ServedForkOptions {
  /** The thread whose files the folder has. */
  readonly from?: string
}

/** A fork whose files were put back. */
export interface ServedRewound extends ServedFork, Omit<RewindPlan, 'fork'> {}

/** What a client may change for a replay. */
export interface ServedReplayOptions {
  /** When it ends. */
  readonly mode?: ReplayMode
  /** How much the report holds. */
  readonly report?: ReportLimits
  /** What is different. */
  readonly with?: {
    readonly instructions?: string
    readonly model?: string
    readonly settings?: ModelSettings
    readonly window?: number
    readonly context?: ContextStrategy
  }
}

/** An agent that is served: any agent whose dependencies are its own. */
export interface ServedAgent {
  readonly kind: 'agent'
  /** How it is called in journals and in paths. */
  readonly name: string
  /** What it is for. */
  readonly description: string
  /** Where the facts of its threads are kept. */
  readonly journal: Journal
  /** Only a type: an agent that a caller must give dependencies cannot be served. Give it `deps`. */
  readonly needs?: (deps: unknown) => void
  start(input: Input, options?: ServedStart): RunHandle<unknown>
  resume(thread: string): RunHandle<unknown>
  watch(thread: string, options?: WatchOptions): AsyncIterableIterator<RunEvent>
  answer(questionId: string, answer: SignedAnswer): Promise<void>
  signal(thread: string, name: string, value?: unknown, options?: { readonly by?: string }): Promise<void>
  stop(thread: string, reason?: string, options?: { by?: string }): Promise<Result<unknown>>
  recover(options?: RecoverOptions): Promise<readonly Recovered[]>
  drain(options?: { grace?: number | undefined }): Promise<void>
  fork(at: string, options?: ServedForkOptions): Promise<ServedFork>
  planFork(at: string, options?: ServedForkOptions): Promise<ForkPlan>
  rewind(at: string, options?: ServedRewindOptions): Promise<ServedRewound>
  planRewind(at: string, options?: ServedRewindOptions): Promise<RewindPlan>
  replay(thread: string, options?: ServedReplayOptions): Promise<ReplayReport>
}
