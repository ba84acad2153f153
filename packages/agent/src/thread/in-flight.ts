/** What a performer has in hand. */
import { type Assembly, createAssembly } from '../context/assemble.ts'
import type { ModelScene } from '../attempt/attempt-model.ts'
import { createIdleGuard, type IdleGuard } from '../model/idle-guard.ts'
import type { Leash } from '../platform/cancellation.ts'
import { abortCalls, isBusy } from '../call/runner.ts'
import type { CallHands, RunnerScene } from '../call/call-work.ts'
import type { DriveScene } from '../run/drive-scene.ts'

/** Calls, one model attempt, and one step of anything else at a time. */
export interface Hands {
  readonly scene: DriveScene
  readonly assembly: Assembly
  readonly guard: IdleGuard
  /** Hook points that were passed and changed nothing, so that no event says so. */
  readonly passed: Set<string>
  readonly calls: CallHands
  step: { readonly name: string; readonly leash: Leash } | undefined
  model: Leash | undefined
  /** The attempt has not begun: it waits for its time. */
  sleeps: boolean
  /** The run whose stop was passed on to what is in hand, and the one that code supplies nothing to. */
  halted: string | undefined
  /** Its children have heard of the stop. */
  told: boolean
  unresolved: string | undefined
  work: { readonly models: ModelScene; readonly tools: RunnerScene } | undefined
  idle: (() => void)[]
  /** The driver was told to wait for something in hand. */
  waited: boolean
  aborted: boolean
}

/** Empty hands. */
export function createHands(scene: DriveScene): Hands {
  const { ports, behaviour } = scene.definition
  return {
    scene,
    assembly: createAssembly(),
    guard: createIdleGuard(ports.clock, behaviour.modelIdle),
    passed: new Set(),
    calls: new Map(),
    step: undefined,
    model: undefined,
    sleeps: false,
    halted: undefined,
    told: false,
    unresolved: undefined,
    work: undefined,
    idle: [],
    waited: false,
    aborted: false,
  }
}

/** Tells everything in hand to end. */
export function halt(hands: Hands, reason: string): void {
  hands.step?.leash.abort()
  hands.model?.abort()
  abortCalls(hands.calls, reason)
}

/** Whether nothing is in hand. */
export function isIdle({ step, model, calls }: Hands): boolean {
  return !step && !model && !isBusy(calls)
}
