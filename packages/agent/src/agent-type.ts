/** What users program against: the options, the agent and the handle of a run. */
import type { Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel'
import type { ContextStrategy } from './context/strategy.ts'
import type { Definition } from './definition/definition.ts'
import type { Fork, ForkOptions } from './fork/fork.ts'
import type { ForkPlan } from './fork/plan.ts'
import type { Hook } from './hook/hook.ts'
import type { SignedAnswer } from './types/answer.ts'
import type { Question } from './question/questions.ts'
import type { Input, UserMessages } from './types/input.ts'
import type { Model, ModelResolver, ModelSettings } from './model/model.ts'
import type { Policy } from './permission/policy.ts'
import type { Ports } from './platform/ports.ts'
import type { Recovered, RecoverOptions } from './run/recover.ts'
import type { Result } from './types/result.ts'
import type { Signal } from './types/signal.ts'
import type { Tool } from './tool/define.ts'
import type { Infer, Schema } from './types/schema.ts'
import type { Replayed, ReplayOptions } from './travel/replay-thread.ts'

/** What instructions, tools and dependencies given as functions may look at. */
export interface Situation<Deps = unknown> {
  readonly thread: string
  readonly metadata: { readonly [key: string]: unknown }
  readonly deps: Deps
  /** The thread as it is when the run is taken up. */
  readonly frame: Frame
}

/** What can stand in `tools`: a tool, an agent, or a plain function. */
export type ToolLike<Deps> = Tool<Deps> | AnyAgent | ((input: never) => unknown)
/** Tools as a list, or keyed by name. */
export type ToolSet<Deps> = readonly ToolLike<Deps>[] | { readonly [name: string]: ToolLike<Deps> }

/** How an agent behaves where people, time and failure are concerned. */
export interface Behaviour {
  /** What nobody answering a question means; default `wait`. */
  readonly unattended?: 'wait' | 'deny'
  /** What a second input on a busy thread does; default `queue`. */
  readonly whenBusy?: 'queue' | 'steer' | 'reject'
  /** Model attempts per turn; default 3. */
  readonly attempts?: number
  /** How often an answer that does not fit `output` is sent back; default 2. */
  readonly repairs?: number
  /** Calls that run at once; default 10. */
  readonly concurrency?: number
  /** The run ends only through this tool; one reminder is given. */
  readonly requireDone?: string
  /** Characters of a tool's output that reach the model; default 10,000. */
  readonly outputLimit?: number
  /** Milliseconds without a word from the model before the attempt counts as failed; default 60,000. */
  readonly modelIdle?: number
  /** Milliseconds that work has to end after a stop; default 2,000. */
  readonly grace?: number
}

/** What `agent()` takes. */
export interface AgentOptions<Deps = unknown, S extends Schema | undefined = undefined> {
  readonly name?: string
  /** What the agent is for; shown to agents that may call it. */
  readonly description?: string
  readonly instructions?: string | ((situation: Situation<Deps>) => string | Promise<string>)
  readonly model?: Model
  readonly settings?: ModelSettings
  readonly tools?: ToolSet<Deps> | ((situation: Situation<Deps>) => ToolSet<Deps> | Promise<ToolSet<Deps>>)
  /** The form of the answer; types `result.output`. */
  readonly output?: S
  /** Given to tools and hooks, never journaled. A function lets any process resume. */
  readonly deps?: Deps | ((situation: Pick<Situation, 'thread' | 'metadata'>) => Deps | Promise<Deps>)
  readonly permissions?: Policy
  readonly hooks?: readonly Hook<Deps>[]
  readonly limits?: Limits
  readonly context?: ContextStrategy
  readonly journal?: Journal
  readonly behaviour?: Behaviour
  readonly onQuestion?: Resolver
  /** Told of every durable event of this agent's threads, with the frame after its batch; cannot change anything. */
  readonly observers?: readonly ((event: LoomEvent, frame: Frame) => void)[]
  readonly ports?: Partial<Ports>
}

/** Answers questions in process; `undefined` leaves them to somebody else. */
export type Resolver = (question: Question) => SignedAnswer | undefined | Promise<SignedAnswer | undefined>

/** What a run may be given; all of it may differ from run to run. */
export interface RunOptions<Deps = unknown> {
  readonly thread?: string
  readonly deps?: Deps
  readonly model?: Model
  readonly tools?: ToolSet<Deps>
  readonly settings?: ModelSettings
  readonly limits?: Limits
  readonly signal?: AbortSignal
  readonly metadata?: { readonly [key: string]: unknown }
  readonly onQuestion?: Resolver
  readonly whenBusy?: Behaviour['whenBusy']
}

/** The options of a run: they may be left out unless they must bring the dependencies that the agent was not given. */
export type OptionsOf<Deps, HasDeps, Options = RunOptions<Deps>> = unknown extends Deps
  ? [options?: Options]
  : HasDeps extends true
    ? [options?: Options]
    : [options: Options & { readonly deps: Deps }]

/** A durable event, or a live and provisional signal. */
export type RunEvent = LoomEvent | Signal

/** A run under way, here or elsewhere. Letting go of the handle changes nothing. */
export interface RunHandle<Output = string> {
  readonly thread: string
  /** Events and signals from `from` on (default: from where the handle began), until the run ends or waits. */
  events(options?: { from?: number; nested?: boolean }): AsyncIterableIterator<RunEvent>
  /** The text of the answer as it comes. */
  text(): AsyncIterableIterator<string>
  result(): Promise<Result<Output>>
  answer(questionId: string, answer: SignedAnswer): Promise<void>
  steer(input: string, options?: { priority?: number; by?: string }): Promise<void>
  pause(options?: { by?: string }): Promise<void>
  stop(reason?: string, options?: { by?: string }): Promise<void>
}

/** An agent of any dependencies, known by its output. */
export interface AnyAgent<Output = unknown> {
  readonly kind: 'agent'
  readonly name: string
  readonly definition: Definition
  /** Only a type. */
  readonly gives?: Output
}

/** An agent. One kind, always durable; the journal decides how long what it did is remembered. */
export interface Agent<Deps = unknown, Output = string, HasDeps extends boolean = false> extends AnyAgent<Output> {
  readonly description: string
  readonly journal: Journal
  /** Runs an input to its end, or to a question that nobody here answers. */
  run(input: Input, ...options: OptionsOf<Deps, HasDeps>): Promise<Result<Output>>
  /** Starts a run and answers its handle at once. */
  start(input: Input, ...options: OptionsOf<Deps, HasDeps>): RunHandle<Output>
  /** The events and signals of a fresh run. */
  stream(input: Input, ...options: OptionsOf<Deps, HasDeps>): AsyncIterableIterator<RunEvent>
  /** Goes on with a thread: after a crash, an answer, a pause, a failure or a raised limit. Any process, any time. */
  resume(thread: string, ...options: OptionsOf<Deps, HasDeps, Omit<RunOptions<Deps>, 'thread' | 'whenBusy'>>): RunHandle<Output>
  /** Answers a question of a thread of this agent, or of a child of one, and wakes it. */
  answer(questionId: string, answer: SignedAnswer): Promise<void>
  /** Drives on what a process that is gone has left: once, or again and again with `every`. Threads whose driver lives are left alone. */
  recover(options?: RecoverOptions): Promise<readonly Recovered[]>
  /** Another way for a thread to go from `thread@seq` on; the thread itself is only read. */
  fork(at: string, options?: ForkOptions): Promise<Fork<Output>>
  /** What such a fork would reuse, run and risk; nothing is made. */
  planFork(at: string, options?: ForkOptions): Promise<ForkPlan>
  /** What a thread would have sent to the model with other options, turn by turn; no model, tool or hook is called. */
  replay(thread: string, options?: ReplayOptions): Promise<Replayed<Output>>
  /** The same for many threads, one after another. */
  replayAll(threads: Iterable<string> | AsyncIterable<string>, options?: ReplayOptions): AsyncGenerator<Replayed<Output>, void>
  /** The conversation as AI SDK messages. */
  messages(thread: string): Promise<UserMessages>
  /** What the model would be sent next, without sending it. */
  preview(
    input: Input,
    options?: RunOptions<Deps>,
  ): Promise<{ readonly system: string; readonly messages: UserMessages; readonly tools: readonly string[] }>
  /** The same agent with other options. */
  with(options: Partial<AgentOptions<Deps>>): Agent<Deps, Output, HasDeps>
}

/** What an output schema makes of `result.output`. */
export type OutputOf<S extends Schema | undefined> = S extends Schema ? Infer<S> : string

/** What the umbrella hands to `agent()`. */
export interface AgentHost {
  readonly resolveModel?: ModelResolver
  /** The price of a model call in integer micro-units; undefined when it is not known. `ports.price` of an agent comes first. */
  readonly price?: Ports['price']
}
