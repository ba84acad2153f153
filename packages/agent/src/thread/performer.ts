/** The performer: the only impure part of driving a thread. It performs what `decide` returns, and nothing else. */
import { type Draft, type Effect, type Frame, isLoomError, isOver, items, LoomError, type Performer, type Run } from '@loom-agent/kernel'
import { attemptModel } from '../attempt/attempt-model.ts'
import { prepareBudget } from '../attempt/budgeting.ts'
import { prepareMarks } from '../attempt/marking.ts'
import { isBusy, performCalls } from '../call/runner.ts'
import { assemble } from '../context/assemble.ts'
import { type HookPoint, pointsBefore } from '../hook/points.ts'
import { abort, type Cancellation, createCancellation, signalOf, startGracePeriod, waitFor } from '../platform/cancellation.ts'
import { failureOf } from '../platform/failure-of.ts'
import { messageOf } from '../platform/normalize.ts'
import { keepThrown, logThrown } from '../platform/thrown.ts'
import { sleepUntil } from '../resilience/sleep.ts'
import { stopBefore } from './breakpoint.ts'
import type { HookPoints } from './hook-points.ts'
import { abortAll, isIdle, namesOf } from './in-flight.ts'
import { type SuppliedDriver, settled, supplyRun, type ThreadDriver } from './thread-driver.ts'
import { loadedWords, loadWords } from './words-on-use.ts'

type Progress = ReturnType<Performer['perform']>

/** The performer of one driver. */
export function createPerformer(driver: ThreadDriver): Performer {
  return {
    perform(effect) {
      const progress = perform(driver, effect)
      if (progress === 'busy') driver.isAwaited = true
      return progress
    },
    abort(reason) {
      driver.isAborted = true
      interrupt(driver, reason)
      driver.guard.close()
      driver.deadlines.close()
      for (const resolve of driver.onIdle.splice(0)) resolve()
    },
    idle: () => idle(driver),
  }
}

/** Resolves when nothing is in flight, or when what was aborted has had its grace period: a hook that hangs must not keep the thread leased. */
function idle(driver: ThreadDriver): Promise<void> {
  const { inFlight, definition, isAborted, onIdle, children } = driver
  const childrenIdle = async (): Promise<void> => (driver.isAborted ? undefined : children.idle())
  if (isIdle(inFlight)) return childrenIdle()
  // An attempt that has not started is not waited for: the next driver of the thread knows its time.
  if (inFlight.isSleeping && inFlight.model) abort(inFlight.model)
  const { ports, behaviour } = definition
  return new Promise((resolve) => {
    const cancel = isAborted ? ports.clock.at(ports.clock.now() + behaviour.grace, resolve) : undefined
    onIdle.push(() => {
      cancel?.()
      resolve(childrenIdle())
    })
  })
}

function perform(driver: ThreadDriver, effect: Effect): Progress {
  const { frame } = driver.outbox
  const { run } = frame
  if (run?.stop && !passOnStop(driver, run, run.stop.reason)) return 'busy'
  if (!run) return 'settled'
  const stop = frame.breakpoints.length > 0 && isIdle(driver.inFlight) ? stopBefore(frame, run, effect) : undefined
  if (stop) {
    driver.outbox.put([stop], 'intended')
    return 'begun'
  }
  if (effect.kind === 'ask' || effect.kind === 'stop') return performInWords(driver, run, effect)
  const points = pointsBefore(effect, frame, run)
  if (effect.kind === 'record') {
    const progress = performRecord(driver, run, points)
    return progress === 'settled' && hasUnguarded(driver, effect) ? guardWaiting(driver) : progress
  }
  if (!isSupplied(driver, run) || !passPoints(driver, points)) return 'busy'
  switch (effect.kind) {
    case 'assemble':
      return performAssembly(driver)
    case 'call-model':
      return performModel(driver, effect)
    case 'call-tools':
      return performCalls(driver, effect)
    default:
      return 'settled'
  }
}

/** Whether a turn is to be entered with messages that the guards of this driver have not looked at (GUARD-7). */
function hasUnguarded({ definition, outbox: { frame }, guardedTo }: ThreadDriver, { events: [first] }: Extract<Effect, { kind: 'record' }>): boolean {
  return definition.guards.length > 0 && first?.type === 'turn.entered' && frame.steering.some(({ seq }) => seq > guardedTo)
}

/** Lets the guards look at messages that wait. */
function guardWaiting(driver: ThreadDriver): Progress {
  const work = async (): Promise<void> => (await import('./guard-steering.ts')).guardSteering(driver)
  return driver.inFlight.step ? 'busy' : runStep(driver, { name: 'guards', work })
}

/** Asks about the run, or stops it. While the words are loaded nothing is put: `perform` is called again when they are there. */
function performInWords(driver: ThreadDriver, run: Run, effect: Extract<Effect, { kind: 'ask' | 'stop' }>): Progress {
  const { outbox } = driver
  const progress = effect.kind === 'stop' ? performRecord(driver, run, pointsBefore(effect, outbox.frame, run)) : 'settled'
  if (progress !== 'settled') return progress
  const words = loadedWords()
  if (!words) return runStep(driver, { name: 'words', work: async () => void (await loadWords()) })
  outbox.put(
    [effect.kind === 'ask' ? words.questionAbout(outbox.frame, effect.about) : words.stopFor(outbox.frame, effect.cause, driver.interrupted)],
    'intended',
  )
  return 'begun'
}

/** Aborts what is in flight, and notes what that is when the time of the run is used up. */
function interrupt(driver: ThreadDriver, reason: string): void {
  const { inFlight, outbox } = driver
  const { run } = outbox.frame
  if (run?.stop?.kind === 'limit' && driver.interrupted.length === 0) driver.interrupted = namesOf(inFlight, run)
  abortAll(inFlight, reason)
}

/** Passes a stop on: to what is in flight, and to children that wait. False until they have stopped. */
function passOnStop(driver: ThreadDriver, run: Run, reason: string): boolean {
  if (driver.stopping === run.id) return driver.haveChildrenStopped
  const { outbox, children, inFlight } = driver
  driver.stopping = run.id
  interrupt(driver, reason)
  const stops = [...items(run.calls)].flatMap(({ id: call, open }) => {
    const isInFlight = inFlight.calls.get(call)?.stage === 'running'
    return open.flatMap(({ key, child }) =>
      child === undefined ? [] : () => children.stop(child, reason, isInFlight ? undefined : { outbox, call, key }),
    )
  })
  driver.haveChildrenStopped = stops.length === 0
  if (stops.length > 0) {
    void Promise.all(stops.map((stop) => stop()))
      .then(() => {
        driver.haveChildrenStopped = true
      })
      .catch((error: unknown) => outbox.fail(error))
      .finally(() => outbox.wake())
  }
  return driver.haveChildrenStopped
}

/** Before a fact that ends something: nothing may be in flight, and the hooks of the points before it were called. */
function performRecord(driver: ThreadDriver, run: Run, points: readonly HookPoint[]): Progress {
  if (points.length === 0) return 'settled'
  if (isBusy(driver.calls)) return 'busy'
  if (!isHooked(driver, points)) return 'settled'
  if (!isSupplied(driver, run) && driver.unsupplied !== run.id) return 'busy'
  return passPoints(driver, points) ? 'settled' : 'busy'
}

/** Whether code has supplied the run; asks for it otherwise. */
function isSupplied(driver: ThreadDriver, run: Run): driver is SuppliedDriver {
  if (driver.context?.run !== run.id && driver.unsupplied !== run.id) supply(driver, run)
  return driver.context?.run === run.id
}

function supply(driver: ThreadDriver, run: Run): void {
  try {
    const supplied = driver.inFlight.step ? undefined : supplyRun(driver, driver.outbox.frame, run)
    if (supplied && !(supplied instanceof Promise)) driver.context = supplied
    else {
      const adopt = async (): Promise<void> => {
        if (supplied) driver.context = await supplied
      }
      runStep(driver, { name: 'resolve', work: adopt })
    }
  } catch (error) {
    runStep(driver, { name: 'resolve', work: () => Promise.reject(error) })
  }
}

interface Step {
  readonly name: string
  readonly cancellation?: Cancellation
  readonly work: (cancellation: Cancellation) => Promise<void>
}

/** Runs something that takes time as the one step in flight; a failure is a resumable end of the run, unless the run is stopped anyway. */
function runStep(driver: ThreadDriver, { name, cancellation = cancellationFor(driver), work }: Step): 'busy' {
  const { inFlight, outbox } = driver
  if (inFlight.step) {
    if (inFlight.step.name !== name) abort(inFlight.step.cancellation)
    return 'busy'
  }
  const isStopped = (): boolean => outbox.frame.run?.stop !== undefined
  inFlight.step = { name, cancellation }
  if (isStopped()) startGracePeriod(cancellation)
  const onError = (error: unknown): void => {
    const { run } = outbox.frame
    // A run that is to stop stops, whatever else goes wrong; one that has ended has ended.
    if (!run || isOver(run)) return
    if (isStopped()) driver.unsupplied = name === 'resolve' ? run.id : driver.unsupplied
    else if (isOfProcess(error, outbox.frame)) outbox.fail(error)
    else if (!cancellation.isAborted) outbox.put([failed(driver, error)], 'intended')
  }
  void waitFor(cancellation, work(cancellation))
    .catch(onError)
    // A failure that cannot be recorded ends this driver: `decide` would return the same effect for ever.
    .catch((error: unknown) => outbox.fail(error))
    .finally(() => {
      inFlight.step = undefined
      settled(driver)
    })
  return 'busy'
}

/** Whether another process may have what this one cannot supply, dependencies or the model of a fork: this driver ends, and the run is left as it is. */
function isOfProcess(error: unknown, { fork }: Frame): boolean {
  if (!isLoomError(error)) return false
  return error.code === 'LOOM_DEPS_MISSING' || (error.code === 'LOOM_MODEL_UNRESOLVED' && fork?.model !== undefined)
}

const cancellationFor = ({ definition: { ports, behaviour } }: ThreadDriver): Cancellation => createCancellation(ports.clock, behaviour.grace)

/** Whether the agent has hooks at one of the points. */
function isHooked({ definition }: ThreadDriver, points: readonly HookPoint[]): boolean {
  for (const point of points) if (definition.hooks[point]) return true
  return false
}

/** Passes the points before an effect; true when none is left. A point without hooks costs one lookup. */
function passPoints(driver: ThreadDriver, points: readonly HookPoint[]): boolean {
  return driver.hookPoints === undefined || passHooked(driver, driver.hookPoints, points)
}

function passHooked(driver: ThreadDriver, hookPoints: HookPoints, points: readonly HookPoint[]): boolean {
  const { definition } = driver
  for (const point of points) if (definition.hooks[point] && !hookPoints.pass(driver, point, (step) => runStep(driver, step))) return false
  return true
}

function performAssembly(driver: SuppliedDriver): Progress {
  const { inFlight, outbox } = driver
  if (inFlight.step) return 'busy'
  const cancellation = cancellationFor(driver)
  const drafts = assembleSafely(driver, cancellation)
  if (!(drafts instanceof Promise)) {
    outbox.put(drafts, 'intended')
    return 'begun'
  }
  const work = async (): Promise<void> => {
    const assembled = await drafts
    if (!cancellation.isAborted) await outbox.append(assembled, 'intended')
  }
  return runStep(driver, { name: 'assemble', cancellation, work })
}

/** A strategy that throws at once has failed like one that rejects. */
function assembleSafely({ definition, context, assembly, outbox }: SuppliedDriver, cancellation: Cancellation): ReturnType<typeof assemble> {
  try {
    return assemble(definition.context, { source: context, assembly, frame: outbox.frame, cancellation, knowledge: definition })
  } catch (error) {
    return Promise.reject(error)
  }
}

function performModel(driver: SuppliedDriver, { notBefore, attempt: number }: Extract<Effect, { kind: 'call-model' }>): Progress {
  const { inFlight } = driver
  if (inFlight.model) return 'busy'
  const loading = prepareBudget(driver.definition, driver.outbox.frame.run as Run) ?? prepareMarks(driver.context.model)
  if (loading) return runStep(driver, { name: 'budget', work: async () => void (await loading) })
  const cancellation = cancellationFor(driver)
  inFlight.model = cancellation
  if (notBefore === undefined) {
    attempt(driver, number, cancellation)
    return 'begun'
  }
  inFlight.isSleeping = true
  const wake = (): void => {
    inFlight.isSleeping = false
    const { run } = driver.outbox.frame
    // The run may have been paused meanwhile, and its suspension may still be on its way.
    if (!cancellation.isAborted && run?.status === 'active' && !run.pause) attempt(driver, number, cancellation)
    else driver.attemptEnded()
  }
  void sleepUntil(notBefore, { clock: driver.definition.ports.clock, signal: signalOf(cancellation) }).then(wake, wake)
  return 'busy'
}

function attempt(driver: SuppliedDriver, number: number, cancellation: Cancellation): void {
  try {
    attemptModel(driver, { number, cancellation })
  } catch (error) {
    driver.outbox.put([failed(driver, error)], 'intended')
    driver.attemptEnded()
  }
}

function failed({ definition, outbox }: ThreadDriver, error: unknown): Draft {
  const known = isLoomError(error)
    ? error
    : new LoomError('LOOM_RUN_FAILED', `The run failed: ${messageOf(error)}`, { cause: error, context: { reason: messageOf(error) } })
  const failure = failureOf(known)
  keepThrown(failure, known)
  logThrown(definition.ports, `The run ${outbox.frame.run?.id} of the thread ${outbox.frame.thread} failed:`, known)
  return { type: 'run.failed', data: { error: failure } }
}
