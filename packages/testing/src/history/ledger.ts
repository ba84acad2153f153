/** What the checker remembers while it reads: just enough to judge the next event. */
import type { EffectClass, Epoch, EventOf, EventType, Limits, QuestionData, Seq } from '@loom-agent/kernel'
import type { HistoryRule, Violation } from './rules.ts'

/** A key of a durable call that has begun and is not recorded. */
export interface StepNote {
  readonly epoch: Epoch
  readonly effect?: EffectClass
  readonly until?: number | undefined
  /** The name of the signal that it waits for. */
  readonly signal?: string | undefined
  /** A signal of its name came when its time had passed. */
  missed?: true
  doubtful?: true
}

/** A call of the run. */
export interface CallNote {
  readonly id: string
  /** Its place in the reply. */
  readonly index: number
  readonly serial: boolean
  standing: 'free' | 'asking' | 'refused' | 'responded' | 'running' | 'suspended' | 'doubtful'
  /** How it was last begun. */
  start: { readonly epoch: Epoch; readonly effect: EffectClass; readonly durable: boolean } | undefined
  settled: boolean
  readonly open: Map<string, StepNote>
  readonly recorded: Set<string>
  /** Something of it has ended since it was suspended. */
  moved: boolean
  /** The names of the signals that it has taken since its body was last entered. */
  unread: readonly string[]
}

/** The run in force. */
export interface RunNote {
  readonly id: string
  readonly firstTurn: number
  status: 'active' | 'suspended' | 'finished' | 'failed' | 'stopped'
  /** Why it was stopped, when it was. */
  kind: string | undefined
  /** The limits that are judged. */
  limits: Pick<Limits, 'turns' | 'calls' | 'children'>
  /** Calls that were proposed before this turn, with those of children. */
  called: number
  /** Calls of children that have ended in this turn. */
  calledBelow: number
  /** Children that were started, with those of children. */
  children: number
  /** The epoch in which it was asked to stop, and whether that was because its time was used up. */
  stop: { readonly epoch: Epoch; readonly isLimit?: boolean } | undefined
  /** Whether it was asked to pause. */
  pause: boolean
  phase: 'enter' | 'context' | 'model' | 'replied'
  attempt: number
  /** Attempts may be counted from 1 again: the run was resumed since. */
  recounts: boolean
  sent: { readonly attempt: number; readonly epoch: Epoch } | undefined
  /** The last attempt failed and had streamed text. */
  hasText: boolean
  /** The last attempt failed for good. */
  failed: boolean
  /** The last answer does not fit its form. */
  unfit: boolean
  /** The calls of this turn, in order. */
  calls: readonly CallNote[]
  /** How many of the first of them are not serial or have their result. */
  inOrder: number
  /** All calls of the run: what they began may end late. */
  readonly known: Map<string, CallNote>
}

/** A run in the queue, and what it was asked meanwhile. */
export interface QueuedNote {
  readonly run: string
  readonly seq: Seq
  readonly limits: RunNote['limits']
  readonly stop?: boolean
  readonly pause?: boolean
}

/** A question that is open. */
export interface QuestionNote {
  readonly asked: QuestionData
  readonly votes: string[]
}

/** What a fork says of itself. */
export interface ForkNote {
  /** The thread that it was cut from, and where. */
  readonly parent: string
  readonly cut: number
  readonly effects: string | undefined
  readonly edits: readonly { readonly kind: string; readonly call?: string }[]
  /** What every request has as its instructions. */
  readonly instructions: string | undefined
  /** The moments of the parent whose facts it has used. */
  readonly used: Set<string>
  /** A driver has acquired it. */
  driven: boolean
}

/** A child, and the call that started it. */
export interface ChildNote {
  readonly run: string | undefined
  readonly call: string
  readonly key: string
  finished: boolean
}

/** Everything remembered of a thread. */
export interface Ledger {
  readonly found: Violation[]
  thread: string | undefined
  /** The agent that it belongs to; undefined where a fork is read without its past. */
  agent: string | undefined
  seq: Seq
  /** The time of the event before: events of one batch share theirs. */
  time: number | undefined
  epoch: Epoch
  driven: boolean
  /** When the driver's first batch was made. */
  acquiredAt: number | undefined
  /** What is known of the fork that the thread is from here on. */
  fork: ForkNote | undefined
  /** The files that are being put back, by name, each as it is to become. */
  restoring: ReadonlyMap<string, string> | undefined
  /** The ids of the breakpoints of the thread. */
  breakpoints: ReadonlySet<string>
  /** The instructions of the context; undefined where it was assembled before the events that are read. */
  system: string | undefined
  turn: number
  runs: number
  run: RunNote | undefined
  queue: readonly QueuedNote[]
  /** Seqs of steered messages that no turn has taken in. */
  steered: readonly Seq[]
  /** The ids of the starts that had one. */
  readonly starts: Set<string>
  /** The names of the signals that no wait has taken, in order. */
  signals: readonly string[]
  rebased: boolean
  /** How many summaries were made. */
  summaries: number
  readonly asked: Set<string>
  readonly questions: Map<string, QuestionNote>
  readonly children: Map<string, ChildNote>
}

/** Judges events of one type. */
export type Check<T extends EventType> = (ledger: Ledger, event: EventOf<T>) => void
/** Judges events of the given types. */
export type Checks<T extends EventType> = { readonly [K in T]: Check<K> }
/** Judges events of a type that concerns the run. */
export type RunChecks<T extends EventType> = { readonly [K in T]: (ledger: Ledger, run: RunNote, event: EventOf<K>) => void }

/** A ledger without entries. */
export function createLedger(): Ledger {
  return {
    found: [],
    thread: undefined,
    agent: undefined,
    seq: 0,
    time: undefined,
    epoch: 0,
    driven: false,
    acquiredAt: undefined,
    fork: undefined,
    restoring: undefined,
    breakpoints: new Set(),
    system: undefined,
    turn: 0,
    runs: 0,
    run: undefined,
    queue: [],
    steered: [],
    starts: new Set(),
    signals: [],
    rebased: false,
    summaries: 0,
    asked: new Set(),
    questions: new Map(),
    children: new Map(),
  }
}

/** Records that the current event breaks a rule. */
export function blame(ledger: Ledger, rule: HistoryRule, message: string): void {
  ledger.found.push({ rule, seq: ledger.seq, message })
}

/** Whether a run has come to its end. */
export function isEnded({ status }: RunNote): boolean {
  return status !== 'active' && status !== 'suspended'
}

/** Whether this driver performs the call now. */
export function isPerformed(ledger: Ledger, call: CallNote): boolean {
  return !call.settled && call.standing === 'running' && call.start?.epoch === ledger.epoch
}

/** The calls of this turn that have no result. */
export function unsettled(run: RunNote): readonly string[] {
  return run.calls.filter((call) => !call.settled).map(({ id }) => id)
}

/** Whether the journal shows that a moment came too early. An event inside a batch has the time of the batch, which may be earlier than its own. */
export function isEarly(ledger: Ledger, time: number, due: number): boolean {
  return time < due && time !== ledger.time
}
