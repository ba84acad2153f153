/** The agent, as users see it. */
import type { Journal } from '@loom-agent/kernel'
import type { AgentOptions, OptionsOf, RunOptions } from './definition/agent-options.ts'
import type { ExplainAt } from './explain/explain-with.ts'
import type { ExplainWhat, Explanation } from './explain/explanation.ts'
import type { Fork, ForkOptions, ForkPlan, RewindOptions, RewindPlan, Rewound } from './fork/fork-types.ts'
import type { WatchOptions } from './look/watch-options.ts'
import type { ControlOptions } from './run/control-drafts.ts'
import type { Recovered, RecoverOptions } from './run/recover-types.ts'
import type { RunHandle } from './run/run-handle.ts'
import type { AdoptOptions } from './thread/adoption.ts'
import type { Preview, PreviewOptions } from './travel/preview.ts'
import type { ReplayAllOptions, ReplayedThread, ThreadSelection } from './travel/replay-all.ts'
import type { OutcomeVerdict } from './travel/replay-outcome.ts'
import type { Replayed, ReplayOptions } from './travel/replay-types.ts'
import type { SignedAnswer } from './types/answer.ts'
import type { AnyAgent } from './types/any-agent.ts'
import type { Input, UserMessages } from './types/input.ts'
import type { Result } from './types/result.ts'
import type { RunEvent } from './types/run-event.ts'
import type { Infer, Recorded, Schema } from './types/schema.ts'
import type { SignalArguments } from './types/wait.ts'

/** An agent. One kind, always durable; the journal decides how long what it did is remembered. */
export interface Agent<Deps = unknown, Output = string, HasDeps extends boolean = false>
  extends AnyAgent<Output, HasDeps extends true ? unknown : Deps> {
  /** Where the facts of its threads are kept. */
  readonly journal: Journal
  /** Runs an input to its end, or to a question that this process does not answer. */
  run(input: Input, ...options: OptionsOf<Deps, HasDeps>): Promise<Result<Output>>
  /** Starts a run and returns its handle at once. */
  start(input: Input, ...options: OptionsOf<Deps, HasDeps>): RunHandle<Output>
  /** The events and signals of a fresh run. */
  stream(input: Input, ...options: OptionsOf<Deps, HasDeps>): AsyncIterableIterator<RunEvent>
  /** Goes on with a thread: after a crash, an answer, a pause, a failure or a raised limit. Any process, any time. */
  resume(
    thread: string,
    ...options: OptionsOf<Deps, HasDeps, Omit<RunOptions<Deps>, 'thread' | 'id' | 'permissions' | 'whenBusy'>>
  ): RunHandle<Output>
  /**
   * The events of a thread from `from` on (default 1), and its signals where this agent object drives it. Looks and never drives: nothing is resumed,
   * retried, answered or appended. Follows until the iterator is returned or `signal` is aborted; with `until: 'rest'` until the run ends or waits.
   */
  watch(thread: string, options?: WatchOptions): AsyncIterableIterator<RunEvent>
  /** Answers a question of a thread of this agent, or of a child of one, and wakes it. */
  answer(questionId: string, answer: SignedAnswer, options?: AdoptOptions): Promise<void>
  /** Sends a signal to a thread of this agent, or to a child of one, and wakes it: the first open `ctx.waitFor` of that name gets the value, or the next. */
  signal(thread: string, ...sent: SignalArguments): Promise<void>
  /** Asks for a shorter context of a thread: its strategy compresses before the next model call, however full the window is. */
  compact(thread: string, options?: ControlOptions): Promise<void>
  /** Stops the run of a thread, also one that no process drives: nothing that was lost is run again. Resolves when it has ended. Queued inputs go on. */
  stop(thread: string, reason?: string, options?: { by?: string }): Promise<Result<Output>>
  /** Drives on the unfinished threads of processes that are gone: once, or repeatedly with `every`. Threads with a live driver are left alone. */
  recover(options?: RecoverOptions): Promise<readonly Recovered[]>
  /**
   * Takes on no new work (`LOOM_DRAINING`) and hands on what this agent drives: each thread is released when what is in flight has ended, or after
   * `grace` milliseconds (default 20,000). Agents that were made from one another drain together. Resolves when all is released; then the process may end.
   */
  drain(options?: { grace?: number | undefined }): Promise<void>
  /** Forks a thread at `thread@seq`; the thread itself is only read. */
  fork(at: string, options?: ForkOptions): Promise<Fork<Output, Deps, HasDeps>>
  /** What such a fork would reuse, run and risk; nothing is made. */
  planFork(at: string, options?: ForkOptions): Promise<ForkPlan>
  /**
   * Forks a thread at `thread@seq`, and puts the files of the agent's workspace back as they were then: those that agents have changed. What people changed
   * since stays as it is, and is named in `conflicts`. With `thread`, it can be said again after a crash.
   */
  rewind(at: string, options?: RewindOptions): Promise<Rewound<Output, Deps, HasDeps>>
  /** What such a rewind would do; nothing is made or changed. */
  planRewind(at: string, options?: RewindOptions): Promise<RewindPlan>
  /** What a thread would have sent to the model with other options, turn by turn; no model, tool or hook is called. */
  replay(thread: string, options?: ReplayOptions<Deps>): Promise<Replayed<Output, Deps, HasDeps>>
  /**
   * The same for many threads, by their ids or a query: several at a time, each yielded when it is done. A thread that cannot be replayed is reported and
   * ends no other. With `continue-live` every fork is driven to its end, and a judge compares how it ended with the record.
   */
  replayAll<Verdict = OutcomeVerdict>(
    threads: ThreadSelection,
    options?: ReplayAllOptions<Verdict, Deps>,
  ): AsyncGenerator<ReplayedThread<Output, Verdict, Deps, HasDeps>, void>
  /**
   * What the request of a moment `thread@seq`, or of a turn, held, what it did not hold, and why; with something to look for, also where that is and what
   * would have kept it. Its hints can be given to `replay`.
   */
  explain(at: ExplainAt, what?: ExplainWhat): Promise<Explanation>
  /** The conversation as AI SDK messages. */
  messages(thread: string): Promise<UserMessages>
  /** What the model would be sent next, or would have been after a moment `at` (`thread@seq`), without sending it. No model is asked. */
  preview(input: Input, options?: PreviewOptions<Deps>): Promise<Preview>
  /** The same agent with other options. In this process the two drain together, and calls of both respect the same locks. */
  with<Key extends keyof AgentOptions = never>(
    options: Partial<AgentOptions<Deps>> & Named<Key>,
  ): Agent<Deps, Output, 'deps' extends Key ? true : HasDeps>
}

/** Options of which only the names are known: whether `deps` is among them decides what a run, or a parent, must bring. */
export type Named<Key extends string> = { readonly [K in Key]?: unknown }

/** What an output schema makes of `result.output`: what it lets through, as the journal returns it. */
export type OutputOf<S extends Schema | undefined> = S extends Schema ? Recorded<Infer<S>> : string
