/** Scenarios: the agent, what its user does, and how questions are answered. */
import type { AnyAgent, Question, Result, RunHandle, RunOptions, SignedAnswer } from '@loom-agent/agent'
import type { EventType, Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel'
import type { ExternalWorld } from './external-world.ts'

/** What the agent of each process is made with. */
export interface ProcessContext<W extends object = ExternalWorld> {
  /** The journal, as this process reaches it. */
  readonly journal: Journal
  /** The external world, as this process reaches it. */
  readonly world: W
  /** The number of the process within the trial, from 0. */
  readonly process: number
  /** Resolves when the thread has an event of this type. */
  seen(type: EventType): Promise<void>
  /** Emits a mark that an interruption may wait for. */
  mark(name: string): void
}

/** What a user does while a run is active: once, after something has happened, unless the journal shows that it was done. */
export interface Interruption {
  /** An event of the thread, or a mark that a tool emits in this process. */
  readonly after: EventType | { readonly mark: string }
  /** The event that shows that it was done. */
  readonly unless: EventType
  /** What the user does. */
  readonly act: (run: RunHandle<unknown>) => Promise<void>
}

/** What a user can do in a process. Everything is done once in a trial: the next process does not repeat what the journal shows. */
export interface SimulatedUser {
  /** The thread on which the scenario is played. */
  readonly thread: string
  /** Gives the next input and follows the run until it rests, answering its questions. */
  input(text: string, options?: InputOptions): Promise<Result<unknown> | undefined>
  /** Gives inputs one after another without waiting, then follows all of their runs. */
  inputs(...texts: readonly string[]): Promise<void>
  /** Announces an interruption. */
  meanwhile(interruption: Interruption): void
  /** Raises limits, and follows the run. */
  raise(limits: Limits): Promise<void>
  /** Resumes a run that has failed, and follows it. */
  again(): Promise<void>
  /** The events of the thread now. */
  events(): Promise<readonly LoomEvent[]>
  /** The frame of the thread now. */
  frame(): Promise<Frame>
}

/** What an input may come with. One with an id is given again by every process. */
export type InputOptions = Pick<RunOptions, 'id' | 'deps' | 'limits' | 'metadata' | 'settings'>

/** What happens on a thread: its agent, its user and the answers to its questions. */
export interface CrashScenario<W extends object = ExternalWorld> {
  /** The scenario's name in reports. */
  readonly name: string
  /** The external world, before anything has happened in it. */
  readonly world: () => W
  /** Makes the agent of a process. */
  readonly agent: (context: ProcessContext<W>) => AnyAgent
  /** What the user does. Every process of a trial plays it from the beginning. */
  readonly play: (user: SimulatedUser) => Promise<unknown>
  /** How questions are answered; calls in doubt are answered by what really happened. Undefined leaves a question open. Default: approve. */
  readonly answer?: (question: Question) => SignedAnswer | undefined
  /** How questions about calls in doubt are answered instead. */
  readonly doubt?: (question: Question) => SignedAnswer
  /** What of the world must be as after the uninterrupted run; default: its data. */
  readonly observe?: (world: W) => unknown
}
