/** Statistics of runs and tools: a fold over events, and nothing that runs share. */
import type { LoomEvent } from '@loom-agent/kernel'
import { isTerminal, type SeedEvent } from './seed-event.ts'
import { projectSeed } from './seed-events.ts'
import { emptyView, type SeedView } from './seed-view.ts'

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

/** Statistics as they grow: an observer, and a reading at any time. */
export interface StatisticsObserver {
  readonly observer: (event: LoomEvent) => void
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
  const { observer, read } = createStatistics()
  for (const event of events) observer(event)
  return read()
}

/**
 * Statistics that an agent's observer keeps.
 *
 * @example
 * const statistics = createStatistics()
 * agent({ model, observers: [statistics.observer] })
 */
export function createStatistics(): StatisticsObserver {
  const runs = freshTally()
  const tools = new Map<string, Tally>()
  const open = new Map<string, { readonly view: SeedView; readonly watch: Watch }>()
  return {
    observer(event) {
      const { view, watch } = open.get(event.thread) ?? { view: emptyView(event.thread), watch: { driven: 0, since: undefined } }
      const projected = projectSeed(view, event)
      open.set(event.thread, { view: projected.view, watch })
      for (const told of projected.events) {
        keepTime(watch, told)
        if (told.type === 'tool_result' || told.type === 'tool_error') {
          const { toolName, isError, executionTimeMs } = told.toolResult
          const tally = tools.get(toolName) ?? freshTally()
          tools.set(toolName, add(tally, { isGood: !isError, ms: executionTimeMs }))
        }
        if (!isTerminal(told)) continue
        add(runs, { isGood: told.type === 'agent_finish', ms: watch.driven })
        open.delete(event.thread)
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
