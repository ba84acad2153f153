/** A simulation: one journal, several workers that come and go, one external world. */
import { type Clock, emptyFrame, type Frame, fold, type LoomEvent, readEvents } from '@loom-agent/kernel'
import {
  type CrashPoint,
  type CrashStorage,
  createObserver,
  createProcess,
  type EffectPlace,
  type ExternalWorld,
  externalWorld,
  type Fate,
  instrument,
  observedRecord,
  processJournal,
  processOf,
  type RebuiltAgent,
  type SimulatedProcess,
  type TrialObserver,
  type TrialRecord,
  type Truth,
  truthOf,
  worldView,
} from '@loom-agent/testing/crash'
import { effectName } from '../plan/plan.ts'
import { type PlanHooks, planAgent } from '../plan/plan-agent.ts'
import type { PlanWorld } from '../plan/plan-tools.ts'
import { type Dice, unreliable, withDamagedOrphan } from './faults.ts'

/** One worker: a process with an agent that recovers unfinished threads. */
export interface Worker {
  readonly process: SimulatedProcess
  readonly agent: RebuiltAgent
  /** Since when it is frozen. */
  frozenAt: number | undefined
  /** For how many milliseconds it may still be frozen. */
  freezable: number
}

/** What all workers and users share. */
export interface Simulation {
  readonly hooks: PlanHooks
  readonly dice: Dice
  readonly observer: TrialObserver
  readonly storage: CrashStorage
  readonly world: ExternalWorld
  /** The workers, by the numbers of their processes. */
  readonly workers: Worker[]
  /** Places in doubt whose outcome was known and reported. */
  readonly resolved: Set<string>
  /** What users have read of the threads. */
  readonly seen: Map<string, SeenThread>
  /** Everything that happened at crash points, in order: two simulations of one seed are the same. */
  readonly trail: string[]
  /** Whether a worker whose journal fails exits soon and is replaced, as under a supervisor. */
  readonly exits: boolean
  /** Whether workers recover by themselves; otherwise users resume what has lost its worker. */
  readonly recovers: boolean
  /** Whether every worker finds a child that nobody waits for and that cannot be read. */
  readonly hasOrphan: boolean
  /** Workers that are being drained. */
  readonly draining: Set<Worker>
}

/** All freezes of a worker together are shorter than a tool may take: a call that times out is another story than the plan's. */
const longestFreezes = 100_000
const shortestFreeze = 500
/** Milliseconds after which a frozen worker counts as gone. */
const lease = 30_000
/** How often a worker looks for unfinished threads. */
const interval = 10_000

/** How a simulation is set up. */
export type SimulationOptions = Pick<Simulation, 'hooks' | 'dice' | 'storage' | 'exits' | 'recovers' | 'hasOrphan'> & { readonly replay: boolean }

/** A simulation without workers. */
export function createSimulation(options: SimulationOptions): Simulation {
  const { replay, ...given } = options
  return {
    ...given,
    observer: createObserver({ replay }),
    world: externalWorld(),
    workers: [],
    resolved: new Set(),
    seen: new Map(),
    trail: [],
    draining: new Set(),
  }
}

/** Starts a worker. */
export async function startWorker(simulation: Simulation): Promise<Worker> {
  const { observer, dice, storage, workers, world, hooks } = simulation
  const { time, log } = observer
  // From here to the end nothing waits: no two workers get the same number.
  const stored = await storage.open()
  const opened = simulation.hasOrphan ? withDamagedOrphan(stored) : stored
  const process = createProcess({
    number: workers.length,
    clock: time.clock,
    skew: dice.between(-60_000, 60_000),
    progressed: time.progressed,
    fate: (point) => fateOf(simulation, worker, point),
  })
  const journal = processJournal(opened, {
    process,
    observer,
    connection: (reliable) => unreliable(reliable, { dice, clock: time.clock, failed: () => exitSoon(simulation, worker) }),
    isGone: (number) => isGone(simulation, workers[number]),
  })
  const agent = planAgent({ hooks, journal, pairs: true, world: planWorldOf(worldView(world, process, log), process.clock) })
  const worker: Worker = { process, agent: instrument(agent, observer, { process, journal }), frozenAt: undefined, freezable: longestFreezes }
  workers.push(worker)
  if (simulation.recovers) recover(worker)
  if (dice.strikes('drain')) time.clock.at(time.clock.now() + dice.between(1_000, 40_000), () => void drain(simulation, worker))
  return worker
}

/** A worker that is drained ends when nothing of it is in flight, and is replaced. */
async function drain(simulation: Simulation, worker: Worker): Promise<void> {
  const { dice, trail, draining } = simulation
  if (worker.process.isDead()) return
  trail.push(`p${worker.process.number} drains`)
  draining.add(worker)
  await worker.agent.drain({ grace: dice.between(0, 10_000) })
  draining.delete(worker)
  if (worker.process.isDead()) return
  trail.push(`p${worker.process.number} is drained`)
  worker.process.kill()
  replace(simulation)
}

/** Lets a worker recover from now on. A recovery that ends with an error begins again. */
export function recover(worker: Worker): void {
  const { clock } = worker.process
  worker.agent.recover({ every: interval }).catch(() => clock.at(clock.now() + interval, () => recover(worker)))
}

function exitSoon(simulation: Simulation, worker: Worker): void {
  const { exits, observer, dice, trail } = simulation
  if (!exits) return
  const { clock } = observer.time
  clock.at(clock.now() + dice.between(1, 3_000), () => {
    if (worker.process.isDead()) return
    trail.push(`p${worker.process.number} exits`)
    worker.process.kill()
    replace(simulation)
  })
}

function replace(simulation: Simulation): void {
  const { clock } = simulation.observer.time
  clock.at(clock.now() + simulation.dice.between(100, 20_000), () => void startWorker(simulation))
}

/** Milliseconds of the second and every later tick, where there is a clock: people may answer meanwhile. */
const slowTick = 2_000

/** The tools of a plan on an external world in this process. */
export function planWorldOf(world: ExternalWorld, clock?: Clock): PlanWorld {
  return {
    perform({ key, effect, ...named }) {
      return effect === 'unsafe' ? world.act(effectName(named)) : world.put(effectName(named), key)
    },
    has: ({ key }) => world.has(key),
    async tick(ticks) {
      for (let n = 0; n < ticks; n += 1) {
        await new Promise<void>((resolve) => void (n > 0 && clock ? clock.at(clock.now() + slowTick, resolve) : setImmediate(resolve)))
      }
    },
  }
}

function fateOf({ dice, observer, trail, ...rest }: Simulation, worker: Worker, { when, operation, subject }: CrashPoint): Fate {
  const { clock } = observer.time
  const name = `p${worker.process.number}`
  trail.push(`${clock.now()} ${name} ${when} ${operation} ${subject}`)
  if (dice.strikes('crash')) {
    trail.push(`${name} dies`)
    replace({ dice, observer, trail, ...rest })
    return 'die'
  }
  if (worker.freezable < shortestFreeze || !dice.strikes('freeze')) return 'live'
  const ms = dice.between(shortestFreeze, Math.min(90_000, worker.freezable))
  const until = clock.now() + ms
  worker.freezable -= ms
  trail.push(`${name} is frozen until ${until}`)
  worker.frozenAt = clock.now()
  return new Promise((resolve) => {
    clock.at(until, () => {
      worker.frozenAt = undefined
      resolve()
    })
  })
}

/** Whether a worker is dead, or was frozen for longer than its lease. */
export function isGone({ observer }: Simulation, worker: Worker | undefined): boolean {
  if (!worker || worker.process.isDead()) return true
  return worker.frozenAt !== undefined && observer.time.clock.now() - worker.frozenAt >= lease
}

/** Workers that take requests now. */
export function available({ workers }: Simulation): readonly Worker[] {
  return workers.filter(({ process }) => !process.isDead() && !process.isFrozen())
}

/** What users can know of a call in doubt: nothing, while a worker is alive that may still perform it. */
export function knownTruth({ workers, observer }: Simulation, place: EffectPlace, events: readonly LoomEvent[]): Truth {
  const drivers = events.flatMap((event) => (event.type === 'driver.acquired' ? [workers[processOf(event.data.worker)]] : []))
  const before = drivers.slice(0, -1)
  return before.every((worker) => worker?.process.isDead()) ? truthOf(observer.log, place, true) : { kind: 'unknown' }
}

/** A thread as users see it. */
export interface SeenThread {
  readonly events: readonly LoomEvent[]
  readonly frame: Frame
}

/** All threads as they are now; only new events are read. */
export async function look({ storage, seen }: Simulation): Promise<ReadonlyMap<string, SeenThread>> {
  const journal = await storage.open()
  for (const { thread, incarnation, seq } of await journal.threads()) {
    const known = seen.get(thread) ?? { events: [], frame: emptyFrame(thread) }
    if (known.frame.seq === seq) continue
    const fresh: LoomEvent[] = []
    for await (const event of readEvents(journal, thread, { from: known.frame.seq + 1, incarnation })) fresh.push(event)
    seen.set(thread, { events: [...known.events, ...fresh], frame: fold(thread, fresh, known.frame) })
  }
  await storage.abandon(journal)
  return seen
}

/** The record of a simulation. */
export function recordOf({ storage, observer, world, resolved }: Simulation): Promise<TrialRecord> {
  return observedRecord(observer, storage, { world, isConcurrent: true, resolved, asked: new Map() })
}
