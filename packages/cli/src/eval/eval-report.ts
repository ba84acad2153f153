/** The table of an eval: a fold over the events of its thread. */
import type { Json, LoomEvent, Usage } from '@loom-agent/kernel'
import type { VerdictRecord } from './verdict.ts'

/** A verdict with what its answer has cost. */
export interface ReportedVerdict extends VerdictRecord {
  /** Tokens of the answer, without those of models that judged it. */
  readonly tokens: number
  /** Micro-units of the answer; `undefined` where a price is not known. */
  readonly cost: number | undefined
  /** The thread on which the answer was given; absent in a replay. */
  readonly child?: string
}

/** A candidate over all its cases. */
export interface CandidateReport {
  /** Its name. */
  readonly candidate: string
  /** How many cases were judged. */
  readonly judged: number
  /** How many of them passed. */
  readonly passed: number
  /** How many scorers failed. */
  readonly errors: number
  /** The mean of each scorer. */
  readonly scores: Readonly<Record<string, number>>
  /** Tokens of its answers. */
  readonly tokens: number
  /** Micro-units of its answers; `undefined` where a price is not known. */
  readonly cost: number | undefined
}

/** What an eval has come to. */
export interface EvalReport {
  /** The thread of the eval. */
  readonly thread: string
  /** Each candidate over all its cases. */
  readonly candidates: readonly CandidateReport[]
  /** Every verdict, by case and candidate. */
  readonly verdicts: readonly ReportedVerdict[]
  /** Cases on which the candidates differ: one passes and another does not. */
  readonly differing: readonly string[]
  /** Answers that have no verdict, because the eval has not come to them or its budget did not reach them. */
  readonly missing: number
  /** Tokens of models that judged. */
  readonly judging: number
}

interface Spent {
  readonly tokens: number
  readonly cost: number | undefined
  readonly child: string
}

/** What is asked for: the names of cases and candidates, in order. */
export interface Asked {
  readonly cases: readonly string[]
  readonly candidates: readonly string[]
}

/** Folds the events of an eval. */
export async function reportOf(thread: string, { cases, candidates }: Asked, events: AsyncIterable<LoomEvent>): Promise<EvalReport> {
  const records = new Map<string, VerdictRecord>()
  const spent = new Map<string, Spent>()
  for await (const event of events) {
    const verdict = verdictIn(event)
    if (verdict) records.set(keyOf(verdict.candidate, verdict.case), verdict)
    if (event.type === 'child.finished') spent.set(childName(event.data.key), spentIn(event.data))
  }
  const verdicts = cases.flatMap((one) => candidates.flatMap((candidate) => reported(records.get(keyOf(candidate, one)), spent)))
  const judged = verdicts.filter(({ unpaid }) => !unpaid)
  return {
    thread,
    candidates: candidates.map((name) => summed(name, judged)),
    verdicts,
    differing: cases.filter((one) => new Set(judged.filter(({ case: name }) => name === one).map(({ isPassed }) => isPassed)).size > 1),
    missing: cases.length * candidates.length - judged.length,
    judging: [...spent].reduce((sum, [name, { tokens }]) => (records.has(name) ? sum : sum + tokens), 0),
  }
}

const keyOf = (candidate: string, name: string): string => `${candidate}/${name}`

/** The name of a child as the body gave it. */
const childName = (key: string): string => /^run:(.*):\d+$/s.exec(key)?.[1] ?? key

/** The verdict that an event records. */
export function verdictIn(event: LoomEvent): VerdictRecord | undefined {
  if (event.type !== 'tool.step-finished' || !event.data.key.startsWith('step:verdict ')) return undefined
  const { value } = event.data
  return isVerdict(value) ? value : undefined
}

const isVerdict = (value: Json | undefined): value is VerdictRecord & Json =>
  typeof value === 'object' && value !== null && 'isPassed' in value && 'candidate' in value && 'scores' in value

interface Finished {
  readonly child: string
  readonly usage?: Usage
  readonly cost?: number
}

function spentIn({ child, usage, cost }: Finished): Spent {
  return { tokens: usage ? usage.input + usage.output : 0, cost, child }
}

function reported(record: VerdictRecord | undefined, spent: ReadonlyMap<string, Spent>): readonly ReportedVerdict[] {
  if (!record) return []
  const of = spent.get(keyOf(record.candidate, record.case))
  return [{ ...record, tokens: of?.tokens ?? 0, cost: of?.cost, ...(of && { child: of.child }) }]
}

function summed(candidate: string, all: readonly ReportedVerdict[]): CandidateReport {
  const own = all.filter((one) => one.candidate === candidate)
  const names = [...new Set(own.flatMap(({ scores }) => Object.keys(scores)))]
  const judgedBy = (name: string) => own.flatMap(({ scores }) => (scores[name] && scores[name].error === undefined ? [scores[name].score] : []))
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
  const costs = own.map(({ cost }) => cost)
  return {
    candidate,
    judged: own.length,
    passed: own.filter(({ isPassed }) => isPassed).length,
    errors: own.flatMap(({ scores }) => Object.values(scores)).filter(({ error }) => error !== undefined).length,
    scores: Object.fromEntries(names.map((name) => [name, total(judgedBy(name)) / Math.max(1, judgedBy(name).length)])),
    tokens: total(own.map(({ tokens }) => tokens)),
    cost: costs.some((one) => one === undefined) ? undefined : total(costs.filter((one) => one !== undefined)),
  }
}

/** Whether each candidate passes the share of its cases that is asked for; a case without a verdict is not passed. */
export function isAbove({ candidates, missing }: EvalReport, threshold: number): boolean {
  const most = candidates.reduce((least, { judged }) => Math.max(least, judged), 0)
  return missing === 0 && candidates.every(({ passed }) => most > 0 && passed / most >= threshold)
}
