/** A driver at work: what it needs of the world, the frame it has reached, and the outbox of what is not durable yet. */
import type { Effect } from './effect.ts'
import type { Blobs, Draft, Epoch, LoomEvent } from './event.ts'
import { evolve } from './evolve.ts'
import type { Frame } from './frame.ts'
import type { Journal } from './journal.ts'
import type { Clock, Outbox, Performer } from './ports.ts'
import { type MovingPlace, moveTo, placeNext } from './record.ts'

/** What a driver needs of the world. */
export interface Shell {
  /** The journal that batches are appended to. */
  readonly journal: Journal
  /** The time of events, and timers for what is due later. */
  readonly clock: Clock
  /** Makes the performer of this driver: what it did and is about to do goes into the outbox. */
  readonly performer: (outbox: Outbox) => Performer
  /** The epoch under which the thread was acquired. */
  readonly epoch: Epoch
  /** What acquiring the thread adds to the outbox first. */
  readonly opening: readonly Draft[]
  /** Called with every batch of this thread once it is durable, by any writer. */
  readonly committed: (events: readonly LoomEvent[], frame: Frame) => void
  /** Whether this driver leaves an effect to the next one: then the thread is released as soon as nothing is in flight. */
  readonly leaves?: ((effect: Effect, frame: Frame) => boolean) | undefined
  /** For tests: replaces the live frame after each commit by one folded from the journal. */
  readonly refold?: ((frame: Frame) => Promise<Frame>) | undefined
}

/** Whether events in the outbox are kept when a contributor was faster, and what is notified once that is known. */
type Delivery = { readonly happened: boolean; readonly notify: ((durable: boolean) => void) | undefined }
export type Pending = Delivery & { readonly event: LoomEvent; readonly blobs: Blobs | undefined }

/** A driver at work: the durable frame, and the frame with what is in the outbox. */
export interface Driver {
  readonly shell: Shell
  durable: Frame
  frame: Frame
  pending: Pending[]
  /** Where the next event goes. */
  readonly place: MovingPlace
  batches: number
  appending: boolean
  /** What is only intended was meant for another frame: contributors wrote and `decide` was not asked since, or it has said that nothing is to be done. */
  outdated: boolean
  /** The newest seq that the journal hinted at. */
  hinted: number
  fenced: boolean
  released: boolean
  failure: { readonly error: unknown } | undefined
  /** The driver waits for the outbox to be durable, and for nothing else. */
  awaited: boolean
  woken: boolean
  resume: (() => void) | undefined
  /** The moment at which the driver decides again at the latest, in milliseconds since 1970; infinite where there is none. */
  until: number
  /** The timer that is set for such a moment. */
  timer: { readonly at: number; readonly cancel: () => void } | undefined
}

/** The outbox of a driver. */
export function createOutbox(driver: Driver): Outbox {
  const add = (drafts: readonly Draft[], delivery: Delivery): void => {
    if (driver.fenced || driver.failure || driver.released || (driver.outdated && !delivery.happened)) return delivery.notify?.(false)
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
    fence() {
      driver.fenced = true
      wake(driver)
    },
    fail(error) {
      driver.failure ??= { error }
      wake(driver)
    },
    isClosed: () => driver.fenced || driver.failure !== undefined || driver.released,
  }
}

/** Adds events to the outbox and folds them: `decide` sees them at once, everything else once they are durable. */
export function put(driver: Driver, drafts: readonly Draft[], { happened, notify }: Delivery): void {
  const { place } = driver
  moveTo(place, driver.frame, driver.pending[0]?.event.time ?? driver.shell.clock.now())
  for (let index = 0; index < drafts.length; index += 1) {
    const draft = drafts[index] as Draft
    const event = placeNext(place, draft)
    driver.frame = evolve(driver.frame, event)
    driver.pending.push({ event, happened, notify: index === drafts.length - 1 ? notify : undefined, blobs: draft.blobs })
  }
}

/** Makes the driver decide again. */
export function wake(driver: Driver): void {
  driver.woken = true
  driver.resume?.()
  driver.resume = undefined
}

/** Sets the timer for the moment at which the driver decides again. It stays while the moment does: most waits end before it, and the next has the same. */
export function setTimer(driver: Driver, at: number): void {
  if (driver.timer?.at === at) return
  driver.timer?.cancel()
  driver.timer = Number.isFinite(at) ? { at, cancel: wakeAt(driver, at) } : undefined
}

function wakeAt(driver: Driver, at: number): () => void {
  return driver.shell.clock.at(at, () => {
    driver.timer = undefined
    wake(driver)
  })
}
