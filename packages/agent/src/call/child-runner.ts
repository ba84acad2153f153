/** Children as calls see them. */
import type { Outbox, StepRecord, Taint } from '@loom-agent/kernel'
import type { Cancellation } from '../platform/cancellation.ts'
import type { AnyAgent } from '../types/any-agent.ts'

/** The call, and the key in its body, that a child belongs to. */
export interface ChildOwner {
  /** The outbox of the driver of the call's thread. */
  readonly outbox: Outbox
  /** The id of the call. */
  readonly call: string
  /** The key of the child in the body. */
  readonly key: string
}

/** A child to start or to go on with. */
export interface ChildRequest extends ChildOwner {
  /** The child's thread, where `child.started` is recorded already. */
  readonly existing: string | undefined
  /** The agent that the child is. */
  readonly agent: AnyAgent
  /** What the call that starts it brings by itself. */
  readonly brought: Taint | undefined
  /** What the child is asked. */
  readonly input: string
  /** Digest of the input: the key of the child stands for it. */
  readonly digest: string
  /** The dependencies of the run that starts it. */
  readonly deps: unknown
  /** What stops the child. */
  readonly cancellation: Cancellation
}

/** Why a child is cancelled that its caller no longer waits for: it is stopped, though the run goes on. */
export const callerEnded = 'the tool that started it has ended'

/** What running a child returns when the child waits. */
export const parked: StepRecord = { key: '' }

/** Runs the children of one driver. */
export interface ChildRunner {
  /** Drives the child until it ends; returns `parked` when it waits. */
  run(request: ChildRequest): Promise<StepRecord>
  /**
   * Asks a child to stop, in whichever process it is driven, and waits until it has stopped or its grace period is over. Records its end for a call that
   * waits; a call in flight does that itself.
   */
  stop(child: string, reason: string, waiting: ChildOwner | undefined): Promise<void>
  /** Records what is known of a child that was asked to stop and is waited for no longer: its end, or else what it has spent. */
  leave(child: string, owner: ChildOwner): Promise<void>
  /** Resolves when no child that had waited is being moved on: until then its parent stays with this driver, which records the child's end. */
  idle(): Promise<void>
  /** Whether a child was left to the next driver of the thread, because this process is draining: it may not even be stored. */
  hasLeft(): boolean
  /** Stops watching children that wait; they go on waiting. */
  close(): void
}
