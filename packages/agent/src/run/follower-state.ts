/** What is known of a run behind its handle. */
import type { Draft, Incarnation } from '@loom-agent/kernel'
import type { Viewer } from '../stream/viewer.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { AskedResolver } from '../thread/runtime.ts'
import type { PinnedThread } from '../thread/thread-cache.ts'
import type { StartRequest } from './run-input.ts'
import type { Settlement } from './settlement.ts'

/** What views a run, as its follower uses it. */
export type RunViewer = Pick<Viewer, 'push' | 'end' | 'fail'>

/** The state behind the handle of a run. */
export interface RunFollower {
  readonly instance: AgentInstance
  readonly request: StartRequest
  readonly settlement: Settlement
  readonly viewers: Set<RunViewer>
  /** Resolves when the last viewer is there whose code had to be loaded. */
  opening: Promise<unknown> | undefined
  /** The resolver that its caller gave, or else that of its agent. */
  readonly resolver: AskedResolver | undefined
  run: string | undefined
  /** A stop that was asked for before the run is resumed: it is appended before anything is driven. */
  stop: Draft | undefined
  /** Which thread of this id the run is of: no other one is read or written. */
  incarnation: Incarnation | undefined
  /** The thread in memory; undefined while nothing is followed. */
  pinned: PinnedThread | undefined
  /** The first event of interest; undefined: where the start was recorded that this one repeats. And the last that was noticed. */
  from: number | undefined
  seen: number
  /** What is under way: drives, answers, resolvers. */
  busy: number
  isFollowing: boolean
  /** When a short sleep is over, or the children that the frame of this seq waits for are looked at again; and what cancels the timer. */
  alarm: { readonly at: number; readonly seq?: number; readonly cancel: () => void } | undefined
  detach: () => void
}
