/** The jobs of processes, and the faults that can be planted in them. */
import { type ToolFault, toolFaults } from '../plan/plan-tools.ts'
import type { JournalPlace } from './place.ts'

const processFaults = {
  'acknowledges-early': 'the journal acknowledges a batch and writes it with the next one',
  'notifies-early': 'clients are notified of events before they are durable',
  alters: 'the journal keeps another result than the one it acknowledged',
  'loses-class': 'the journal keeps unsafe intents as pure ones',
  unfenced: 'the journal lets a driver write that has lost its thread',
  'careless-human': 'the human who is asked about a call in doubt says that it did not happen',
  'starts-again': 'a process makes its starts without their ids',
  'forgets-starts': 'a process reports starts that it did not make',
  'swaps-inputs': 'a process makes some starts with the input of another',
  'credulous-human': 'the human who is asked about a call in doubt says that it did happen',
} as const

/** A fault that can be planted in a process. */
export type PlantedFault = ToolFault | keyof typeof processFaults

/** Faults that can be planted in a process, to check that the judge reports them. */
export const plantedFaults: Readonly<Record<PlantedFault, string>> = { ...toolFaults, ...processFaults }

/** The planted faults of tools. */
export const toolFaultsIn = (faults: readonly PlantedFault[]): readonly ToolFault[] =>
  faults.filter((fault): fault is ToolFault => fault in toolFaults)

/** A thread and the input it begins with. */
export interface PlannedThread {
  readonly thread: string
  readonly input: string
}

/** Milliseconds that pass before an effect, after it, before a result is appended, and before a process whose work is done ends. */
export type Delays = { readonly [At in 'before' | 'after' | 'append' | 'end']?: number }

/** What every process of a trial needs. */
export interface ProcessJob {
  readonly trial: string
  /** Which process of the trial it is, counted from 1. */
  readonly process: number
  readonly place: JournalPlace
  /** The port of the world. */
  readonly port: number
  readonly delays?: Delays
  readonly faults?: readonly PlantedFault[]
  /** How many levels of children there are; default 1. */
  readonly depth?: number
}

/** A job of a worker: drive these threads, from wherever they are. */
export interface WorkerJob extends ProcessJob {
  readonly threads: readonly PlannedThread[]
  /** How it finds its work: by resuming each thread, or by letting the agent recover. */
  readonly start: 'resume' | 'recover'
  /** Lets another process take each thread before it takes it itself. */
  readonly yields?: boolean
  /** Whether it answers questions, or leaves them to the next process. */
  readonly attended: boolean
  /** Which of the questions that it finds open it answers, as a fraction of all; by default it only does what can be done without an answer. */
  readonly pick?: number
}
