/** What a driver has in flight: calls, one model attempt, and one step of anything else at a time. */
import { callOf, type Run } from '@loom-agent/kernel'
import type { CallsInFlight } from '../call/call-work.ts'
import { abortCalls, isBusy } from '../call/runner.ts'
import { abort, type Cancellation } from '../platform/cancellation.ts'

/** Work that has started and has not ended. */
export interface InFlight {
  readonly calls: CallsInFlight
  model: Cancellation | undefined
  /** The model attempt has not started: it waits for its time. */
  isSleeping: boolean
  /** A hook point, an assembly, code that supplies the run, or code that is loaded. */
  step: { readonly name: string; readonly cancellation: Cancellation } | undefined
}

/** Makes the state of a driver that has nothing in flight. */
export function createInFlight(): InFlight {
  return { calls: new Map(), model: undefined, isSleeping: false, step: undefined }
}

/** Asks everything in flight to end. */
export function abortAll({ calls, model, step }: InFlight, reason: string): void {
  if (step) abort(step.cancellation)
  if (model) abort(model)
  abortCalls(calls, reason)
}

/** The names of what is in flight: a step, the model, the tools of calls. */
export function namesOf({ calls, model, step }: InFlight, run: Run): readonly string[] {
  const tools = [...calls.keys()].flatMap((id) => callOf(run, id)?.part.name ?? [])
  return [...(step ? [step.name] : []), ...(model ? ['model'] : []), ...new Set(tools)]
}

/** Whether nothing is in flight. */
export function isIdle({ calls, model, step }: InFlight): boolean {
  return !step && !model && !isBusy(calls)
}
