/** Metrics in the text format of Prometheus, under the names of the original Python project. */
import { addDurations, type Durations, durationBounds, noDurations } from './durations.ts'
import type { RunMetrics } from './run-metrics.ts'

type Labels = Readonly<Record<string, string>>

/** A label value, with what would end it escaped. */
const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

const rendered = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${quoted(value)}`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

interface Series {
  readonly labels: Labels
  readonly value: number
}

function family(name: string, about: { type: 'counter' | 'gauge'; help: string }, series: readonly Series[]): string {
  const lines = series.map(({ labels, value }) => `${name}${rendered(labels)} ${value}`)
  return [`# HELP ${name} ${about.help}`, `# TYPE ${name} ${about.type}`, ...lines].join('\n')
}

interface Observed {
  readonly labels: Labels
  readonly durations: Durations
}

function histogram(name: string, help: string, observed: readonly Observed[]): string {
  const lines = observed.flatMap(({ labels, durations: { counts, sum } }) => {
    let count = 0
    const buckets = counts.map((more, index) => {
      count += more
      const bound = durationBounds[index]
      return `${name}_bucket${rendered({ ...labels, le: bound === undefined ? '+Inf' : String(bound / 1000) })} ${count}`
    })
    return [...buckets, `${name}_sum${rendered(labels)} ${sum / 1000}`, `${name}_count${rendered(labels)} ${count}`]
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join('\n')
}

/** The sums of a figure, by labels. */
function summed(entries: Iterable<readonly [Labels, number]>): readonly Series[] {
  const found = new Map<string, { labels: Labels; value: number }>()
  for (const [labels, value] of entries) {
    const key = rendered(labels)
    const one = found.get(key) ?? { labels, value: 0 }
    one.value += value
    found.set(key, one)
  }
  return [...found.values()]
}

/** Metrics of runs as a page that Prometheus scrapes. */
export function prometheusOf(runs: readonly RunMetrics[]): string {
  const byAgent = (of: (run: RunMetrics) => number): readonly Series[] => summed(runs.map((run) => [{ agent: run.agent }, of(run)] as const))
  const calls = runs.flatMap(({ tools }) =>
    Object.entries(tools).flatMap(([tool_name, { calls: all, errors, denied }]) => [
      [{ tool_name, status: 'success' }, all - errors] as const,
      [{ tool_name, status: 'error' }, errors - denied] as const,
      [{ tool_name, status: 'denied' }, denied] as const,
    ]),
  )
  const turns = runs.reduce((sum, { turnDurations }) => addDurations(sum, turnDurations), noDurations())
  const ofTools = new Map<string, Durations>()
  for (const { tools } of runs) {
    for (const [tool, { durations }] of Object.entries(tools)) ofTools.set(tool, addDurations(ofTools.get(tool) ?? noDurations(), durations))
  }
  const isActive = ({ status }: RunMetrics): number => (status === 'running' || status === 'waiting' ? 1 : 0)
  return `${[
    family(
      'loom_runs_total',
      { type: 'counter', help: 'Runs that were started.' },
      summed(runs.map(({ agent, status }) => [{ agent, status }, 1] as const)),
    ),
    family(
      'loom_iterations_total',
      { type: 'counter', help: 'Turns that were entered.' },
      byAgent(({ turns }) => turns),
    ),
    family(
      'loom_llm_calls_total',
      { type: 'counter', help: 'Model calls; attempts count.' },
      byAgent(({ modelCalls }) => modelCalls),
    ),
    family('loom_tool_calls_total', { type: 'counter', help: 'Tool calls that have their result.' }, summed(calls)),
    family('loom_tokens_total', { type: 'counter', help: 'Tokens of models.' }, [
      ...byAgent(({ input }) => input).map(({ labels, value }) => ({ labels: { ...labels, direction: 'input' }, value })),
      ...byAgent(({ output }) => output).map(({ labels, value }) => ({ labels: { ...labels, direction: 'output' }, value })),
    ]),
    family(
      'loom_cost_micro_units_total',
      { type: 'counter', help: 'What is known of the cost, in millionths of a unit.' },
      byAgent(({ cost }) => cost),
    ),
    family('loom_active_agents', { type: 'gauge', help: 'Runs that are under way or wait.' }, byAgent(isActive)),
    family('loom_context_tokens', { type: 'gauge', help: 'The largest request of the runs.' }, [
      { labels: {}, value: runs.reduce((most, { largestRequest }) => Math.max(most, largestRequest), 0) },
    ]),
    histogram('loom_iteration_duration_seconds', 'How long turns took.', [{ labels: {}, durations: turns }]),
    histogram(
      'loom_tool_execution_duration_seconds',
      'How long tool calls took.',
      [...ofTools].map(([tool_name, durations]) => ({ labels: { tool_name }, durations })),
    ),
  ].join('\n')}\n`
}
