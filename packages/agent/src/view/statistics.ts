/** Statistics of runs and tools: a fold over events. */
import { emptyFrame, evolve, type Frame, type LoomEvent } from '@loom-agent/kernel'
import { endings, type ObservingHook, toolOf } from '../hook/built-in/observing-hook.ts'

/** How often something ended, how often well, and how long it took on average. The rate and the mean of nothing are undefined. */
export interface Figures {
  /** How many have ended. */
  readonly count: number
  /** The part that ended well, from 0 to 1; `undefined` when nothing has ended. */
  readonly successRate: number | undefined
  /** Milliseconds; the time that a run waits does not count, that of its earlier ends does. */
  readonly meanMs: number | undefined
}

/** Figures of runs, and of each tool. */
export interface Statistics {
  /** Every end counts: a run that failed and was resumed has ended twice. */
  readonly runs: Figures
  /** Calls by the name of their tool. */
  readonly tools: { readonly [tool: string]: Figures }
}

/** A hook that keeps statistics. */
export interface StatisticsHook extends ObservingHook {
  /** The statistics so far. */
  read(): Statistics
}

interface Tally {
  count: number
  succeeded: number
  ms: number
}

/** The statistics of the given events, of one thread or of many. */
export function statisticsOf(events: Iterable<LoomEvent>): Statistics {
  const { observe, read } = createStatistics()
  const frames = new Map<string, Frame>()
  for (const event of events) {
    const frame = evolve(frames.get(event.thread) ?? emptyFrame(event.thread), event)
    frames.set(event.thread, frame)
    observe(event, frame)
  }
  return read()
}

/**
 * Creates a hook that keeps statistics of an agent's runs and tools.
 *
 * @example
 * const statistics = createStatistics()
 * agent({ model, hooks: [statistics] })
 */
export function createStatistics(): StatisticsHook {
  const runs = emptyTally()
  const tools = new Map<string, Tally>()
  const add = (tally: Tally, isGood: boolean, ms = 0): Tally => {
    tally.count += 1
    tally.succeeded += isGood ? 1 : 0
    tally.ms += ms
    return tally
  }
  return {
    name: 'statistics',
    observe({ type, data, run }, frame) {
      if (endings.has(type)) add(runs, type === 'run.finished', frame.run?.id === run ? frame.run?.driven : 0)
      if (type !== 'tool.finished' && type !== 'tool.denied') return
      // The reply that proposed the call may be older than this hook.
      const tool = toolOf(frame, data.call) ?? 'unknown'
      const tally = tools.get(tool) ?? emptyTally()
      tools.set(tool, type === 'tool.finished' ? add(tally, data.status !== 'error', data.ms) : add(tally, false))
    },
    read: () => ({ runs: figuresOf(runs), tools: Object.fromEntries([...tools].map(([name, tally]) => [name, figuresOf(tally)])) }),
  }
}

const emptyTally = (): Tally => ({ count: 0, succeeded: 0, ms: 0 })

function figuresOf({ count, succeeded, ms }: Tally): Figures {
  return count === 0 ? { count, successRate: undefined, meanMs: undefined } : { count, successRate: succeeded / count, meanMs: ms / count }
}
