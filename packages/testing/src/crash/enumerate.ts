/** The enumerator: crashes a scenario at every crash point it has, and judges every trial that follows. */
import { randomOf } from '../double/random.ts'
import { type CrashPoint, crashPointText, isDistinct } from './crash-point.ts'
import { type Finding, findingText } from './finding.ts'
import { judge, judgeAlone, type VerdictKind } from './judge.ts'
import type { CrashScenario } from './scenario.ts'
import { type CrashStorageFactory, memoryStorage } from './storage.ts'
import { runTrial, type Trial, type TrialOptions } from './trial.ts'

/** How crashes are enumerated. */
export interface EnumerateOptions extends Pick<TrialOptions, 'patience' | 'recover'> {
  /** Where the journal of each trial is kept; default: in memory. */
  readonly journal?: CrashStorageFactory
  /** How many pairs of crashes are tried as well, the second while the next process recovers from the first; default: none. */
  readonly pairs?: number
  /** Chooses the pairs; default 1. */
  readonly seed?: number
  /** Skips crash points that the next process cannot distinguish from the one before; default: every crash point is tried. */
  readonly distinct?: boolean
  /** Only these crash points. */
  readonly only?: readonly number[]
}

/** A trial with crashes, and its verdict. */
export interface CrashOutcome {
  /** Where processes died. */
  readonly crashes: readonly CrashPoint[]
  /** The verdict. */
  readonly kind: VerdictKind
  /** What is wrong; empty unless the verdict is `wrong`. */
  readonly found: readonly Finding[]
}

/** What the enumerator found. */
export interface CrashReport {
  /** The name of the scenario. */
  readonly scenario: string
  /** The number of crash points of the uninterrupted run. */
  readonly crashPoints: number
  /** One outcome for each trial with crashes. */
  readonly outcomes: readonly CrashOutcome[]
  /** What is wrong without any crash. */
  readonly uninterrupted: readonly Finding[]
}

/** Runs a scenario once uninterrupted, then once for every crash point with a crash there. */
export async function enumerateCrashes<W extends object>(scenario: CrashScenario<W>, options: EnumerateOptions = {}): Promise<CrashReport> {
  const { journal = memoryStorage, pairs = 0, seed = 1, distinct, only, ...how } = options
  const trial = async (crashes: readonly number[], replay = false): Promise<Trial> =>
    runTrial(scenario, { ...how, storage: await journal(), crashes, replay })
  const reference = await trial([])
  const again = judge(reference, await trial([], true))
  const uninterrupted = [...judgeAlone(reference), ...(again.kind === 'same' ? [] : again.found.map(unsteady))]
  const outcomes: CrashOutcome[] = []
  const recoveries = new Map<number, number>()
  const outcomeOf = (crashed: Trial): CrashOutcome => ({ crashes: crashed.crashes, ...judge(reference, crashed) })
  for (const point of reference.passed) {
    const { number } = point
    if ((only && !only.includes(number)) || (distinct && !isDistinct(point))) continue
    const crashed = await trial([number])
    recoveries.set(number, crashed.passed.length)
    outcomes.push(outcomeOf(crashed))
  }
  const random = randomOf(seed)
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, most] = [...recoveries][Math.floor(random() * recoveries.size)] ?? [1, 1]
    outcomes.push(outcomeOf(await trial([first, 1 + Math.floor(random() * most)])))
  }
  return { scenario: scenario.name, crashPoints: reference.passed.length, outcomes, uninterrupted }
}

const unsteady = (finding: Finding): Finding => ({ ...finding, kind: 'unsteady', message: `two uninterrupted runs differ: ${finding.message}` })

/** Whether nothing is wrong. */
export function isClean({ outcomes, uninterrupted }: CrashReport): boolean {
  return uninterrupted.length === 0 && outcomes.every(({ kind }) => kind !== 'wrong')
}

/** What is wrong, as text; empty when nothing is. */
export function crashText({ scenario, outcomes, uninterrupted }: CrashReport): string {
  const lines = uninterrupted.map((finding) => `${scenario}, uninterrupted: ${findingText(finding)}`)
  for (const { crashes, kind, found } of outcomes) {
    if (kind !== 'wrong') continue
    const where = crashes.length === 0 ? 'without a crash' : `crash at ${crashes.map(crashPointText).join(', then at ')}`
    for (const finding of found) lines.push(`${scenario}, ${where}: ${findingText(finding)}`)
  }
  return lines.join('\n')
}

/** Throws when something is wrong, and says what. */
export function assertCrashes(report: CrashReport): void {
  if (!isClean(report)) throw new Error(`Crashes are not harmless:\n${crashText(report)}`)
}
