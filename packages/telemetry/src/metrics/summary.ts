/** Many runs together: the five groups of figures that people ask for. */
import { addDurations, noDurations } from './durations.ts'
import type { RunMetrics, ToolMetrics } from './run-metrics.ts'

/** Figures of one tool. */
export interface ToolSummary extends ToolMetrics {
  /** The part that did not end in an error, from 0 to 1; `undefined` when nothing has ended. */
  readonly successRate: number | undefined
  /** Milliseconds of one call, on average; `undefined` when nothing has ended. */
  readonly meanMs: number | undefined
}

/** Figures of many runs. Costs are integer micro-units, times milliseconds; the rate and the mean of nothing are `undefined`. */
export interface MetricsSummary {
  /** How many runs there were, how they stand, and how long they were driven. */
  readonly execution: {
    readonly runs: number
    readonly byStatus: { readonly [S in RunMetrics['status']]: number }
    readonly turns: number
    readonly drivenMs: number
    readonly meanTurnMs: number | undefined
    /** The first start and the last end or start, in milliseconds since 1970. */
    readonly from: number | undefined
    readonly to: number | undefined
  }
  /** Calls of models. */
  readonly model: {
    readonly calls: number
    readonly errors: number
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cost: number
    readonly unpriced: number
    readonly meanMs: number | undefined
    readonly largestRequest: number
  }
  /** Calls of tools. */
  readonly tools: {
    readonly calls: number
    readonly successRate: number | undefined
    readonly meanMs: number | undefined
    readonly mostParallel: number
    readonly byTool: { readonly [tool: string]: ToolSummary }
  }
  /** Summaries of contexts. */
  readonly compression: {
    readonly count: number
    readonly errors: number
    /** Tokens of the summaries over tokens of what they stand for; `undefined` when nothing was compressed. */
    readonly meanRatio: number | undefined
  }
  /** What went wrong. */
  readonly errors: {
    readonly total: number
    /** Errors over calls of models and tools; `undefined` without calls. */
    readonly rate: number | undefined
    readonly byKind: { readonly [kind: string]: number }
  }
  /** What people were asked. */
  readonly questions: { readonly asked: number; readonly meanAnswerMs: number | undefined }
}

const ratio = (part: number, of: number): number | undefined => (of > 0 ? part / of : undefined)

/** Adds counts by name. Names come from outside, so a map holds them. */
function addTo(counts: Map<string, number>, more: { readonly [name: string]: number }): void {
  for (const [name, count] of Object.entries(more)) counts.set(name, (counts.get(name) ?? 0) + count)
}

type Runs = readonly RunMetrics[]
const sumOf = (runs: Runs, of: (run: RunMetrics) => number): number => runs.reduce((total, run) => total + of(run), 0)
const mostOf = (runs: Runs, of: (run: RunMetrics) => number): number => runs.reduce((found, run) => Math.max(found, of(run)), 0)

/** The figures of the given runs together. */
export function summarizeMetrics(runs: Iterable<RunMetrics>): MetricsSummary {
  const all = [...runs]
  const model = modelOf(all)
  const tools = toolsOf(all)
  const byKind = new Map<string, number>()
  for (const { errors } of all) addTo(byKind, errors)
  const total = [...byKind.values()].reduce((a, b) => a + b, 0)
  const asked = sumOf(all, (run) => run.questions)
  const summarised = sumOf(all, (run) => run.compressedFrom)
  return {
    execution: executionOf(all),
    model,
    tools,
    compression: {
      count: sumOf(all, (run) => run.compressions),
      errors: sumOf(all, (run) => run.compressionErrors),
      meanRatio: ratio(
        sumOf(all, (run) => run.compressedTo),
        summarised,
      ),
    },
    errors: { total, rate: ratio(total, tools.calls + model.calls), byKind: Object.fromEntries(byKind) },
    questions: {
      asked,
      meanAnswerMs: ratio(
        sumOf(all, (run) => run.answerMs),
        asked,
      ),
    },
  }
}

function executionOf(runs: Runs): MetricsSummary['execution'] {
  const turns = sumOf(runs, (run) => run.turns)
  const drivenMs = sumOf(runs, (run) => run.drivenMs)
  const [first] = runs
  return {
    runs: runs.length,
    byStatus: byStatus(runs),
    turns,
    drivenMs,
    meanTurnMs: ratio(drivenMs, turns),
    from: first && runs.reduce((earliest, { started }) => Math.min(earliest, started), first.started),
    to: first && mostOf(runs, ({ started, ended }) => ended ?? started),
  }
}

function modelOf(runs: Runs): MetricsSummary['model'] {
  const calls = sumOf(runs, (run) => run.modelCalls)
  const errors = sumOf(runs, (run) => run.modelErrors)
  return {
    calls,
    errors,
    input: sumOf(runs, (run) => run.input),
    output: sumOf(runs, (run) => run.output),
    cacheRead: sumOf(runs, (run) => run.cacheRead),
    cost: sumOf(runs, (run) => run.cost),
    unpriced: sumOf(runs, (run) => run.unpriced),
    meanMs: ratio(
      sumOf(runs, (run) => run.modelMs),
      calls - errors,
    ),
    largestRequest: mostOf(runs, (run) => run.largestRequest),
  }
}

function toolsOf(runs: Runs): MetricsSummary['tools'] {
  const byTool = new Map<string, ToolMetrics>()
  for (const { tools } of runs) for (const [name, tool] of Object.entries(tools)) byTool.set(name, addTools(byTool.get(name), tool))
  const all = [...byTool.values()].reduce<ToolMetrics | undefined>(addTools, undefined)
  return {
    calls: all?.calls ?? 0,
    successRate: all && ratio(all.calls - all.errors, all.calls),
    meanMs: all && ratio(all.durations.sum, all.calls),
    mostParallel: mostOf(runs, (run) => run.mostParallel),
    byTool: Object.fromEntries([...byTool].map(([name, tool]) => [name, toolSummary(tool)])),
  }
}

/** Calls of one tool in two places together. */
function addTools(a: ToolMetrics | undefined, b: ToolMetrics): ToolMetrics {
  const { calls, errors, denied, durations } = a ?? { calls: 0, errors: 0, denied: 0, durations: noDurations() }
  return { calls: calls + b.calls, errors: errors + b.errors, denied: denied + b.denied, durations: addDurations(durations, b.durations) }
}

const toolSummary = (tool: ToolMetrics): ToolSummary => ({
  ...tool,
  successRate: ratio(tool.calls - tool.errors, tool.calls),
  meanMs: ratio(tool.durations.sum, tool.calls),
})

function byStatus(runs: readonly RunMetrics[]): MetricsSummary['execution']['byStatus'] {
  const counts = { running: 0, waiting: 0, done: 0, failed: 0, stopped: 0 }
  for (const { status } of runs) counts[status] += 1
  return counts
}
