/** Statistics of runs and tools: a fold over events, and nothing that runs share. */
import type { LoomEvent } from '@loom-agent/kernel'
import type { Hook } from '../hook/hook.ts'
import { isTerminal, type SeedEvent } from './seed-event.ts'
import { createSeedProjection } from './seed-events.ts'

/** How often something ended, how often well, and how long it took on average. Rates of nothing are unknown. */
export interface Figures {
  readonly count: number
  readonly successRate: number | undefined
  /** Milliseconds; a run's waiting does not count. */
  readonly meanMs: number | undefined
}

/** Figures of runs, and of each tool. */
export interface Statistics {
  readonly runs: Figures
  readonly tools: { readonly [tool: string]: Figures }
}

/** A hook that keeps statistics, with a reading at any time. */
export interface StatisticsHook extends Hook {
  observe(event: LoomEvent): void
  read(): Statistics
}

interface Tally {
  count: number
  succeeded: number
  ms: number
}

/** A run under way: how long it was driven, and since when it is. */
interface Watch {
  driven: number
  since: number | undefined
}

/** The statistics of the given events, of one thread or of many. */
export function statisticsOf(events: Iterable<LoomEvent>): Statistics {
  const { observe, read } = createStatistics()
  for (const event of events) observe(event)
  return read()
}

/**
 * Statistics of what an agent's runs do, kept by a hook.
 *
 * @example
 * const statistics = createStatistics()
 * agent({ model, hooks: [statistics] })
 */
export function createStatistics(): StatisticsHook {
  const runs = freshTally()
  const tools = new Map<string, Tally>()
  const project = createSeedProjection()
  const watches = new Map<string, Watch>()
  return {
    name: 'statistics',
    observe(event) {
      for (const told of project(event)) {
        const watch = watches.get(told.thread) ?? { driven: 0, since: undefined }
        watches.set(told.thread, watch)
        keepTime(watch, told)
        if (told.type === 'tool_result' || told.type === 'tool_error') {
          const { toolName, isError, executionTimeMs } = told.toolResult
          tools.set(toolName, add(tools.get(toolName) ?? freshTally(), { isGood: !isError, ms: executionTimeMs }))
        }
        if (!isTerminal(told)) continue
        add(runs, { isGood: told.type === 'agent_finish', ms: watch.driven })
        watches.delete(told.thread)
      }
    },
    read: () => ({ runs: figuresOf(runs), tools: Object.fromEntries([...tools].map(([name, tally]) => [name, figuresOf(tally)])) }),
  }
}

const freshTally = (): Tally => ({ count: 0, succeeded: 0, ms: 0 })

function add(tally: Tally, ended: { isGood: boolean; ms: number }): Tally {
  tally.count += 1
  tally.succeeded += ended.isGood ? 1 : 0
  tally.ms += ended.ms
  return tally
}

function keepTime(watch: Watch, event: SeedEvent): void {
  if (event.type !== 'execution_cancelled' && !isTerminal(event)) {
    watch.since ??= event.timestamp
    return
  }
  watch.driven += event.timestamp - (watch.since ?? event.timestamp)
  watch.since = undefined
}

function figuresOf({ count, succeeded, ms }: Tally): Figures {
  return count === 0 ? { count, successRate: undefined, meanMs: undefined } : { count, successRate: succeeded / count, meanMs: ms / count }
}
