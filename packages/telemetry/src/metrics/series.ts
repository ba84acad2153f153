/** Figures over time: the runs of a range in equal steps, all together or by what they are of. */
import { runsByTime } from './journal-metrics.ts'
import type { RunMetrics } from './run-metrics.ts'

/** By what the lines of a chart are told apart. */
export type SeriesBy = 'all' | 'agent' | 'model' | 'status'

/** Which steps of time, and by what. */
export interface SeriesOptions {
  /** The beginning of the first step, in milliseconds since 1970. */
  readonly from: number
  /** The end of the last step. */
  readonly to: number
  /** Milliseconds of a step. */
  readonly step: number
  /** By what lines are told apart; default `all`. */
  readonly by?: SeriesBy
}

/** One line of a chart: the sums of the runs that started in each step. Costs are integer micro-units, times milliseconds. */
export interface MetricsLine {
  /** What the line is of. */
  readonly key: string
  /** Runs that started. */
  readonly runs: readonly number[]
  /** Those of them that failed. */
  readonly failed: readonly number[]
  /** Turns that they took. */
  readonly turns: readonly number[]
  /** What is known of their cost. */
  readonly cost: readonly number[]
  /** Tokens that they sent. */
  readonly input: readonly number[]
  /** Tokens that came back. */
  readonly output: readonly number[]
  /** Tokens of the input that a cache had. */
  readonly cacheRead: readonly number[]
  /** Time that models took to reply. */
  readonly modelMs: readonly number[]
  /** Calls of models. */
  readonly modelCalls: readonly number[]
  /** Time that tools took. */
  readonly toolMs: readonly number[]
  /** Calls of tools. */
  readonly toolCalls: readonly number[]
  /** Those of them whose result is an error. */
  readonly toolErrors: readonly number[]
}

/** Lines over the same steps. */
export interface MetricsSeries {
  /** The beginning of the first step. */
  readonly from: number
  /** Milliseconds of a step. */
  readonly step: number
  /** How many steps there are. */
  readonly steps: number
  /** The lines; the one with the most runs first. */
  readonly lines: readonly MetricsLine[]
  /** Runs of lines that are beyond the first fifty. */
  readonly omitted: number
}

/** Steps that a series has at most, and lines. */
const most = { steps: 2000, lines: 50 }

type Figures = Omit<MetricsLine, 'key'>
type Growing = { [K in keyof Figures]: number[] }

const figures: { readonly [K in keyof Figures]: (run: RunMetrics) => number } = {
  runs: () => 1,
  failed: ({ status }) => Number(status === 'failed'),
  turns: ({ turns }) => turns,
  cost: ({ cost }) => cost,
  input: ({ input }) => input,
  output: ({ output }) => output,
  cacheRead: ({ cacheRead }) => cacheRead,
  modelMs: ({ modelMs }) => modelMs,
  modelCalls: ({ modelCalls }) => modelCalls,
  toolMs: ({ tools }) => Object.values(tools).reduce((sum, { durations }) => sum + durations.sum, 0),
  toolCalls: ({ tools }) => Object.values(tools).reduce((sum, { calls }) => sum + calls, 0),
  toolErrors: ({ tools }) => Object.values(tools).reduce((sum, { errors }) => sum + errors, 0),
}
const names = Object.keys(figures) as readonly (keyof Figures)[]

const keyOf = (run: RunMetrics, by: SeriesBy): string => (by === 'all' ? 'all' : run[by])

/** The figures of runs over time. Runs that started outside of the range are not counted; a range with more than 2,000 steps has longer ones. */
export function seriesOf(runs: Iterable<RunMetrics>, { from, to, step: wanted, by = 'all' }: SeriesOptions): MetricsSeries {
  const step = Math.max(1, Math.ceil(wanted), Math.ceil((to - from) / most.steps))
  const inRange = [...runs].filter(({ started }) => started >= from && started < to)
  const byStep = runsByTime(inRange, { from, to, step })
  const lines = new Map<string, Growing>()
  for (const [place, started] of byStep.entries()) {
    for (const run of started) {
      const key = keyOf(run, by)
      const line = lines.get(key) ?? emptyLine(byStep.length)
      lines.set(key, line)
      for (const name of names) line[name][place] = (line[name][place] ?? 0) + figures[name](run)
    }
  }
  const runsOf = ({ runs: counts }: Figures): number => counts.reduce((sum, count) => sum + count, 0)
  const sorted = [...lines].map(([key, line]): MetricsLine => ({ key, ...line })).sort((one, other) => runsOf(other) - runsOf(one))
  const omitted = sorted.slice(most.lines).reduce((sum, line) => sum + runsOf(line), 0)
  return { from, step, steps: byStep.length, lines: sorted.slice(0, most.lines), omitted }
}

const emptyLine = (steps: number): Growing => Object.fromEntries(names.map((name) => [name, new Array<number>(steps).fill(0)])) as Growing
