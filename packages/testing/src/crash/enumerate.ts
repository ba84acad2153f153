/** The enumerator: lets a scenario die at every boundary there is, and judges every life that follows. */
import { randomOf } from '../power-failure.ts'
import { type Boundary, boundaryText, isDistinct } from './boundary.ts'
import { type Finding, findingText } from './finding.ts'
import { type LifeOptions, live, type Story } from './life.ts'
import type { CrashScenario } from './scenario.ts'
import { type CrashStorageFactory, memoryStorage } from './storage.ts'
import { judgeAlone, judgeLife, type VerdictKind } from './verdict.ts'

/** How crashes are enumerated. */
export interface EnumerateOptions {
  /** Where the journal of each life lies; default: in memory. */
  readonly journal?: CrashStorageFactory
  /** How many pairs of crashes are tried besides, the second while the next process recovers from the first; default: none. */
  readonly pairs?: number
  /** Chooses the pairs. */
  readonly seed?: number
  /** Leaves out boundaries that whoever comes after could not tell from the one before; default: every boundary is lived. */
  readonly distinct?: boolean
  /** Only these boundaries. */
  readonly only?: readonly number[]
  readonly patience?: number
  readonly recover?: boolean
}

/** A life with deaths, and what was said of it. */
export interface CrashPoint {
  readonly deaths: readonly Boundary[]
  readonly kind: VerdictKind
  readonly found: readonly Finding[]
}

/** What the enumerator found. */
export interface CrashReport {
  readonly scenario: string
  /** The boundaries of the undisturbed life. */
  readonly boundaries: number
  readonly points: readonly CrashPoint[]
  /** What is wrong without any crash. */
  readonly calm: readonly Finding[]
}

/** Runs a scenario once undisturbed, then once for every boundary with a crash there. */
export async function enumerateCrashes<W extends object>(scenario: CrashScenario<W>, options: EnumerateOptions = {}): Promise<CrashReport> {
  const { pairs = 0, seed = 1 } = options
  const lived = (deaths: readonly number[], replay = false): Promise<Story> => liveOnce(scenario, options, { deaths, replay })
  const calm = await lived([])
  const twin = judgeLife(calm, await lived([], true))
  const wrong: Finding[] = [...judgeAlone(calm), ...(twin.kind === 'same' ? [] : twin.found.map(unsteady))]
  const boundaries = calm.passed.length
  const points: CrashPoint[] = []
  const second = new Map<number, number>()
  for (const boundary of calm.passed) {
    const { number } = boundary
    if ((options.only && !options.only.includes(number)) || (options.distinct && !isDistinct(boundary))) continue
    const story = await lived([number])
    second.set(number, story.passed.length)
    points.push(pointOf(calm, story))
  }
  const random = randomOf(seed)
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, most] = [...second][Math.floor(random() * second.size)] ?? [1, 1]
    const story = await lived([first, 1 + Math.floor(random() * most)])
    points.push(pointOf(calm, story))
  }
  return { scenario: scenario.name, boundaries, points, calm: wrong }
}

async function liveOnce<W extends object>(
  scenario: CrashScenario<W>,
  options: EnumerateOptions,
  how: Pick<LifeOptions, 'deaths' | 'replay'>,
): Promise<Story> {
  const { journal = memoryStorage, patience, recover } = options
  const storage = await journal()
  const lived: LifeOptions = { storage, ...how, ...(patience !== undefined && { patience }), ...(recover !== undefined && { recover }) }
  return live(scenario, lived)
}

const unsteady = (finding: Finding): Finding => ({ ...finding, kind: 'unsteady', message: `two undisturbed lives differ: ${finding.message}` })

function pointOf(calm: Story, story: Story): CrashPoint {
  return { deaths: story.deaths, ...judgeLife(calm, story) }
}

/** Whether everything is as it should be. */
export function isClean({ points, calm }: CrashReport): boolean {
  return calm.length === 0 && points.every(({ kind }) => kind !== 'wrong')
}

/** What is wrong, as people read it; empty when nothing is. */
export function crashText({ scenario, points, calm }: CrashReport): string {
  const lines = calm.map((finding) => `${scenario}, undisturbed: ${findingText(finding)}`)
  for (const { deaths, kind, found } of points) {
    if (kind !== 'wrong') continue
    const where = deaths.length === 0 ? 'without a crash' : `crash at ${deaths.map(boundaryText).join(', then at ')}`
    for (const finding of found) lines.push(`${scenario}, ${where}: ${findingText(finding)}`)
  }
  return lines.join('\n')
}

/** Throws when something is wrong, and says what. */
export function assertCrashes(report: CrashReport): void {
  if (!isClean(report)) throw new Error(`Crashes are not harmless:\n${crashText(report)}`)
}
