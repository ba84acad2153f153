/** What the tools know of children: how a child is attended, and how its record becomes a result. */
import type { Desk, Json, StepRecord } from '@loom-agent/kernel'
import type { AnyAgent } from '../agent-type.ts'
import type { Result } from '../types/result.ts'

/** A child to start or to go on with. */
export interface ChildRequest {
  readonly desk: Desk
  readonly call: string
  readonly key: string
  /** Whether `child.started` is recorded already. */
  readonly begun: boolean
  readonly agent: AnyAgent
  readonly input: string
  readonly signal: AbortSignal
}

/** Runs children. */
export interface ChildRunner {
  /** Drives the child until it ends; answers `parked` when it waits for somebody. */
  attend(request: ChildRequest): Promise<StepRecord>
  /** Asks a child to stop, whoever drives it, and sees to it that it does. */
  stop(child: string, reason: string): Promise<void>
  /** The result that a child's record stands for. */
  resultOf<Output>(agent: AnyAgent<Output>, record: Json | undefined): Result<Output>
}
