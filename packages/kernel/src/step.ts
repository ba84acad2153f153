/**
 * tt: the tail-recursive step. Decide, perform, append, evolve, and again.
 *
 * The tail call is a trampoline: constant stack and constant cost per turn. Nothing here chooses what happens next, and nothing here is specific to recovery.
 *
 * STEP-1. An intent is durable before its effect; a result is durable before any listener is notified.
 * STEP-2. Everything that `decide` settles without waiting goes into one batch: the outbox is flushed when there is nothing to do but wait.
 * STEP-3. One append of a thread is under way at a time: a run may not outrun its store.
 * STEP-4. A driver that reads that a later one has acquired the thread stops at once, whether or not it has anything to append.
 * STEP-5. What is only intended is for the frame that `decide` was asked about last: it is dropped where contributors wrote since, and where the run is over,
 *     paused or asked to stop. What a hook of a parallel call asks beside an open question is asked.
 */
import { catchUp, flush } from './commit.ts'
import { decide } from './decide.ts'
import { createOutbox, type Driver, put, type Shell, setTimer, wake } from './driver.ts'
import type { Effect } from './effect.ts'
import type { Draft } from './event.ts'
import { type Frame, isOver } from './frame.ts'
import type { Performer } from './ports.ts'
import { nextPlace } from './record.ts'
import { endOfTime, timeUsed } from './wake.ts'

const tick = Promise.resolve()
const never = Number.POSITIVE_INFINITY

/** Whether nothing may begin: the run is over, paused or asked to stop. */
const isHeld = ({ run }: Frame): boolean => !run || run.pause || run.stop !== undefined || isOver(run)

/** Drives a thread until only a human, a time, a child or a new input can move it on; returns the last durable frame. A fenced driver stops at once. */
export async function tt(start: Frame, shell: Shell): Promise<Frame> {
  const flags = { appending: false, outdated: false, fenced: false, released: false, awaited: false, woken: false }
  const absent = { failure: undefined, resume: undefined, until: never, timer: undefined }
  const place = nextPlace(start, 0)
  const driver: Driver = { shell, durable: start, frame: start, pending: [], place, batches: 0, hinted: 0, ...flags, ...absent }
  const performer = shell.performer(createOutbox(driver))
  put(driver, shell.opening, { happened: true, notify: undefined })
  const unwatch = shell.journal.watch(start.thread, (seq) => {
    driver.hinted = Math.max(driver.hinted, seq)
    // A hint at the driver's own append is no news, and any other is noticed when that append has ended.
    if (!driver.appending && driver.hinted > driver.durable.seq) wake(driver)
  })
  try {
    while (!driver.fenced) {
      if (driver.failure) throw driver.failure.error
      driver.woken = false
      driver.until = never
      driver.outdated = false
      const effect = decide(driver.frame)
      const next = shell.leaves?.(effect, driver.frame) ? 'done' : advance(driver, performer, effect)
      if (next === 'again') continue
      driver.outdated = next === 'done' && isHeld(driver.frame)
      driver.awaited = next === 'done' || next === 'commit'
      if (next === 'done' && (await isQuiet(driver, performer))) break
      const change = pause(driver)
      if (!change) continue
      await change
      // What becomes ready in the same tick arrives before the next decision, and shares its commit.
      await tick
    }
    // A driver that was fenced from outside learns the outcome of its last append before the lease is released.
    while (driver.appending) await new Promise<void>((resolve) => (driver.resume = resolve))
    return driver.durable
  } finally {
    driver.released = true
    setTimer(driver, never)
    for (const { notify } of driver.pending.splice(0)) notify?.(false)
    unwatch()
    performer.abort('the driver has released the thread')
  }
}

type Next = 'again' | 'commit' | 'done' | 'wait'

/** Takes one effect as far as it goes without waiting. */
function advance(driver: Driver, performer: Performer, effect: Effect): Next {
  switch (effect.kind) {
    case 'rest':
      return 'done'
    case 'wait':
    case 'suspend':
      return stay(driver, effect)
    case 'abort':
      performer.abort(effect.reason)
      return 'wait'
    default: {
      // A run starts in a batch of its own, so that a caller that waits for the run before sees how it ended.
      const startsRun = effect.kind === 'record' && effect.events[0]?.type === 'run.started'
      if (startsRun && (driver.pending.length > 0 || driver.appending)) return 'commit'
      const progress = performer.perform(effect)
      if (progress === 'begun') return 'again'
      if (progress === 'busy') return stay(driver, { kind: 'wait' })
      if (effect.kind === 'call-tools') return stay(driver, effect.otherwise)
      return effect.kind === 'record' ? record(driver, effect.events) : 'wait'
    }
  }
}

function stay(driver: Driver, effect: Extract<Effect, { kind: 'wait' | 'suspend' }>): Next {
  const { until } = effect
  const end = effect.kind === 'wait' ? endOfTime(driver.frame) : never
  const at = Math.min(until?.at ?? never, end)
  if (at !== never && at <= driver.shell.clock.now()) return record(driver, [until && until.at <= end ? until.due : timeUsed(driver.frame)])
  if (effect.kind === 'wait') {
    driver.until = at
    return 'wait'
  }
  if (driver.frame.run?.status === 'suspended') return 'done'
  return record(driver, [{ type: 'run.suspended', data: { reason: effect.reason, ...(until && { until: until.at }) } }])
}

function record(driver: Driver, drafts: readonly Draft[]): Next {
  put(driver, drafts, { happened: false, notify: undefined })
  return 'again'
}

/** Whether the thread can be released: nothing in the outbox, nothing in flight, nothing new from contributors. */
async function isQuiet(driver: Driver, performer: Performer): Promise<boolean> {
  const isStill = (): boolean => driver.pending.length === 0 && !driver.appending && driver.hinted <= driver.durable.seq
  if (!isStill()) return false
  if (driver.frame.run && isOver(driver.frame.run)) performer.abort('the run is over')
  // What is in flight may still add to the outbox. Another wake-up, such as a late hint, makes the driver decide again, and so does the end, unless
  // the driver is back here by then: it would wake itself for ever.
  const idle = performer.idle().then(() => true)
  const isIdle = await Promise.race([idle, new Promise<boolean>((resolve) => (driver.resume = () => resolve(false)))])
  driver.resume = undefined
  if (!isIdle) void idle.then(() => driver.awaited || wake(driver))
  return isIdle && isStill() && !driver.failure
}

/** Flushes the outbox, folds what contributors wrote, or waits until something changes; undefined when something has changed already. */
function pause(driver: Driver): Promise<void> | undefined {
  if (!driver.appending && driver.hinted > driver.durable.seq) return catchUp(driver, [], driver.hinted)
  if (!driver.appending && driver.pending.length > 0) flush(driver)
  if (driver.woken) return undefined
  setTimer(driver, driver.until)
  return new Promise((resolve) => {
    driver.resume = resolve
  })
}
