/** Simulations: virtual time, seeded chance, several workers on one journal, and everything that can go wrong on the way. */
import { loadOnUse } from '@loom-agent/agent/kit'
import { rollDigest } from '@loom-agent/kernel'
import { type CrashStorageFactory, type Finding, findingText, memoryStorage, randomOf } from '@loom-agent/testing/crash'
import { callKinds, type Plan } from '../plan/plan.ts'
import type { AnswerKind, PlanHooks } from '../plan/plan-agent.ts'
import { createDice, type Dice, faultOdds, noOdds, type SimFault } from './faults.ts'
import { judgeSimulation, openEnds } from './judge.ts'
import { watchForSpin } from './spin.ts'
import { startTending } from './tend.ts'
import { startUsers, type UserRequest, type Users } from './users.ts'
import { available, createSimulation, recover, type Simulation, startWorker } from './world.ts'

/** What is simulated. */
export interface SimulateOptions {
  readonly seed: number
  /** Whether a worker whose journal fails exits and is replaced; default: it continues. */
  readonly exits?: boolean
  /** Where the journal is kept; default: in memory. All that open it must share it. */
  readonly journal?: CrashStorageFactory
  /** What the hooks of the agent are for; default: what follows from the seed. */
  readonly hooks?: PlanHooks
}

/** What became of a simulation. */
export interface SimulationReport {
  readonly seed: number
  readonly found: readonly Finding[]
  /** How often each fault occurred. */
  readonly struck: Readonly<Record<SimFault, number>>
  readonly events: number
  /** What happened at crash points, in order, and a digest of it: the same for the same seed. */
  readonly trail: readonly string[]
  readonly digest: number
}

/** Everything that follows from a seed. */
interface Script {
  readonly plan: Plan
  readonly hooks: PlanHooks
  readonly answers: readonly AnswerKind[]
  readonly requests: readonly UserRequest[]
  readonly workers: number
  readonly replay: boolean
  /** Without interruptions the transcript must be that of a simulation without faults. */
  readonly steady: boolean
  /** Whether workers recover by themselves, whether they find a damaged orphan, and whether users answer nothing in the end. */
  readonly recovers: boolean
  readonly hasOrphan: boolean
  readonly fallSilent: boolean
}

const simulatedKinds = [...callKinds, 'pair', 'stall'] as const

/** How often the end is looked for: first while faults occur, then while everything comes to rest. */
const looks = { faulty: 20, calm: 300 }

function scriptOf(dice: Dice): Script {
  const turns = Array.from({ length: dice.between(0, 3) }, () =>
    Array.from({ length: dice.between(1, 3) }, () => ({
      kind: dice.random() < 0.15 ? 'pair' : dice.pick(simulatedKinds),
      ticks: dice.between(0, 2),
    })),
  )
  const steady = dice.random() < 0.4
  const threads = Array.from({ length: dice.between(1, 2) }, (_, index) => `t${index + 1}`)
  const requests = threads.flatMap((thread): readonly UserRequest[] => {
    const inputs = Array.from({ length: dice.between(1, 2) }, (_, index): UserRequest => {
      return { thread, kind: 'input', number: index + 1, at: dice.between(0, 2_000) + index * dice.between(0, 20_000) }
    })
    const interruptions = (['steer', 'stop', 'pause'] as const).flatMap((kind): readonly UserRequest[] => {
      return dice.random() < 0.35 ? [{ thread, kind, number: 1, at: dice.between(0, 30_000) }] : []
    })
    return steady ? inputs : [...inputs, ...interruptions]
  })
  const kinds = Array.from({ length: dice.between(1, 4) }, () => dice.pick(['approve', 'approve', 'reject', 'respond', 'edit'] as const))
  const [isLone, fallSilent] = [dice.random() < 0.35, dice.random() < 0.15]
  return {
    plan: { turns },
    hooks: dice.pick(['none', 'look', 'change'] as const),
    answers: steady ? ['approve'] : kinds,
    requests,
    workers: dice.between(2, 3),
    replay: dice.random() < 0.3,
    steady: steady && !(isLone || fallSilent),
    recovers: !isLone,
    hasOrphan: dice.random() < 0.2,
    fallSilent,
  }
}

/** Runs the simulation of a seed. */
export async function simulate({ seed, exits = false, journal = memoryStorage, hooks }: SimulateOptions): Promise<SimulationReport> {
  // A life that waits for code to be loaded is another one than the same life later.
  await loadOnUse()
  const drawn = scriptOf(createDice(randomOf(seed), noOdds))
  const script = { ...drawn, hooks: hooks ?? drawn.hooks }
  const dice = createDice(randomOf(seed ^ 0x5eed), faultOdds)
  const stopWatching = watchForSpin(seed)
  const users = await run(script, { dice, workers: script.workers, exits, journal })
  const reference = script.steady ? await run(script, { dice: createDice(randomOf(seed), noOdds), workers: 1, exits, journal }) : undefined
  stopWatching()
  const found = await judgeSimulation(users, reference?.simulation)
  for (const { simulation } of reference ? [users, reference] : [users]) await simulation.storage.discard?.()
  const { trail } = users.simulation
  return { seed, found, struck: dice.struck, events: trail.length, trail, digest: trail.reduce(rollDigest, 0) }
}

interface Conditions {
  readonly dice: Dice
  readonly workers: number
  readonly exits: boolean
  readonly journal: CrashStorageFactory
}

async function run({ hooks, replay, recovers, hasOrphan, ...script }: Script, { dice, workers, exits, journal }: Conditions): Promise<Users> {
  const simulation = createSimulation({ hooks, dice, replay, exits, recovers, hasOrphan, storage: await journal() })
  for (let number = 0; number < workers; number += 1) await startWorker(simulation)
  const users = startUsers(simulation, { ...script, isFree: !script.steady })
  if (!recovers) startTending(users)
  const { time, found } = simulation.observer
  const { clock } = time
  if (dice.strikes('jump')) clock.at(clock.now() + dice.between(1000, 60_000), () => jump(simulation))
  let isOver = false
  let isRecovering = recovers
  let looked = 0
  let open: readonly string[] = []
  const look = async (): Promise<void> => {
    looked += 1
    if (looked > looks.faulty) dice.calm()
    // What nobody waits for any more is left to recovery, once everything else has ended without it.
    if (!isRecovering && dice.isCalm() && (await openEnds(users, 'roots')).length === 0) {
      isRecovering = true
      for (const worker of available(simulation)) recover(worker)
    }
    open = await openEnds(users)
    isOver = (isRecovering && open.length === 0) || looked > looks.calm
    if (!isOver) clock.at(clock.now() + 5_000, () => void look())
  }
  void look()
  const moved = await time.until(() => isOver, { jumps: 20_000 })
  if (!moved || !isRecovering || open.length > 0) found.push({ kind: 'stuck', message: `not everything comes to its end: ${open.join(', ')}` })
  await time.quiet()
  for (const { process } of simulation.workers) process.kill()
  return users
}

/** The clock jumps when no worker is frozen and no call is under way: such a call would be timed out, which is another story than the plan's. */
function jump(simulation: Simulation): void {
  const { clock } = simulation.observer.time
  if (simulation.workers.some(({ process }) => !process.isDead() && (process.isFrozen() || process.busy() > 0)))
    clock.at(clock.now() + 1000, () => jump(simulation))
  else clock.skip(simulation.dice.between(60_000, 40_000_000))
}

/** Throws when something is wrong, and says how to reproduce it. */
export function assertSimulation({ seed, found, trail }: SimulationReport): void {
  if (found.length === 0) return
  const lines = found.map((finding) => `  ${findingText(finding)}`)
  throw new Error(
    `The simulation of seed ${seed} breaks a law; simulate({ seed: ${seed} }) shows it again:\n${lines.join('\n')}\n${trail.slice(-40).join('\n')}`,
  )
}
