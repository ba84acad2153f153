/**
 * One epoch of one thread, driven by itself on a journal that needs to hold nothing else: what replays of recorded threads are made of.
 *
 * ALONE-1. The driver is the one of every run. What differs is given: the journal, the epoch, and how children are driven.
 */
import { type Epoch, type Frame, type Journal, summarize } from '@loom-agent/kernel'
import { createPrompt } from '../context/prompt.ts'
import { definitionOf } from '../definition/agent-definition.ts'
import type { RunOverrides } from '../definition/agent-options.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { beginDriving } from '../thread/drain.ts'
import { driveEpoch } from '../thread/drive-epoch.ts'
import { createRuntime, runKey } from '../thread/runtime.ts'
import type { AnyAgent } from '../types/any-agent.ts'
import { createChildRunner } from './children.ts'

/** The agent as the root of a tree. */
export function instanceOf(agent: AnyAgent): AgentInstance {
  const definition = definitionOf(agent)
  const { policy, locks } = definition
  const runtime = createRuntime(definition)
  return { definition, runtime, policies: [policy], locks: [locks], forkEffects: undefined, resolvers: [], childRunner: createChildRunner }
}

/** An epoch to drive. */
export interface LoneEpoch {
  /** The thread before it is acquired. */
  readonly frame: Frame
  readonly epoch: Epoch
  readonly journal: Journal
  readonly childRunner: AgentInstance['childRunner']
  /** Why a run that was paused or had failed goes on. */
  readonly resume: string | undefined
  /** What code supplies to runs, by their ids. */
  readonly overrides: ReadonlyMap<string, RunOverrides>
}

/** Drives one epoch. Resolves when the thread is released. */
export async function driveAlone(instance: AgentInstance, { frame, epoch, journal, childRunner, resume, overrides }: LoneEpoch): Promise<void> {
  const { thread, incarnation, seq } = frame
  const definition = { ...instance.definition, journal }
  const runtime = createRuntime(definition)
  for (const [run, given] of overrides) runtime.overrides.set(runKey(incarnation, run), given)
  const cached = { frame, prompt: createPrompt(), observed: seq, isFoldedAnew: false }
  const times = { now: runtime.ports.clock.now(), began: 0, changed: 0 }
  const lease = { thread, epoch, head: { thread, incarnation, seq, epoch, summary: summarize(frame), times } }
  const driving = beginDriving(runtime.drain)
  try {
    await driveEpoch({ ...instance, definition, runtime, childRunner }, cached, { lease, resume, driving })
  } finally {
    driving.end()
  }
}
