/** The options of agents and runs. */
import type { Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel'
import type { DescribeModel } from '../context/model-facts.ts'
import type { ContextStrategy } from '../context/strategy.ts'
import type { Guard } from '../guard/guard.ts'
import type { Hook } from '../hook/hook.ts'
import type { Model, ModelResolver, ModelSettings } from '../model/model.ts'
import type { Policy, RunLayer } from '../permission/policy.ts'
import type { Ports } from '../platform/ports.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import type { SignedAnswer } from '../types/answer.ts'
import type { Behaviour } from '../types/behaviour.ts'
import type { InputTaint } from '../types/input-taint.ts'
import type { Question } from '../types/question.ts'
import type { Schema } from '../types/schema.ts'
import type { Workspace } from '../types/workspace.ts'

/** What instructions, tools and dependencies given as functions may look at. */
export interface Situation<Deps = unknown> {
  /** The id of the thread. */
  readonly thread: string
  /** What the run was given as `metadata`. */
  readonly metadata: { readonly [key: string]: unknown }
  /** The dependencies of the run. */
  readonly deps: Deps
  /** The thread as it is when driving starts. */
  readonly frame: Frame
}

/**
 * An observer: called, in order and once in this process, with the durable events of threads that the agent object has loaded, from then on, and the frame
 * after their batch. Events of a process that was lost may reach no observer: where none may be missed, use the feed. It cannot change anything.
 */
export type Observer = (event: LoomEvent, frame: Frame) => void

/** What `agent()` takes. */
export interface AgentOptions<Deps = unknown, S extends Schema | undefined = undefined> {
  /** How the agent is called in journals and by other agents; default `agent`. */
  readonly name?: string
  /** What the agent is for; shown to agents that may call it. */
  readonly description?: string
  /** The system prompt, or a function that returns it for a run. */
  readonly instructions?: string | ((situation: Situation<Deps>) => string | Promise<string>)
  /** Layers of the system text behind the instructions, by name: a text, `false` to leave one out, or a function of the text that Loom has for it. */
  readonly layers?: { readonly [name: string]: LayerOption }
  /** The model that answers: an AI SDK model object, or an id where something resolves ids. */
  readonly model?: Model
  /** Settings of every model call. They are journaled. */
  readonly settings?: ModelSettings
  /** What the model may call, or a function that returns it for a run. */
  readonly tools?: ToolSet<Deps> | ((situation: Situation<Deps>) => ToolSet<Deps> | Promise<ToolSet<Deps>>)
  /** The form of the answer; types `result.output`. */
  readonly output?: S
  /** Given to tools, hooks and children, never journaled. A function lets any process resume. */
  readonly deps?: Deps | ((situation: Pick<Situation, 'thread' | 'metadata'>) => Deps | Promise<Deps>)
  /** Which calls run, ask or are denied. */
  readonly permissions?: Policy
  /** Code that looks at inputs, results and replies before they are stored, in order. */
  readonly guards?: readonly Guard[]
  /** Code that runs at the nine points of a turn, in order. */
  readonly hooks?: readonly Hook<Deps>[]
  /** What a run may use at most. */
  readonly limits?: Limits
  /** What the model is shown of the thread; default: `compress()` for a model whose window is known, and otherwise everything. */
  readonly context?: ContextStrategy
  /** Tokens of a request and its reply together, as context strategies count with them; default: what is known of the model. */
  readonly window?: number
  /** Where the facts are kept; default: in memory. */
  readonly journal?: Journal
  /** How the agent behaves where people, time and failure are concerned. */
  readonly behaviour?: Behaviour
  /** Answers questions in this process. */
  readonly onQuestion?: Resolver
  /** Called with the durable events of threads that this agent object has loaded, with the frame after their batch; cannot change anything. */
  readonly observers?: readonly Observer[]
  /** What is stored besides the facts that runs need; default: nothing. */
  readonly record?: RecordOptions
  /** The folder whose files `rewind` puts back; default: none. The tools that change its files are given to the agent as well. */
  readonly workspace?: Workspace
  /** Replacements for the platform's clock, ids, randomness, hash and prices. */
  readonly ports?: Partial<Ports>
}

/** A layer of the system text: a text, `false` to leave it out, or a function of the text that Loom has for it, which is empty for layers of your own. */
export type LayerOption = string | false | ((text: string) => string)

/** What is stored besides the facts that runs need. */
export interface RecordOptions {
  /**
   * Whether the deltas of replies are stored, with their times, as `model.streamed` events: at most 262,144 characters an attempt. They are stored with
   * the reply or the failure of the attempt, in the same commit. Default false.
   */
  readonly deltas?: boolean
}

/** Answers questions in this process; `undefined` leaves a question open. */
export type Resolver = (question: Question) => SignedAnswer | undefined | Promise<SignedAnswer | undefined>

/** What a run may be given; all of it may differ from run to run. */
export interface RunOptions<Deps = unknown> {
  /** The thread to run on; default: a new one. */
  readonly thread?: string | undefined
  /**
   * The caller's id of this start, 1 to 200 characters: said again with the same input, it attaches to the run that is there, finished or not, and with
   * another input it is refused. Without `thread`, it also names the thread.
   */
  readonly id?: string | undefined
  /** The dependencies of this run. */
  readonly deps?: Deps | undefined
  /** Another model for this run. */
  readonly model?: Model | undefined
  /** Other tools for this run. */
  readonly tools?: ToolSet<Deps> | undefined
  /** Settings that differ for this run. */
  readonly settings?: ModelSettings | undefined
  /** Limits that differ for this run. */
  readonly limits?: Limits | undefined
  /** What this run may do less than its agent; recorded with the run, so that it holds in every process that goes on with it, and for its children. */
  readonly permissions?: RunLayer | undefined
  /** Stops the run when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Journaled with the run; shown to functions, hooks and permissions. */
  readonly metadata?: { readonly [key: string]: unknown } | undefined
  /** Answers the questions of this run in this process. */
  readonly onQuestion?: Resolver | undefined
  /** Goes on with a thread of an agent of another name, or one that was imported, which belongs to this one from then on; default: such a thread is refused. */
  readonly adopt?: boolean | undefined
  /** Keeps the input in the context for good, whatever a strategy leaves out. */
  readonly pin?: boolean | undefined
  /** What the input holds that others wrote, or that is private: recorded with it, and read by its thread. Default: nothing, as far as its parts say nothing. */
  readonly taint?: InputTaint | undefined
  /** What happens when the thread is busy; default: as the agent's behaviour says. */
  readonly whenBusy?: Behaviour['whenBusy'] | undefined
}

/** What code supplies to one run instead of what the agent has. Never journaled. */
export type RunOverrides = Pick<RunOptions<never>, 'deps' | 'model' | 'tools'>

/** The options of a run: they may be left out unless they must bring the dependencies that the agent was not given. */
export type OptionsOf<Deps, HasDeps, Options = RunOptions<Deps>> = unknown extends Deps
  ? [options?: Options]
  : HasDeps extends true
    ? [options?: Options]
    : [options: Options & { readonly deps: Deps }]

/** What the umbrella passes to `agent()`. */
export interface AgentHost {
  /** Turns the id of a model into a model object; absent: only model objects can be used. */
  readonly resolveModel?: ModelResolver
  /** The price of a model call in integer micro-units; undefined when it is not known. `ports.price` of an agent comes first. */
  readonly price?: Ports['price']
  /** Loads what `price` looks prices up in, before a run with a limit of money calls its model; undefined when that is loaded. */
  readonly loadPrices?: () => Promise<void> | undefined
  /** What is known of a model's size, for context strategies; it may be loaded first. `window` of an agent comes first. */
  readonly describeModel?: DescribeModel
}
