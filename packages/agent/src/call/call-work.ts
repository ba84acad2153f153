/** What performing calls needs. The thread driver has all of it and is passed as it is. */
import type { Call, Journal, Outbox } from '@loom-agent/kernel'
import type { Channel } from '../bus/bus.ts'
import type { Definition } from '../definition/definition.ts'
import type { RunContext } from '../definition/run-context.ts'
import type { CompiledPolicy } from '../permission/compile-policy.ts'
import type { Cancellation } from '../platform/cancellation.ts'
import type { CallJob, Prepared, Refusal } from './call-job.ts'
import type { ChildRunner } from './child-runner.ts'
import type { Deadlines } from './deadlines.ts'
import type { RunCalls } from './run-calls.ts'
import type { Scheduler } from './scheduler.ts'
import type { StandIns } from './stand-in.ts'

/** A call in flight. */
export interface CallInFlight {
  stage: 'preparing' | 'ready' | 'queued' | 'running'
  job: CallJob | undefined
  readonly cancellation: Cancellation
  /** Gives up the place in the queue. */
  leaveQueue: (() => void) | undefined
}

/** A call in flight that is to be admitted. */
export interface Admission {
  readonly inFlight: CallInFlight
  /** Starts it: from then on the rules see it when they judge others. */
  readonly run: () => void
  /** Gives its place back. */
  readonly leave: () => void
  /** Ends it, or asks about it. */
  readonly refuse: (refusal: Refusal) => void
}

/** The calls in flight, by id. */
export type CallsInFlight = Map<string, CallInFlight>

/** Passes the hook points around a call. */
export interface CallHookPoints {
  passBefore(work: CallWork, call: Call, cancellation: Cancellation): Promise<Prepared>
  /** Must not reject. */
  passAfter(work: CallWork, call: Call, cancellation: Cancellation): Promise<void>
}

/** The parts that the stages before execution use: they look at a call, and perform nothing. */
export interface PreparingWork {
  readonly definition: Definition
  readonly context: Pick<RunContext, 'toolbox' | 'deps'>
  readonly outbox: Pick<Outbox, 'frame'>
  /** The agent's own policy first, then those of its ancestors, then that of a fork. */
  readonly policies: readonly (CompiledPolicy | undefined)[]
  /** What calls get instead of being run, where the thread is a fork, or a child in one. */
  readonly standIns: StandIns | undefined
  /** What rules see of the run, where they may look. */
  readonly runCalls?: RunCalls | undefined
}

/** The parts that performing calls uses. */
export interface CallWork extends PreparingWork {
  readonly context: RunContext
  readonly outbox: Outbox
  /** Where the thread is. */
  readonly journal: Journal
  readonly channel: Channel
  readonly scheduler: Scheduler
  readonly deadlines: Deadlines
  readonly children: ChildRunner
  /** How hook points are passed, where the agent has hooks. */
  readonly hookPoints: CallHookPoints | undefined
  /** Whether the lease is certainly valid. It is asked right before code of a tool is entered (CALL-3). */
  readonly mayEnter: () => boolean
  /** Hook points that were passed and changed nothing, so that no event records them. */
  readonly passed: Set<string>
  readonly calls: CallsInFlight
  /** Called when a call in flight has ended. */
  readonly settled: () => void
}
