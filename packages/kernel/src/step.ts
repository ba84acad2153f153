/**
 * tt: the tail-recursive step. Decide, perform, append, evolve, and again.
 *
 * The tail call is a trampoline: constant stack and constant cost per turn. Nothing here chooses what happens next; nothing here knows recovery.
 *
 * STEP-1. An intent is durable before its effect; a result is durable before anybody is told.
 * STEP-2. Whatever `decide` settles without waiting goes into one batch: the desk is flushed when there is nothing to do but wait.
 * STEP-3. One append of a thread is under way at a time: a run may not outrun its store.
 */
import { decide } from './decide.ts'
import type { Effect, Until } from './effect.ts'
import { LoomError } from './errors.ts'
import type { Draft, Epoch, LoomEvent, Seq } from './event.ts'
import { evolve } from './evolve.ts'
import { type Frame, isOver } from './frame.ts'
import { type Journal, readEvents } from './journal.ts'
import type { Clock, Desk, Performer } from './ports.ts'
import { place } from './record.ts'
import { summarize } from './summary.ts'

/** What a driver needs of the world. */
export interface Shell {
  readonly journal: Journal
  readonly clock: Clock
  readonly performer: Performer
  readonly epoch: Epoch
  /** What taking the thread puts on the desk first. */
  readonly opening: readonly Draft[]
  /** Told of every batch of this thread once it is durable, whoever wrote it. */
  readonly committed: (events: readonly LoomEvent[], frame: Frame) => void
  /** For tests: replaces the live frame after each commit by one folded from the journal. */
  readonly refold?: ((frame: Frame) => Promise<Frame>) | undefined
}

/** What becomes of events on the desk when a visitor was faster, and who is told of their fate. */
type Fate = { readonly happened: boolean; readonly told: ((durable: boolean) => void) | undefined }
type Pending = Fate & { readonly event: LoomEvent }

/** A driver at work: the durable frame, and the frame that what lies on the desk makes of it. */
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
  /** The driver has let go of the thread. */
  left: boolean
  failure: { readonly error: unknown } | undefined
  /** Somebody waits for the desk to be durable, and for nothing else. */
  awaited: boolean
  rung: boolean
  wake: (() => void) | undefined
}

/** Drives a thread until only others can move it on; answers the frame it left. A fenced driver stops at once. */
export async function tt(start: Frame, shell: Shell): Promise<Frame> {
  const flags = { appending: false, fenced: false, left: false, awaited: false, rung: false, failure: undefined, wake: undefined }
  const driver: Driver = { shell, durable: start, frame: start, pending: [], batches: 0, hinted: 0, ...flags }
  const desk = createDesk(driver)
  put(driver, shell.opening, { happened: true, told: undefined })
  const unwatch = shell.journal.watch(start.thread, (seq) => {
    driver.hinted = Math.max(driver.hinted, seq)
    ring(driver)
  })
  try {
    while (!driver.fenced) {
      if (driver.failure) throw driver.failure.error
      driver.rung = false
      const next = advance(driver, desk, decide(driver.frame))
      if (next === 'again') continue
      driver.awaited = next === 'done' || next === 'commit'
      if (next === 'done' && (await isQuiet(driver))) break
      await pause(driver, typeof next === 'string' ? undefined : next.until)
    }
    return driver.durable
  } finally {
    driver.left = true
    for (const { told } of driver.pending.splice(0)) told?.(false)
    unwatch()
    shell.performer.abort('the driver has let go of the thread')
  }
}

function createDesk(driver: Driver): Desk {
  const lay = (drafts: readonly Draft[], fate: Fate): void => {
    if (driver.fenced || driver.failure || driver.left) return fate.told?.(false)
    put(driver, drafts, fate)
    ring(driver)
  }
  return {
    get frame() {
      return driver.frame
    },
    append: (drafts, how) => new Promise((told) => lay(drafts, { happened: how === 'happened', told })),
    put: (drafts, how) => lay(drafts, { happened: how === 'happened', told: undefined }),
    ring: () => ring(driver),
    fail: (error) => ring(Object.assign(driver, { failure: driver.failure ?? { error } })),
    isClosed: () => driver.fenced || driver.failure !== undefined || driver.left,
  }
}

type Next = 'again' | 'commit' | 'done' | { readonly until: Until | undefined }
const waiting: Next = { until: undefined }

/** Takes one effect as far as it goes without waiting. */
function advance(driver: Driver, desk: Desk, effect: Effect): Next {
  const { performer } = driver.shell
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
      // A run begins in a batch of its own, so that whoever waits for the one before sees how it ended.
      const begins = effect.kind === 'record' && effect.events[0]?.type === 'run.started'
      if (begins && (driver.pending.length > 0 || driver.appending)) return 'commit'
      const progress = performer.perform(effect, desk)
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
  put(driver, drafts, { happened: false, told: undefined })
  return 'again'
}

/** Lays events on the desk and folds them: from here on `decide` sees them, and nobody else. */
function put(driver: Driver, drafts: readonly Draft[], { happened, told }: Fate): void {
  const { frame } = driver
  const time = driver.pending[0]?.event.time ?? driver.shell.clock.now()
  const events = place({ thread: frame.thread, seq: frame.seq + 1, time, run: frame.run?.id, turn: frame.turn }, drafts)
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index] as LoomEvent
    driver.frame = evolve(driver.frame, event)
    driver.pending.push({ event, happened, told: index === events.length - 1 ? told : undefined })
  }
}

function ring(driver: Driver): void {
  driver.rung = true
  driver.wake?.()
}

/** Whether the thread is left as it is: nothing on the desk, nothing in hand, no news from visitors. */
async function isQuiet(driver: Driver): Promise<boolean> {
  const isStill = (): boolean => driver.pending.length === 0 && !driver.appending && driver.hinted <= driver.durable.seq
  if (!isStill()) return false
  if (driver.frame.run && isOver(driver.frame.run)) driver.shell.performer.abort('the run is over')
  // What is in hand may still have something to put on the desk: whichever comes first.
  await Promise.race([driver.shell.performer.idle(), new Promise<void>((resolve) => (driver.wake = resolve))])
  return isStill()
}

/** Flushes the desk, takes in what visitors wrote, or waits until something changes. */
async function pause(driver: Driver, until: Until | undefined): Promise<void> {
  if (!driver.appending && driver.hinted > driver.durable.seq) return catchUp(driver, [])
  if (!driver.appending && driver.pending.length > 0) void flush(driver)
  const cancel = until && driver.shell.clock.at(until.at, () => ring(driver))
  if (!driver.rung) await new Promise<void>((resolve) => (driver.wake = resolve))
  driver.wake = undefined
  cancel?.()
}

/** Appends everything on the desk as one batch. Never rejects: a failing journal ends the driver. */
async function flush(driver: Driver): Promise<void> {
  const { durable, frame, shell, pending: batch } = driver
  const events = batch.map(({ event }) => event)
  Object.assign(driver, { pending: [], appending: true, batches: driver.batches + 1 })
  try {
    const start = { expected: durable.seq, run: durable.run?.id, turn: durable.turn, time: events[0]?.time ?? 0 }
    const id = `${shell.epoch}.${driver.batches}`
    const result = await shell.journal.append(frame.thread, { id, ...start, epoch: shell.epoch, events, summary: summarize(frame) })
    if (result.kind === 'conflict') await catchUp(driver, batch, result.seq)
    else if (result.kind === 'fenced') driver.fenced = true
    else {
      driver.durable = shell.refold ? await shell.refold(frame) : frame
      shell.committed(events, driver.durable)
      for (const { told } of batch) told?.(true)
    }
  } catch (error) {
    driver.failure = { error }
  }
  if (driver.fenced || driver.failure) for (const { told } of [...batch, ...driver.pending.splice(0)]) told?.(false)
  driver.appending = false
  // What `decide` says has changed only if the frame has; a quiet commit wakes nobody but a driver about to let go.
  const news = driver.frame !== frame || driver.hinted > driver.durable.seq
  if (news || driver.awaited || driver.fenced || driver.failure) ring(driver)
}

/** Folds what visitors wrote; puts back what has happened and drops what was only intended. */
async function catchUp(driver: Driver, batch: readonly Pending[], head: Seq = Number.POSITIVE_INFINITY): Promise<void> {
  // What the driver has seen stored is not there any more.
  if (head < driver.durable.seq) throw new LoomError('LOOM_THREAD_NOT_FOUND', `The thread ${driver.frame.thread} was removed.`)
  const events: LoomEvent[] = []
  for await (const event of readEvents(driver.shell.journal, driver.frame.thread, driver.durable.seq + 1)) events.push(event)
  driver.durable = events.reduce(evolve, driver.durable)
  driver.frame = driver.durable
  driver.shell.committed(events, driver.durable)
  for (const { event, happened, told } of [...batch, ...driver.pending.splice(0)]) {
    if (happened) put(driver, [event], { happened, told })
    else told?.(false)
  }
}
