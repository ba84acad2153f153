/** Chaos for users: their own agent crashes at every crash point, and a report says what that costs. */
import type { AnyAgent, Question, SignedAnswer } from '@loom-agent/agent'
import { checkOptions, type Expected, expected, type Shape } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { crashPointText } from './crash-point.ts'
import { type CrashReport, enumerateCrashes } from './enumerate.ts'
import { type Finding, findingText } from './finding.ts'
import type { InputOptions } from './scenario.ts'
import type { CrashStorageFactory } from './storage.ts'

/** What the agent of each process is made with. */
export interface ChaosContext<W extends object> {
  /** The journal of the trial. */
  readonly journal: Journal
  /** The external world, as this process reaches it: calls of a dead process never arrive. */
  readonly world: W
}

/** How the agent is tried. */
export interface ChaosOptions<W extends object> {
  /** Given one after another, each when the run before has ended. */
  readonly inputs: readonly string[]
  /**
   * The external world that tools reach: an object whose methods have effects and whose fields show what was done. Each trial has its own.
   * Effects that do not go through it are not seen.
   */
  readonly world?: () => W
  /** What of the world must be as if nothing had happened; default: its data. */
  readonly observe?: (world: W) => unknown
  /** How questions are answered; default: approve. A call in doubt is answered by what really happened. */
  readonly answer?: (question: Question) => SignedAnswer | undefined
  /** What each input comes with. */
  readonly run?: InputOptions
  /** How many pairs of crashes are tried as well, the second while the next process recovers from the first; default 20. */
  readonly pairs?: number
  /** Chooses the pairs; default 1. */
  readonly seed?: number
  /** Milliseconds of real time that tools may need before the clock moves on; default 0, for tools that wait for nothing real. */
  readonly patience?: number
  /** Where the journal of each trial is kept; default: in memory. */
  readonly journal?: CrashStorageFactory
}

/** A finding, once, with the first crash that showed it and how many did. */
export interface ChaosFinding extends Finding {
  /** The first crash that showed it. */
  readonly crash: string
  /** How many trials showed it. */
  readonly times: number
}

/** What became of an agent under chaos. */
export interface ChaosReport {
  /** Crash points of the uninterrupted run. */
  readonly crashPoints: number
  /** Trials with crashes. */
  readonly trials: number
  /** Trials in which a human had to be asked about a call in doubt: the cost of unsafe tools. */
  readonly asked: number
  /** What is wrong; empty when nothing is. */
  readonly found: readonly ChaosFinding[]
}

const shape: Shape & Record<keyof ChaosOptions<object>, Expected> = {
  inputs: expected.required(expected.list(expected.text, 'a list of texts')),
  world: expected.function,
  observe: expected.function,
  answer: expected.function,
  run: expected.object,
  pairs: expected.whole(0),
  seed: expected.number(),
  patience: expected.number(0),
  journal: expected.anything,
}

/**
 * Runs an agent with a crash at every crash point.
 *
 * @example
 * await assertChaos(({ journal, world }) => agent({ model, tools: [chargeWith(world)], journal }), { inputs: ['Charge 5.'], world: fakeBank })
 */
export async function chaos<W extends object>(agent: (context: ChaosContext<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport> {
  checkOptions('chaos', { agent }, { agent: expected.required(expected.function) })
  checkOptions('chaos', options, shape)
  const { inputs, world = () => ({}) as W, observe, answer, run = {}, pairs = 20, ...how } = options
  const report = await enumerateCrashes<W>(
    {
      name: 'chaos',
      world,
      agent,
      async play(user) {
        for (const input of inputs) await user.input(input, run)
      },
      ...(observe && { observe }),
      ...(answer && { answer }),
    },
    { pairs, distinct: true, ...how },
  )
  const { crashPoints, outcomes } = report
  return { crashPoints, trials: outcomes.length, asked: outcomes.filter(({ kind }) => kind === 'asked').length, found: distinctFindings(report) }
}

/** Many crashes show the same finding: it is reported once. */
function distinctFindings({ uninterrupted, outcomes }: CrashReport): readonly ChaosFinding[] {
  const found = new Map<string, ChaosFinding>()
  const add = (finding: Finding, crash: string): void => {
    const key = `${finding.kind} ${finding.at?.replace(/@\d+$/, '')} ${finding.message.replace(/\d+/g, 'n').slice(0, 120)}`
    const known = found.get(key)
    found.set(key, { ...(known ?? { ...finding, crash }), times: (known?.times ?? 0) + 1 })
  }
  for (const finding of uninterrupted) add(finding, 'without a crash')
  for (const { crashes, found: findings } of outcomes) {
    for (const finding of findings) add(finding, crashes.map((point) => `crash at point ${crashPointText(point)}`).join(', then '))
  }
  return [...found.values()]
}

/** A report as text. */
export function chaosText({ crashPoints, trials, asked, found }: ChaosReport): string {
  const head = `${crashPoints} crash points, ${trials} trials with crashes, ${asked} of them with a question about a call in doubt.`
  if (found.length === 0) return `${head}\nNothing is wrong.`
  const lines = found.map(
    (finding) => `- ${findingText(finding)}\n  first: ${finding.crash}${finding.times > 1 ? ` (and ${finding.times - 1} more)` : ''}`,
  )
  return [head, ...lines].join('\n')
}

/** Runs an agent with a crash at every crash point, and throws the report when something is wrong. */
export async function assertChaos<W extends object>(agent: (context: ChaosContext<W>) => AnyAgent, options: ChaosOptions<W>): Promise<ChaosReport> {
  const report = await chaos(agent, options)
  if (report.found.length > 0) throw new Error(`The agent does not survive crashes.\n${chaosText(report)}`)
  return report
}
