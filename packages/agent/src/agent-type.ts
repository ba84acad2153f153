/** What users program against: the options, the agent and the handle of a run. */
import type { Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel'
import type { ContextStrategy } from './context/strategy.ts'
import type { Definition } from './definition.ts'
import type { Fork, ForkOptions } from './fork/fork.ts'
import type { ForkPlan } from './fork/plan.ts'
import type { Hook } from './hook/hook.ts'
import type { SignedAnswer } from './human/answer.ts'
import type { Question } from './human/question.ts'
import type { Input, UserMessages } from './input.ts'
import type { Model, ModelResolver, ModelSettings } from './model/model.ts'
import type { Policy } from './permission/policy.ts'
import type { Ports } from './platform/ports.ts'
import type { Recovered, RecoverOptions } from './run/recover.ts'
import type { Result } from './run/result.ts'
import type { Signal } from './run/signal.ts'
import type { Tool } from './tool/define.ts'
import type { Infer, Schema } from './tool/schema.ts'
import type { Replayed, ReplayOptions } from './travel/replay-thread.ts'

/** What instructions, tools and dependencies given as functions may look at. */
export interface Situation<Deps = unknown> {
  /** The id of the thread. */
  readonly thread: string
  /** What the run was given as `metadata`. */
  readonly metadata: { readonly [key: string]: unknown }
  /** The dependencies of the run. */
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
  /** Who it is, in journals and to agents that call it; default `agent`. */
  readonly name?: string
  /** What the agent is for; shown to agents that may call it. */
  readonly description?: string
  /** The system text, or a function that returns it once a run; default: none. */
  readonly instructions?: string | ((situation: Situation<Deps>) => string | Promise<string>)
  /** Who answers: an AI SDK model object (v2, v3, v4), or an id such as `anthropic/claude-sonnet-5-5`. */
  readonly model?: Model
  /** Settings of every model call, such as `temperature`. They are journaled: nothing secret belongs here. */
  readonly settings?: ModelSettings
  /** What the model may call: a list, a record by name, or a function that returns one of them once a run; default: nothing. */
  readonly tools?: ToolSet<Deps> | ((situation: Situation<Deps>) => ToolSet<Deps> | Promise<ToolSet<Deps>>)
  /** The form of the answer; types `result.output`. */
  readonly output?: S
  /** Given to tools and hooks, never journaled. A function lets any process resume. */
  readonly deps?: Deps | ((situation: Pick<Situation, 'thread' | 'metadata'>) => Deps | Promise<Deps>)
  /** Which calls may run, must be asked about, or are denied; default: what each tool says itself. */
  readonly permissions?: Policy
  /** Code at the nine points of a turn, called in this order. */
  readonly hooks?: readonly Hook<Deps>[]
  /** What a run may spend: turns, tokens, money, time, depth. Without it 50 turns and 24 hours. */
  readonly limits?: Limits
  /** Decides what of the history the model is sent; default `everything`. */
  readonly context?: ContextStrategy
  /** Where threads are kept; default: a new journal in memory, gone with the process. */
  readonly journal?: Journal
  /** What happens where people, time and failure are concerned. */
  readonly behaviour?: Behaviour
  /** Answers questions in this process; default: questions wait in the journal. */
  readonly onQuestion?: Resolver
  /** Told of every durable event of this agent's threads, with the frame after its batch; cannot change anything. */
  readonly observers?: readonly ((event: LoomEvent, frame: Frame) => void)[]
  /** Replaces clock, ids, randomness, hash or prices; default: those of the platform. */
  readonly ports?: Partial<Ports>
}

/** Answers questions in process; `undefined` leaves them to somebody else. */
export type Resolver = (question: Question) => SignedAnswer | undefined | Promise<SignedAnswer | undefined>

/** What a run may be given; all of it may differ from run to run. */
export interface RunOptions<Deps = unknown> {
  /** Which thread, 1 to 200 characters without `#` and `@`; default: a new one. */
  readonly thread?: string
  /** What tools and hooks of this run are given; default: the agent's. */
  readonly deps?: Deps
  /** The model of this run; default: the agent's. */
  readonly model?: Model
  /** The tools of this run; default: the agent's. An empty list means none. */
  readonly tools?: ToolSet<Deps>
  /** Settings of model calls, added to the agent's. */
  readonly settings?: ModelSettings
  /** What this run may spend, added to the agent's. */
  readonly limits?: Limits
  /** Aborting it stops the run. */
  readonly signal?: AbortSignal
  /** Journaled with the run, and given to functions and hooks. */
  readonly metadata?: { readonly [key: string]: unknown }
  /** Answers the questions of this run in this process; default: the agent's. */
  readonly onQuestion?: Resolver
  /** What this input does while another run is active: `queue`, `steer` or `reject`; default: the agent's. */
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
  /** The id of the thread. */
  readonly thread: string
  /** Events and signals from `from` on (default: from where the handle began), until the run ends or waits. */
  events(options?: { from?: number; nested?: boolean }): AsyncIterableIterator<RunEvent>
  /** The text of the answer as it comes. */
  text(): AsyncIterableIterator<string>
  /** Resolves when the run ends or waits. After an answer, call it again for the next result. */
  result(): Promise<Result<Output>>
  /** Answers a question of the run, or of a child; the run goes on. */
  answer(questionId: string, answer: SignedAnswer): Promise<void>
  /** Says something to the model at the next safe point; a higher `priority` (default 0) comes first. */
  steer(input: string, options?: { priority?: number; by?: string }): Promise<void>
  /** Suspends the run at the next safe point; `agent.resume` goes on. */
  pause(options?: { by?: string }): Promise<void>
  /** Ends the run: what is under way is aborted and recorded. */
  stop(reason?: string, options?: { by?: string }): Promise<void>
}

/** An agent of any dependencies, known by its output. */
export interface AnyAgent<Output = unknown> {
  readonly kind: 'agent'
  /** Who it is, in journals and to agents that call it. */
  readonly name: string
  /** What the agent was made of; for Loom itself. */
  readonly definition: Definition
  /** Only a type. */
  readonly gives?: Output
}

/** An agent. One kind, always durable; the journal decides how long what it did is remembered. */
export interface Agent<Deps = unknown, Output = string, HasDeps extends boolean = false> extends AnyAgent<Output> {
  /** What the agent is for; empty when it was not given. */
  readonly description: string
  /** Where its threads are kept. */
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
  /** Turns the id of a model into a model object. */
  readonly resolveModel?: ModelResolver
  /** The price of a model call in integer micro-units; undefined when it is not known. `ports.price` of an agent comes first. */
  readonly price?: Ports['price']
}
