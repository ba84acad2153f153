/** The runner: takes the calls of a turn through the pipeline, side by side where they may, each to its one result. */
import { type Call, type CallTools, callOf, isOver, type Run } from '@loom-agent/kernel'
import { abort, createCancellation } from '../platform/cancellation.ts'
import { keepThrown, logThrown } from '../platform/thrown.ts'
import { admit } from './authorize.ts'
import { type CallJob, isRefusal, type Prepared, type Refusal, refuse } from './call-job.ts'
import type { CallInFlight, CallsInFlight, CallWork } from './call-work.ts'
import { failedBeforeCall } from './hook-failure.ts'
import { prepare } from './pipeline.ts'
import { runCall } from './run-call.ts'

/** Performs the calls that must be authorized or executed; what is in flight stays as it is. */
export function performCalls(work: CallWork, { authorize, execute }: CallTools): 'begun' | 'busy' | 'settled' {
  const { calls, outbox } = work
  let begun = false
  for (const id of authorize) {
    const call = calls.has(id) ? undefined : callOf(outbox.frame.run as Run, id)
    if (call && prepareCall(work, call)) begun = true
  }
  for (const id of execute) {
    const call = calls.has(id) ? undefined : callOf(outbox.frame.run as Run, id)
    // A proposed call is authorized above; what is left of it here waits for an answer or has its result.
    if (call && call.state !== 'proposed' && call.state !== 'settled' && call.state !== 'asking' && prepareCall(work, call)) begun = true
    const inFlight = calls.get(id)
    if (inFlight?.stage !== 'ready' || !inFlight.job) continue
    schedule(work, inFlight, inFlight.job)
    begun = true
  }
  if (begun) return 'begun'
  const isUnderWay = (id: string): boolean => calls.has(id) && calls.get(id)?.stage !== 'ready'
  return authorize.some(isUnderWay) || execute.some(isUnderWay) ? 'busy' : 'settled'
}

/** Aborts all calls in flight. Those that run have their grace period; those that have not started are dropped at once, with their open questions. */
export function abortCalls(calls: CallsInFlight, reason: string): void {
  for (const [id, { stage, cancellation, leaveQueue }] of [...calls]) {
    abort(cancellation, reason)
    if (stage === 'queued') leaveQueue?.()
    if (stage === 'preparing' || stage === 'ready') calls.delete(id)
  }
}

/** Whether a call is on its way through a stage. */
export function isBusy(calls: CallsInFlight): boolean {
  if (calls.size === 0) return false
  for (const { stage } of calls.values()) if (stage !== 'ready') return true
  return false
}

/** Stages 1 to 4. True when they are done, false when they go on elsewhere. */
function prepareCall(work: CallWork, call: Call): boolean {
  const { definition, calls, standIns, hookPoints } = work
  const recorded = call.start ? undefined : standIns?.take(call)
  if (recorded) {
    settle(work, call, recorded)
    return true
  }
  const cancellation = createCancellation(definition.ports.clock, definition.behaviour.grace)
  calls.set(call.id, { stage: 'preparing', job: undefined, cancellation, leaveQueue: undefined })
  const hooked = hookPoints !== undefined && definition.hooks.beforeToolExecution !== undefined && isBeforeHooks(call)
  const preparing = hooked ? hookPoints.passBefore(work, call, cancellation) : prepare(work, call, cancellation)
  if (!(preparing instanceof Promise)) {
    prepared(work, call.id, preparing)
    return true
  }
  void preparing
    .catch((error: unknown): Prepared => failedBefore(work, call, error))
    .then((outcome) => {
      prepared(work, call.id, outcome)
      work.settled()
    })
  return false
}

/** Whether the hooks before a call are called: until something about the call is durable, and for arguments that a human has edited since. */
const isBeforeHooks = ({ start, answer }: Call): boolean => !start && (!answer || answer.kind === 'hook' || answer.answer.kind === 'edit')

/** A hook before the call, or a rule or a schema that takes time, has thrown: the call gets an error. */
function failedBefore({ definition, outbox }: CallWork, call: Call, error: unknown): Prepared {
  const refusal = refuse(call, 'hook', failedBeforeCall(call.part.name, error))
  for (const { type, data } of refusal) if (type === 'tool.finished') keepThrown(data.output, error)
  logThrown(definition.ports, `A hook failed before call ${call.id} of the thread ${outbox.frame.thread}:`, error)
  return refusal
}

function prepared(work: CallWork, id: string, outcome: Prepared): void {
  const { calls, standIns } = work
  const inFlight = calls.get(id)
  if (!inFlight) return
  const refusal = isRefusal(outcome) || outcome.call.start ? outcome : (standIns?.stub(outcome.call, outcome.tool.effect) ?? outcome)
  if (isRefusal(refusal)) {
    calls.delete(id)
    return refused(work, id, refusal)
  }
  inFlight.job = refusal
  inFlight.stage = 'ready'
}

/** Records what ends a call that is no longer in flight. The run may have ended meanwhile: then the call has its result already. */
function refused(work: CallWork, id: string, refusal: Refusal): void {
  const { run } = work.outbox.frame
  const call = run && run.stop === undefined && !isOver(run) ? callOf(run, id) : undefined
  if (call && call.state !== 'settled') settle(work, call, refusal)
}

/** Records what ends a call, or asks about it. A fork answers what its parent's record has an answer to. */
function settle({ outbox, standIns }: CallWork, call: Call, refusal: Refusal): void {
  if (!standIns) return outbox.put(refusal, 'intended')
  const drafts = standIns.withAnswers(refusal, call)
  outbox.put(drafts, 'intended', (durable) => {
    if (!durable) standIns.putBack(drafts)
  })
}

/** Stages 5 and 6, when the scheduler admits the call. */
function schedule(work: CallWork, inFlight: CallInFlight, job: CallJob): void {
  const { schedule: wanted } = job.tool.definition
  const admission = { priority: wanted?.priority ?? 0, lock: typeof wanted?.lock === 'function' ? job.lock : wanted?.lock }
  inFlight.stage = 'queued'
  const leave = (): void => {
    work.scheduler.leave(admission)
    drop(work, job.call.id, inFlight)
  }
  const run = (): void => {
    inFlight.stage = 'running'
    runCall(work, job, leave)
  }
  const giveUp = work.scheduler.enter(admission, () => {
    if (!job.isConditional) return run()
    admit(work, job, { inFlight, run, leave, refuse: (refusal) => refused(work, job.call.id, refusal) })
  })
  if (!giveUp) return
  inFlight.leaveQueue = () => {
    giveUp()
    drop(work, job.call.id, inFlight)
  }
}

/** Drops a call that is no longer in flight, unless it was woken and is in flight anew. */
function drop({ calls, settled }: CallWork, id: string, inFlight: CallInFlight): void {
  if (calls.get(id) !== inFlight) return
  calls.delete(id)
  settled()
}
