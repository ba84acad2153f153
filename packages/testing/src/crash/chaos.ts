/** Chaos for users: their own agent dies at every boundary there is, and a report says what that would have cost them. */
import type { AnyAgent, Question, SignedAnswer } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { boundaryText } from './boundary.ts'
import { type CrashReport, enumerateCrashes } from './enumerate.ts'
import { type Finding, findingText } from './finding.ts'
import type { StageOptions } from './scenario.ts'
import type { CrashStorageFactory } from './storage.ts'

/** What the agent is made with, in each process anew. */
export interface ChaosScene<W extends object> {
  readonly journal: Journal
  /** The outside, as this process reaches it: what a dead process still calls never arrives. */
  readonly outside: W
}

/** How the agent is tried. */
export interface ChaosOptions<W extends object> {
  /** Given one after another, each when the run before has ended. */
  readonly inputs: readonly string[]
  /**
   * The world that tools reach: an object whose methods have effects and whose fields tell what was done. Made anew for each life.
   * Whatever is not reached through it is not seen.
   */
  readonly outside?: () => W
  /** What of the outside must be as if nothing had happened; default: its data. */
  readonly observe?: (outside: W) => unknown
  /** How people answer; default: approve. A call in doubt is answered by what really happened. */
  readonly answer?: (question: Question) => SignedAnswer | undefined
  /** What each input comes with. */
  readonly run?: StageOptions
  /** How many pairs of crashes are tried besides, the second while the next process recovers from the first; default 20. */
  readonly pairs?: number
  readonly seed?: number
  /** Milliseconds of real time that tools may need before the clock is moved on; default 0, for tools that wait for nothing real. */
  readonly patience?: number
  readonly journal?: CrashStorageFactory
}

/** What chaos found, each finding once, with the first crash that showed it and how many did. */
export interface ChaosFinding extends Finding {
  readonly crash: string
  readonly times: number
}

/** What became of an agent under chaos. */
export interface ChaosReport {
  /** Boundaries of the undisturbed life, and lives that were lived with crashes. */
  readonly boundaries: number
  readonly lives: number
  /** Lives in which people had to be asked about a call in doubt: what unsafe tools cost. */
  readonly asked: number
  readonly found: readonly ChaosFinding[]
}

/**
 * Runs an agent under every crash there is.
 *
 * @example
 * await assertChaos(({ journal, outside }) => agent({ model, tools: [chargeWith(outside)], journal }), { inputs: ['Charge 5.'], outside: fakeBank })
 */
export async function chaos<W extends object>(agent: (scene: ChaosScene<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport> {
  const { inputs, outside = () => ({}) as W, observe, answer, run = {}, pairs = 20, seed, patience, journal } = options
  const report = await enumerateCrashes<W>(
    {
      name: 'chaos',
      outside,
      agent,
      async play(stage) {
        for (const input of inputs) await stage.input(input, run)
      },
      ...(observe && { observe }),
      ...(answer && { answer }),
    },
    { pairs, distinct: true, ...(seed !== undefined && { seed }), ...(patience !== undefined && { patience }), ...(journal && { journal }) },
  )
  const { boundaries, points } = report
  return { boundaries, lives: points.length, asked: points.filter(({ kind }) => kind === 'asked').length, found: gathered(report) }
}

/** The same finding comes with many crashes: it is told once. */
function gathered({ calm, points }: CrashReport): readonly ChaosFinding[] {
  const found = new Map<string, ChaosFinding>()
  const take = (finding: Finding, crash: string): void => {
    const key = `${finding.kind} ${finding.at?.replace(/@\d+$/, '')} ${finding.message.replace(/\d+/g, 'n').slice(0, 120)}`
    const known = found.get(key)
    found.set(key, { ...(known ?? { ...finding, crash }), times: (known?.times ?? 0) + 1 })
  }
  for (const finding of calm) take(finding, 'without a crash')
  for (const { deaths, found: findings } of points) {
    for (const finding of findings) take(finding, deaths.map((death) => `crash at boundary ${boundaryText(death)}`).join(', then '))
  }
  return [...found.values()]
}

/** A report as people read it. */
export function chaosText({ boundaries, lives, asked, found }: ChaosReport): string {
  const head = `${boundaries} boundaries, ${lives} lives with crashes, ${asked} of them with a question about a call in doubt.`
  if (found.length === 0) return `${head}\nNothing is wrong.`
  const lines = found.map(
    (finding) => `- ${findingText(finding)}\n  first: ${finding.crash}${finding.times > 1 ? ` (and ${finding.times - 1} more)` : ''}`,
  )
  return [head, ...lines].join('\n')
}

/** Runs an agent under every crash there is, and throws the report when something is wrong. */
export async function assertChaos<W extends object>(agent: (scene: ChaosScene<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport> {
  const report = await chaos(agent, options)
  if (report.found.length > 0) throw new Error(`The agent does not survive crashes.\n${chaosText(report)}`)
  return report
}
