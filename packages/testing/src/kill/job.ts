/** What a process is told to do. */
import type { PlantedFault } from './fault.ts'
import type { Place } from './place.ts'

/** A thread and the input it begins with. */
export interface Errand {
  readonly thread: string
  readonly input: string
}

/** Milliseconds that pass before an effect, after it, before a result is handed to the journal, and before a process whose work is done ends. */
export type Linger = { readonly [At in 'before' | 'after' | 'append' | 'end']?: number }

/** What a process is told to do: go on with these threads, from wherever they are. */
export interface Job {
  /** Names the effects of all processes that go on with these threads. */
  readonly life: string
  /** Which process of the life it is, counted from 1. */
  readonly process: number
  readonly place: Place
  /** Where the outside is reached. */
  readonly port: number
  readonly errands: readonly Errand[]
  /** How it finds out what is to be gone on with: by resuming each thread, or by letting the agent recover. */
  readonly way: 'resume' | 'recover'
  /** Whether it answers questions, or leaves them to the next process. */
  readonly attended: boolean
  readonly linger: Linger
  readonly faults: readonly PlantedFault[]
}
