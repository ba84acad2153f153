/** Scenarios: who plays, what people do, and how they answer. */
import type { AnyAgent, Question, Result, RunHandle, RunOptions, SignedAnswer } from '@loom-agent/agent'
import type { EventType, Frame, Journal, Limits, LoomEvent } from '@loom-agent/kernel'
import type { CountingOutside } from './outside.ts'

/** What an agent is made with, in each process anew. */
export interface Scene<W extends object = CountingOutside> {
  readonly journal: Journal
  /** The outside, as this process reaches it. */
  readonly outside: W
  /** The number of the process in its life, from 0. */
  readonly process: number
  /** Resolves when the thread has an event of this type. */
  seen(type: EventType): Promise<void>
  /** Says a word that people may wait for. */
  say(word: string): void
}

/** What people do while a run is under way: once, after something has happened, unless it shows in the journal already. */
export interface Meddling {
  /** An event of the thread, or a word that somebody says in this process. */
  readonly after: EventType | { readonly word: string }
  /** What shows that it was done. */
  readonly unless: EventType
  readonly act: (run: RunHandle<unknown>) => Promise<void>
}

/** What people can do in a process. Everything is done once in a life: what the journal shows is not done again by the next process. */
export interface Stage {
  readonly thread: string
  /** Gives the next input and sees the run to its rest, answering what is asked. */
  input(text: string, options?: StageOptions): Promise<Result<unknown> | undefined>
  /** Gives inputs one after another without waiting, then sees all of their runs to their rest. */
  inputs(...texts: readonly string[]): Promise<void>
  /** Says what people will do meanwhile. */
  meanwhile(meddling: Meddling): void
  /** Raises limits, and sees the run to its rest. */
  raise(limits: Limits): Promise<void>
  /** Goes on with a run that has failed, and sees it to its rest. */
  again(): Promise<void>
  events(): Promise<readonly LoomEvent[]>
  frame(): Promise<Frame>
}

/** What an input may come with. */
export type StageOptions = Pick<RunOptions, 'deps' | 'limits' | 'metadata' | 'settings'>

/** A way for a thread to go. */
export interface CrashScenario<W extends object = CountingOutside> {
  readonly name: string
  /** The world outside, before anything has happened in it. */
  readonly outside: () => W
  /** The agent, in each process anew. */
  readonly agent: (scene: Scene<W>) => AnyAgent
  /** What people do. Played by every process of a life from its beginning. */
  readonly play: (stage: Stage) => Promise<unknown>
  /** How people answer; calls in doubt are answered by what really happened. Undefined leaves a question open. Default: approve. */
  readonly answer?: (question: Question) => SignedAnswer | undefined
  /** How people answer about a call in doubt, where it is not the truth. */
  readonly doubt?: (question: Question) => SignedAnswer
  /** What of the outside must be as in an undisturbed life; default: its data. */
  readonly observe?: (outside: W) => unknown
}
