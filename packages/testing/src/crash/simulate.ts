/** The simulated world: virtual time, seeded chance, several workers on one journal, and everything that can go wrong on the way. */
import { rollDigest } from '@loom-agent/kernel'
import { randomOf } from '../power-failure.ts'
import { type Finding, findingText } from './finding.ts'
import { type AnswerKind, callKinds, type Plan } from './plan.ts'
import { createDice, type Dice, defaultOdds, noOdds, type SimFault, type SimOdds } from './sim-faults.ts'
import { compareWorlds, isAtEnd, judgeWorld } from './sim-judge.ts'
import { invite, type People, type Wish } from './sim-people.ts'
import { createSimWorld, hire, type SimWorld } from './sim-world.ts'
import { type CrashStorageFactory, memoryStorage } from './storage.ts'

/** How a world is simulated. */
export interface SimulateOptions {
  readonly seed: number
  /** Workers at the beginning; default: two or three, by the seed. */
  readonly workers?: number
  /** How likely faults are. */
  readonly odds?: Partial<SimOdds>
  /** A worker whose journal fails ends, and another one comes; default: it goes on. */
  readonly exits?: boolean
  /** Where the journal lies; default: in memory. It must be shared by all that open it. */
  readonly journal?: CrashStorageFactory
}

/** What became of a simulated world. */
export interface Simulation {
  readonly seed: number
  readonly found: readonly Finding[]
  /** Faults that came. */
  readonly struck: Readonly<Record<SimFault, number>>
  readonly events: number
  /** What happened at boundaries, in order, and a digest of it: the same for the same seed. */
  readonly trail: readonly string[]
  readonly digest: number
}

/** What a seed makes of a world. */
interface Script {
  readonly plan: Plan
  readonly answers: readonly AnswerKind[]
  readonly wishes: readonly Wish[]
  readonly workers: number
  readonly replay: boolean
  /** Nobody interferes: the transcript is that of a world without faults. */
  readonly steady: boolean
}

/** How often the end is looked for, in a time that may jump: first while things go wrong, then while everything comes to rest. */
const looks = { turmoil: 20, recess: 300 }

function scriptOf(dice: Dice): Script {
  const turns = Array.from({ length: dice.between(0, 3) }, () =>
    Array.from({ length: dice.between(1, 3) }, () => ({ kind: dice.pick(callKinds), ticks: dice.between(0, 2) })),
  )
  const steady = dice.random() < 0.4
  const threads = Array.from({ length: dice.between(1, 2) }, (_, index) => `t${index + 1}`)
  const wishes = threads.flatMap((thread): readonly Wish[] => {
    const inputs = Array.from({ length: dice.between(1, 2) }, (_, index): Wish => {
      return { thread, kind: 'input', number: index + 1, at: dice.between(0, 2_000) + index * dice.between(0, 20_000) }
    })
    const meddling = (['steer', 'stop', 'pause'] as const).flatMap((kind): readonly Wish[] => {
      return dice.random() < 0.35 ? [{ thread, kind, number: 1, at: dice.between(0, 30_000) }] : []
    })
    return steady ? inputs : [...inputs, ...meddling]
  })
  const kinds = Array.from({ length: dice.between(1, 4) }, () => dice.pick(['approve', 'approve', 'reject', 'respond', 'edit'] as const))
  return {
    plan: { turns, hooks: dice.pick(['none', 'look', 'change'] as const) },
    answers: steady ? ['approve'] : kinds,
    wishes,
    workers: dice.between(2, 3),
    replay: dice.random() < 0.3,
    steady,
  }
}

/** Simulates the world of a seed. */
export async function simulate({ seed, workers, odds = {}, exits = false, journal = memoryStorage }: SimulateOptions): Promise<Simulation> {
  const script = scriptOf(createDice(randomOf(seed), noOdds))
  const dice = createDice(randomOf(seed ^ 0x5eed), { ...defaultOdds, ...odds })
  const { world, people } = await lived(script, { dice, workers: workers ?? script.workers, exits, journal })
  const found = [...(await judgeWorld(people))]
  if (script.steady) {
    const calm = await lived(script, { dice: createDice(randomOf(seed), noOdds), workers: 1, exits, journal })
    found.push(...(await compareWorlds(calm.world, world)))
    await calm.world.storage.discard?.()
  }
  await world.storage.discard?.()
  const { trail } = world
  const digest = trail.reduce(rollDigest, 0)
  return { seed, found, struck: dice.struck, events: trail.length, trail, digest }
}

interface Setting {
  readonly dice: Dice
  readonly workers: number
  readonly exits: boolean
  readonly journal: CrashStorageFactory
}

async function lived(
  { plan, answers, wishes, replay }: Script,
  { dice, workers, exits, journal }: Setting,
): Promise<{ world: SimWorld; people: People }> {
  const world = createSimWorld({ plan, dice, replay, exits, storage: await journal() })
  for (let number = 0; number < workers; number += 1) await hire(world)
  const people = invite(world, wishes, answers)
  const { pace, found } = world
  const start = pace.clock.now()
  if (dice.strikes('jump')) pace.clock.at(start + dice.between(1000, 60_000), () => pace.clock.skip(dice.between(60_000, 40_000_000)))
  let over = false
  let looked = 0
  const look = async (): Promise<void> => {
    looked += 1
    if (looked > looks.turmoil) dice.calm()
    over = (await isAtEnd(people)) || looked > looks.recess
    if (!over) pace.clock.at(pace.clock.now() + 5_000, () => void look())
  }
  void look()
  const moved = await pace.until(() => over, { jumps: 20_000 })
  if (!moved || !(await isAtEnd(people))) found.push({ kind: 'stuck', message: 'what people wanted does not come to its end' })
  await pace.quiet()
  for (const { process } of world.workers) process.kill()
  return { world, people }
}

/** Throws when a law is broken, and says how to see it again. */
export function assertSimulation({ seed, found, trail }: Simulation): void {
  if (found.length === 0) return
  const lines = found.map((finding) => `  ${findingText(finding)}`)
  throw new Error(
    `The world of seed ${seed} breaks a law; simulate({ seed: ${seed} }) shows it again:\n${lines.join('\n')}\n${trail.slice(-40).join('\n')}`,
  )
}
