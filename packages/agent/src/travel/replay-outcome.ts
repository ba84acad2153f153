/** How runs of a record and of its replay ended, and how they are compared. */
import { canonicalJson, type Json } from '@loom-agent/kernel'

/** How one run ended. */
export interface RunOutcome {
  /** The id of the run on its thread. */
  readonly run: string
  /** The words of its input; undefined for the run that was under way where the replay goes on. */
  readonly input: string | undefined
  /** How it ended; `waiting` and `running` have not. */
  readonly status: 'done' | 'waiting' | 'stopped' | 'failed' | 'running'
  /** The answer, or as much of it as there is. */
  readonly text: string
  /** The answer in the form of `output`, or its text; undefined unless the run is done. */
  readonly output: Json | undefined
  /** Turns that the run took. */
  readonly turns: number
  /** Input and output tokens together. */
  readonly tokens: number
  /** Integer micro-units; undefined where a price is unknown. */
  readonly cost: number | undefined
}

/** How the runs of a thread ended, from the run of the first difference on. */
export interface ReplayOutcome {
  /** The id of the thread. */
  readonly thread: string
  /** Its runs, in order. */
  readonly runs: readonly RunOutcome[]
}

/** What a judge compares. */
export interface JudgedOutcomes {
  /** The thread as it is recorded. */
  readonly recorded: ReplayOutcome
  /** The fork that went on live. */
  readonly replayed: ReplayOutcome
}

/** Compares how a thread ended with how its replay ended; what it returns is the verdict of the thread. */
export type Judge<Verdict> = (outcomes: JudgedOutcomes) => Verdict | Promise<Verdict>

/** The verdict of the default judge. */
export type OutcomeVerdict = 'same' | 'different'

/** The default judge: `same` when as many runs ended alike, with equal output. */
export const compareOutcomes: Judge<OutcomeVerdict> = ({ recorded, replayed }) => {
  const isSame = recorded.runs.length === replayed.runs.length && recorded.runs.every((run, index) => endedAlike(run, replayed.runs[index]))
  return isSame ? 'same' : 'different'
}

const endedAlike = (one: RunOutcome, other: RunOutcome | undefined): boolean =>
  one.status === other?.status && (one.status !== 'done' || canonicalJson(one.output ?? null) === canonicalJson(other.output ?? null))
