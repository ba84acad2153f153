/** What a driver of one thread works with. */
import type { Frame, Run } from '@loom-agent/kernel'
import type { Definition } from '../definition.ts'
import type { Recorded } from '../fork/stand-in.ts'
import type { CompiledPolicy } from '../permission/policy.ts'
import type { ChildRunner } from '../tool/child-runner.ts'
import type { Scheduler } from '../tool/scheduler.ts'
import type { Hub } from './hub.ts'
import type { Resident } from './resident.ts'
import type { RunContext } from './run-context.ts'

/** A thread being driven, and everything around it. */
export interface DriveScene {
  readonly definition: Definition
  readonly resident: Resident
  readonly hub: Hub
  /** The thread, then its parent, up to the root. */
  readonly lineage: readonly string[]
  /** The agent's own policy first, then those of its ancestors. */
  readonly policies: readonly (CompiledPolicy | undefined)[]
  readonly scheduler: Scheduler
  readonly children: ChildRunner
  /** What the parent of a fork recorded after the cut, where the fork is to use it. */
  readonly recorded: Recorded | undefined
  /** What code supplies to a run. */
  resolve(frame: Frame, run: Run): RunContext | Promise<RunContext>
}
