/** What the calls of a run are performed with. */
import type { Desk, JsonObject } from '@loom-agent/kernel'
import { forkPolicy } from './stand-in.ts'
import type { DriveScene } from '../run/drive-scene.ts'
import type { RunContext } from '../definition/run-context.ts'
import type { CallJob, CallScene } from './call-job.ts'

/** A call in hand. */
export interface CallHand {
  stage: 'preparing' | 'ready' | 'queued' | 'running'
  job: CallJob | undefined
  times: JsonObject
  readonly controller: AbortController
  /** Gives up the place in the queue. */
  cancel: (() => void) | undefined
}

/** The calls in hand, by id. */
export type CallHands = Map<string, CallHand>

/** The scene of a driver, completed by what belongs to one run. */
export interface RunnerScene extends DriveScene {
  readonly context: RunContext
  /** Hook points that were passed, of calls too. */
  readonly passed: Set<string>
  readonly hands: CallHands
  /** Tells the driver that something in hand has ended. */
  readonly settled: () => void
}

/** The part of the scene that the stages before execution see. */
export function sceneFor(scene: RunnerScene, desk: Desk, signal: AbortSignal): CallScene {
  const { definition, context } = scene
  const { frame } = desk
  const policies = frame.fork ? [...scene.policies, ...forkPolicy(frame.fork.effects)] : scene.policies
  const unattended = frame.run?.request.unattended === 'deny'
  const { deps, toolbox } = context
  return {
    thread: frame.thread,
    deps,
    ports: definition.ports,
    toolbox,
    policies,
    grants: frame.grants,
    asked: frame.asked,
    unattended,
    signal,
  }
}
