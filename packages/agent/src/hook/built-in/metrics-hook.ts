/** Counting what runs do. */
import type { LoomEvent } from '@loom-agent/kernel'
import { expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { endings, type ObservingHook } from './observing-hook.ts'

/** What was counted. Durations are milliseconds. */
export interface Metrics {
  /** Turns that were entered. */
  readonly turns: number
  /** Attempts count: a reply after two failures is three calls and two errors. */
  readonly modelCalls: number
  /** Calls that have their result, whatever it is. */
  readonly toolCalls: number
  /** Failed model calls, error results of tools, failed runs. */
  readonly errors: number
  /** Tokens of all model calls. */
  readonly tokens: { readonly input: number; readonly output: number }
  /** `run` is the time of driving: waiting for people does not count. */
  readonly durations: { readonly model: number; readonly tools: number; readonly run: number }
}

/** A hook that counts. */
export interface MetricsHook extends ObservingHook {
  /** The counts of one run; without one, of everything this hook has seen. */
  metrics(of?: { readonly thread: string; readonly run: string }): Metrics
}

/** One set of counts while it grows. */
type Tally = { -readonly [K in keyof Metrics]: Metrics[K] extends number ? number : { -readonly [F in keyof Metrics[K]]: number } }

/** The counts of a run, and the seq of the last event counted. */
interface RunTally {
  readonly tally: Tally
  seq: number
}

const nothing = (): Tally => ({
  turns: 0,
  modelCalls: 0,
  toolCalls: 0,
  errors: 0,
  tokens: { input: 0, output: 0 },
  durations: { model: 0, tools: 0, run: 0 },
})

/**
 * Counts turns, calls, errors, tokens and time, for each run and in all. Runs of children count where their own agent has the hook.
 *
 * @example
 * const counter = metricsHook()
 * await agent({ model, hooks: [counter] }).run('2+2?')
 * counter.metrics().modelCalls // 1
 */
export function metricsHook(options: { readonly keep?: number } = {}): MetricsHook {
  checkOptions('metricsHook', options, { keep: expected.number(1) })
  const { keep = 1000 } = options
  const total = nothing()
  const runs = new Map<string, RunTally>()

  const tallyOf = (key: string): RunTally => {
    const known = runs.get(key)
    if (known) return known
    const fresh: RunTally = { tally: nothing(), seq: 0 }
    runs.set(key, fresh)
    // The oldest run goes: memory does not grow with the number of runs, and the total has it.
    if (runs.size > keep) runs.delete(runs.keys().next().value as string)
    return fresh
  }

  return {
    name: 'metricsHook',
    observe(event, { run: current }) {
      if (event.run === undefined || event.type === 'run.queued') return
      const run = tallyOf(`${event.thread}/${event.run}`)
      if (event.seq <= run.seq) return
      run.seq = event.seq
      const isAtRest = event.type === 'run.suspended' || endings.has(event.type)
      const driven = isAtRest && current?.id === event.run ? current.driven - run.tally.durations.run : 0
      for (const tally of [run.tally, total]) {
        tally.durations.run += driven
        count(tally, event)
      }
    },
    metrics: (of) => structuredClone(of ? (runs.get(`${of.thread}/${of.run}`)?.tally ?? nothing()) : total),
  }
}

function count(tally: Tally, event: LoomEvent): void {
  switch (event.type) {
    case 'turn.entered':
      tally.turns += 1
      return
    case 'model.requested':
      tally.modelCalls += 1
      return
    case 'model.replied':
      tally.tokens.input += event.data.usage.input
      tally.tokens.output += event.data.usage.output
      tally.durations.model += event.data.ms ?? 0
      return
    case 'tool.finished':
      tally.toolCalls += 1
      tally.durations.tools += event.data.ms ?? 0
      if (event.data.status === 'error') tally.errors += 1
      return
    case 'tool.denied':
      tally.toolCalls += 1
      tally.errors += 1
      return
    case 'model.failed':
    case 'run.failed':
      tally.errors += 1
      return
    default:
      return
  }
}
