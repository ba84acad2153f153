/** A simulated world: one journal, several workers that come and go, people who ask, answer and interfere. */
import { emptyFrame, type Frame, fold, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { checkPairing } from '../history/check-pairing.ts'
import { alwaysReplay } from '../modes.ts'
import type { Boundary } from './boundary.ts'
import { createEffectBook, type EffectBook, type EffectPlace, placeText, type Truth, truthOf } from './effect-book.ts'
import type { Finding } from './finding.ts'
import { instrument, type LiveAgent } from './instrument.ts'
import { createProcess, type Fate, type MortalProcess } from './mortal-process.ts'
import { type CountingOutside, countingOutside, outsideView } from './outside.ts'
import { createPace, type Pace } from './pace.ts'
import { type Plan, planAgent } from './plan.ts'
import { processJournal } from './process-journal.ts'
import { badLine, type Dice } from './sim-faults.ts'
import { stableHash } from './stable-hash.ts'
import { eventsOf } from './stage.ts'
import { type CrashStorage, trackedJournal } from './storage.ts'
import { createWitness, type Witness, witnessedJournal } from './witness.ts'

/** One worker: a process with an agent that looks after unfinished threads. */
export interface Worker {
  readonly process: MortalProcess
  readonly agent: LiveAgent
  /** Since when it stands still. */
  frozenAt: number | undefined
}

/** What all workers and people share. */
export interface SimWorld {
  readonly plan: Plan
  readonly dice: Dice
  readonly pace: Pace
  readonly storage: CrashStorage
  readonly outside: CountingOutside
  readonly book: EffectBook
  readonly witness: Witness
  readonly found: Finding[]
  readonly workers: Worker[]
  /** Whose name is whose. */
  readonly names: Map<string, Worker>
  readonly told: Set<string>
  /** What people have seen of the threads. */
  readonly seen: Map<string, Seen>
  /** Everything that happened at a boundary, in order: two lives from one seed are the same. */
  readonly trail: string[]
  readonly replay: boolean
  /** A worker whose journal fails ends soon, as one does that is looked after by a supervisor. */
  readonly exits: boolean
}

/** A worker that stands still for so long counts as gone. */
const lease = 30_000
/** How often a worker looks for unfinished threads. */
const patrol = 10_000

/** A world in which nobody is at work yet. */
export function createSimWorld(options: Pick<SimWorld, 'plan' | 'dice' | 'storage' | 'replay' | 'exits'>): SimWorld {
  return {
    ...options,
    pace: createPace(0),
    outside: countingOutside(),
    book: createEffectBook(),
    witness: createWitness(),
    found: [],
    workers: [],
    names: new Map(),
    told: new Set(),
    seen: new Map(),
    trail: [],
  }
}

/** A new worker comes to work. */
export async function hire(world: SimWorld): Promise<Worker> {
  const { pace, dice, storage, workers, book, witness, names, plan } = world
  const process = createProcess({
    number: workers.length,
    clock: pace.clock,
    skew: dice.between(-60_000, 60_000),
    stirred: pace.stirred,
    fate: (boundary) => fateOf(world, () => worker, boundary),
  })
  const handle = badLine(witnessedJournal(trackedJournal(await storage.open(), pace.asked), witness), {
    dice,
    clock: pace.clock,
    failed: () => endSoon(world, () => worker),
  })
  const journal = processJournal(handle, {
    process,
    named: (name) => names.set(name, worker),
    isGone: (name) => isGone(world, names.get(name)),
  })
  const outside = outsideView(world.outside, process, book)
  const stable = stableHash(journal)
  const agent = instrument(planAgent(plan, { world: reach(outside), journal }), {
    journal: stable.journal,
    ports: { clock: process.clock, ids: process.ids, random: () => 0, hash: stable.hash, ...(world.replay && alwaysReplay(journal)) },
    instruments: {
      process,
      book,
      checkIntent: (thread, intent) => {
        if (!witness.isIntended(thread, intent)) world.found.push({ kind: 'intent', at: thread, message: `${intent} began without a durable intent` })
      },
      hear: (prompt) => {
        for (const problem of checkPairing(prompt as Parameters<typeof checkPairing>[0])) world.found.push({ kind: 'pairing', message: problem })
      },
    },
  })
  const worker: Worker = { process, agent, frozenAt: undefined }
  workers.push(worker)
  patrolWith(world, worker)
  return worker
}

/** A patrol that ends with an error begins again. */
function patrolWith(world: SimWorld, worker: Worker): void {
  const { clock } = worker.process
  worker.agent.recover({ every: patrol }).catch(() => clock.at(clock.now() + patrol, () => patrolWith(world, worker)))
}

function endSoon(world: SimWorld, self: () => Worker): void {
  const { exits, pace, dice } = world
  if (exits) pace.clock.at(pace.clock.now() + dice.between(1, 3_000), () => dismiss(world, self()))
}

function dismiss(world: SimWorld, worker: Worker): void {
  if (worker.process.isDead()) return
  world.trail.push(`p${worker.process.number} exits`)
  worker.process.kill()
  replace(world)
}

function replace(world: SimWorld): void {
  const { clock } = world.pace
  clock.at(clock.now() + world.dice.between(100, 20_000), () => void hire(world))
}

const reach = (outside: CountingOutside) => ({
  happen: (what: string, key?: string): unknown => (key === undefined ? outside.act(what) : outside.put(what, key)),
  has: (_what: string, key: string): boolean | Promise<boolean> => outside.has(key),
  async tick(ticks: number): Promise<void> {
    for (let n = 0; n < ticks; n += 1) await new Promise((resolve) => setImmediate(resolve))
  },
})

function fateOf(world: SimWorld, self: () => Worker, { when, deed, what }: Boundary): Fate {
  const { dice, pace, trail } = world
  const worker = self()
  trail.push(`${pace.clock.now()} p${worker.process.number} ${when} ${deed} ${what}`)
  if (dice.strikes('crash')) {
    trail.push(`p${worker.process.number} dies`)
    replace(world)
    return 'die'
  }
  if (!dice.strikes('freeze')) return 'live'
  const until = pace.clock.now() + dice.between(500, 90_000)
  trail.push(`p${worker.process.number} stands still until ${until}`)
  worker.frozenAt = pace.clock.now()
  return new Promise((resolve) => {
    pace.clock.at(until, () => {
      worker.frozenAt = undefined
      resolve()
    })
  })
}

/** Whether a worker is dead, or was silent for longer than its lease. */
function isGone({ pace }: SimWorld, worker: Worker | undefined): boolean {
  if (!worker || worker.process.isDead()) return true
  return worker.frozenAt !== undefined && pace.clock.now() - worker.frozenAt >= lease
}

/** Workers who can be asked something now. */
export function present({ workers }: SimWorld): readonly Worker[] {
  return workers.filter(({ process }) => !process.isDead() && !process.isFrozen())
}

/** What people can know of a call in doubt: nothing, while a worker who may still do it lives. */
export function knownTruth(world: SimWorld, place: EffectPlace, events: readonly LoomEvent[]): Truth {
  const { names, book, told } = world
  const drivers = events.flatMap((event) => (event.type === 'driver.acquired' ? [names.get(event.data.worker)] : []))
  const before = drivers.slice(0, -1)
  const truth: Truth = before.every((worker) => worker?.process.isDead()) ? truthOf(book, place, true) : { kind: 'unknown' }
  if (truth.kind === 'unknown') told.delete(placeText(place))
  else told.add(placeText(place))
  return truth
}

/** A thread as people see it. */
export interface Seen {
  readonly events: readonly LoomEvent[]
  readonly frame: Frame
}

/** All threads of the world, read from their beginning. */
export async function threadsOf(world: SimWorld): Promise<ReadonlyMap<string, readonly LoomEvent[]>> {
  const journal = await world.storage.open()
  const threads = new Map<string, readonly LoomEvent[]>()
  for (const { thread } of await journal.threads()) threads.set(thread, await eventsOf(journal, thread))
  await world.storage.abandon(journal)
  return threads
}

/** The same for people who look again and again: only what is new is read. */
export async function look({ storage, seen }: SimWorld): Promise<ReadonlyMap<string, Seen>> {
  const journal = await storage.open()
  for (const { thread, seq } of await journal.threads()) {
    const known = seen.get(thread) ?? { events: [], frame: emptyFrame(thread) }
    if (known.frame.seq === seq) continue
    const fresh: LoomEvent[] = []
    for await (const event of readEvents(journal, thread, known.frame.seq + 1)) fresh.push(event)
    seen.set(thread, { events: [...known.events, ...fresh], frame: fold(thread, fresh, known.frame) })
  }
  await storage.abandon(journal)
  return seen
}
