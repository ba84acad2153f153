/**
 * tt: the tail-recursive step. Decide, perform, append, evolve, and again.
 *
 * The tail call is a trampoline: constant stack and constant cost per turn. Nothing here chooses what happens next; nothing here knows recovery.
 *
 * STEP-1. An intent is durable before its effect; a result is durable before anybody is notified.
 * STEP-2. Whatever `decide` settles without waiting goes into one batch: the outbox is flushed when there is nothing to do but wait.
 * STEP-3. One append of a thread is under way at a time: a run may not outrun its store.
 */
import { decide } from './decide.ts'
import type { Effect, Until } from './effect.ts'
import { LoomError } from './errors.ts'
import type { Draft, Epoch, LoomEvent, Seq } from './event.ts'
import { evolve } from './evolve.ts'
import { type Frame, isOver } from './frame.ts'
import type { AppendResult, Journal } from './journal.ts'
import type { Clock, Outbox, Performer } from './ports.ts'
import { place } from './record.ts'
import { summarize } from './summary.ts'

/** What a driver needs of the world. */
export interface Shell {
  readonly journal: Journal
  readonly clock: Clock
  /** Makes the performer of this driver: what it did and is about to do goes into the outbox. */
  readonly performer: (outbox: Outbox) => Performer
  readonly epoch: Epoch
  /** What taking the thread puts into the outbox first. */
  readonly opening: readonly Draft[]
  /** Called with every batch of this thread once it is durable, by any writer. */
  readonly committed: (events: readonly LoomEvent[], frame: Frame) => void
  /** For tests: replaces the live frame after each commit by one folded from the journal. */
  readonly refold?: ((frame: Frame) => Promise<Frame>) | undefined
}

/** Whether events in the outbox are kept when a contributor was faster, and what is called once that is known. */
type Delivery = { readonly happened: boolean; readonly notify: ((durable: boolean) => void) | undefined }
type Pending = Delivery & { readonly event: LoomEvent }

/** A driver at work: the durable frame, and the frame with what is in the outbox. */
interface Driver {
  readonly shell: Shell
  durable: Frame
  frame: Frame
  pending: Pending[]
  batches: number
  appending: boolean
  /** The newest seq that the journal hinted at. */
  hinted: number
  fenced: boolean
  /** The driver has released the thread. */
  left: boolean
  failure: { readonly error: unknown } | undefined
  /** The driver waits for the outbox to be durable, and for nothing else. */
  awaited: boolean
  woken: boolean
  resume: (() => void) | undefined
}

/** Drives a thread until only others can move it on; returns the frame it left. A fenced driver stops at once. */
export async function tt(start: Frame, shell: Shell): Promise<Frame> {
  const flags = { appending: false, fenced: false, left: false, awaited: false, woken: false, failure: undefined, resume: undefined }
  const driver: Driver = { shell, durable: start, frame: start, pending: [], batches: 0, hinted: 0, ...flags }
  const performer = shell.performer(createOutbox(driver))
  put(driver, shell.opening, { happened: true, notify: undefined })
  const unwatch = shell.journal.watch(start.thread, (seq) => {
    driver.hinted = Math.max(driver.hinted, seq)
    wake(driver)
  })
  try {
    while (!driver.fenced) {
      if (driver.failure) throw driver.failure.error
      driver.woken = false
      const next = advance(driver, performer, decide(driver.frame))
      if (next === 'again') continue
      driver.awaited = next === 'done' || next === 'commit'
      if (next === 'done' && (await isQuiet(driver, performer))) break
      const change = pause(driver, typeof next === 'string' ? undefined : next.until)
      if (change) await change
    }
    return driver.durable
  } finally {
    driver.left = true
    for (const { notify } of driver.pending.splice(0)) notify?.(false)
    unwatch()
    performer.abort('the driver has released the thread')
  }
}

function createOutbox(driver: Driver): Outbox {
  const add = (drafts: readonly Draft[], delivery: Delivery): void => {
    if (driver.fenced || driver.failure || driver.left) return delivery.notify?.(false)
    put(driver, drafts, delivery)
    wake(driver)
  }
  return {
    get frame() {
      return driver.frame
    },
    append: (drafts, how) => new Promise((notify) => add(drafts, { happened: how === 'happened', notify })),
    put: (drafts, how, notify) => add(drafts, { happened: how === 'happened', notify }),
    wake: () => wake(driver),
    fail: (error) => wake(Object.assign(driver, { failure: driver.failure ?? { error } })),
    isClosed: () => driver.fenced || driver.failure !== undefined || driver.left,
  }
}

type Next = 'again' | 'commit' | 'done' | { readonly until: Until | undefined }
const waiting: Next = { until: undefined }

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
      return waiting
    default: {
      // A run begins in a batch of its own, so that a caller who waits for the one before sees how it ended.
      const begins = effect.kind === 'record' && effect.events[0]?.type === 'run.started'
      if (begins && (driver.pending.length > 0 || driver.appending)) return 'commit'
      const progress = performer.perform(effect)
      if (progress === 'begun') return 'again'
      if (progress === 'busy') return waiting
      if (effect.kind === 'call-tools') return stay(driver, effect.otherwise)
      return effect.kind === 'record' ? record(driver, effect.events) : waiting
    }
  }
}

function stay(driver: Driver, effect: Extract<Effect, { kind: 'wait' | 'suspend' }>): Next {
  const { until } = effect
  if (until && until.at <= driver.shell.clock.now()) return record(driver, [until.due])
  if (effect.kind === 'wait') return { until }
  if (driver.frame.run?.status === 'suspended') return 'done'
  return record(driver, [{ type: 'run.suspended', data: { reason: effect.reason, ...(until && { until: until.at }) } }])
}

function record(driver: Driver, drafts: readonly Draft[]): Next {
  put(driver, drafts, { happened: false, notify: undefined })
  return 'again'
}

/** Puts events into the outbox and folds them: from here on `decide` sees them, and nobody else. */
function put(driver: Driver, drafts: readonly Draft[], { happened, notify }: Delivery): void {
  const { frame } = driver
  const time = driver.pending[0]?.event.time ?? driver.shell.clock.now()
  const events = place({ thread: frame.thread, seq: frame.seq + 1, time, run: frame.run?.id, turn: frame.turn }, drafts)
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index] as LoomEvent
    driver.frame = evolve(driver.frame, event)
    driver.pending.push({ event, happened, notify: index === events.length - 1 ? notify : undefined })
  }
}

function wake(driver: Driver): void {
  driver.woken = true
  driver.resume?.()
}

/** Whether the thread can be released: nothing in the outbox, nothing in flight, nothing new from contributors. */
async function isQuiet(driver: Driver, performer: Performer): Promise<boolean> {
  const isStill = (): boolean => driver.pending.length === 0 && !driver.appending && driver.hinted <= driver.durable.seq
  if (!isStill()) return false
  if (driver.frame.run && isOver(driver.frame.run)) performer.abort('the run is over')
  // What is in flight may still add to the outbox: the first of the two decides.
  await Promise.race([performer.idle(), new Promise<void>((resolve) => (driver.resume = resolve))])
  driver.resume = undefined
  return isStill()
}

/** Flushes the outbox, folds what contributors wrote, or waits until something changes; undefined when something has changed already. */
function pause(driver: Driver, until: Until | undefined): Promise<void> | undefined {
  if (!driver.appending && driver.hinted > driver.durable.seq) return catchUp(driver, [], driver.hinted)
  if (!driver.appending && driver.pending.length > 0) flush(driver)
  if (driver.woken) return undefined
  const cancel = until && driver.shell.clock.at(until.at, () => wake(driver))
  return new Promise((resolve) => {
    driver.resume = () => {
      driver.resume = undefined
      cancel?.()
      resolve()
    }
  })
}

/** A batch on its way to the journal, and the frame it makes. */
interface Commit {
  readonly batch: readonly Pending[]
  readonly events: readonly LoomEvent[]
  readonly frame: Frame
}

/** Appends everything in the outbox as one batch. A failing journal ends the driver. */
function flush(driver: Driver): void {
  const { durable, frame, shell, pending: batch } = driver
  const commit: Commit = { batch, events: batch.map(({ event }) => event), frame }
  driver.pending = []
  driver.appending = true
  driver.batches += 1
  const start = { expected: durable.seq, run: durable.run?.id, turn: durable.turn, time: commit.events[0]?.time ?? 0 }
  const { thread, incarnation } = frame
  const id = `${shell.epoch}.${driver.batches}`
  const fail = (error: unknown): void => flushed(driver, commit, { error })
  try {
    const appending = shell.journal.append(thread, {
      id,
      incarnation,
      ...start,
      epoch: shell.epoch,
      events: commit.events,
      summary: summarize(frame),
    })
    void appending.then((result) => {
      try {
        const more = take(driver, commit, result)
        if (more) void more.then(() => flushed(driver, commit), fail)
        else flushed(driver, commit)
      } catch (error) {
        fail(error)
      }
    }, fail)
  } catch (error) {
    fail(error)
  }
}

/** Takes the result of an append in; a promise where that needs more than the result. */
function take(driver: Driver, commit: Commit, result: AppendResult): Promise<void> | undefined {
  const { refold } = driver.shell
  if (result.kind === 'conflict') return catchUp(driver, commit.batch, result.seq)
  if (result.kind === 'fenced') driver.fenced = true
  else if (refold) return refold(commit.frame).then((refolded) => committed(driver, commit, refolded))
  else committed(driver, commit, commit.frame)
  return undefined
}

function committed(driver: Driver, { batch, events }: Commit, durable: Frame): void {
  driver.durable = durable
  driver.shell.committed(events, durable)
  for (const { notify } of batch) notify?.(true)
}

function flushed(driver: Driver, { batch, frame }: Commit, failure?: { readonly error: unknown }): void {
  driver.failure ??= failure
  if (driver.fenced || driver.failure) for (const { notify } of [...batch, ...driver.pending.splice(0)]) notify?.(false)
  driver.appending = false
  // What `decide` returns has changed only if the frame has; a quiet commit wakes only a driver that is about to release the thread.
  const news = driver.frame !== frame || driver.hinted > driver.durable.seq
  if (news || driver.awaited || driver.fenced || driver.failure) wake(driver)
}

/** Folds what contributors wrote, up to the head; puts back what has happened and drops what was only intended. */
async function catchUp(driver: Driver, batch: readonly Pending[], head: Seq): Promise<void> {
  const { shell, durable } = driver
  const { thread } = durable
  // What the driver has seen stored is not there any more.
  if (head < durable.seq) throw new LoomError('LOOM_THREAD_NOT_FOUND', `The thread ${thread} was removed.`)
  const events: LoomEvent[] = []
  for (let seq = durable.seq; seq < head; seq = durable.seq + events.length) {
    const page = await shell.journal.read(thread, { from: seq + 1 })
    if (page.length === 0) break
    for (const event of page) events.push(event)
  }
  driver.durable = events.reduce(evolve, durable)
  driver.frame = driver.durable
  shell.committed(events, driver.durable)
  for (const { event, happened, notify } of [...batch, ...driver.pending.splice(0)]) {
    if (happened) put(driver, [event], { happened, notify })
    else notify?.(false)
  }
}
