/** Statistics of runs and tools: a fold over events. */
import type { LoomEvent, Part } from '@loom-agent/kernel'
import type { Hook } from '../hook/hook.ts'

/** How often something ended, how often well, and how long it took on average. The rate and the mean of nothing are undefined. */
export interface Figures {
  readonly count: number
  readonly successRate: number | undefined
  /** Milliseconds; the time that a run waits does not count. */
  readonly meanMs: number | undefined
}

/** Figures of runs, and of each tool. */
export interface Statistics {
  /** Every end counts: a run that failed and was resumed has ended twice. */
  readonly runs: Figures
  readonly tools: { readonly [tool: string]: Figures }
}

/** A hook that keeps statistics. */
export interface StatisticsHook extends Hook {
  /** Adds a durable event. */
  observe(event: LoomEvent): void
  /** The statistics so far. */
  read(): Statistics
}

/** A run or a call that has ended. */
interface Ended {
  readonly isGood: boolean
  readonly ms: number
}

interface Tally {
  count: number
  succeeded: number
  ms: number
}

/** The run of a thread while it is under way. */
interface CurrentRun {
  /** Milliseconds of driving before the run last waited. */
  readonly driven: number
  /** When it was last started, resumed or taken over; undefined while it waits. */
  readonly since: number | undefined
  /** The tools of the turn's calls, by the calls' ids. */
  readonly tools: ReadonlyMap<string, string>
}

/** The statistics of the given events, of one thread or of many. */
export function statisticsOf(events: Iterable<LoomEvent>): Statistics {
  const { observe, read } = createStatistics()
  for (const event of events) observe(event)
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
  const current = new Map<string, CurrentRun>()
  return {
    name: 'statistics',
    observe(event) {
      const { thread, time } = event
      const run: CurrentRun = current.get(thread) ?? { driven: 0, since: time, tools: new Map() }
      switch (event.type) {
        case 'run.started':
        case 'run.resumed':
          return void current.set(thread, { ...run, since: time })
        case 'driver.acquired':
          return void current.set(thread, { ...run, since: run.since === undefined ? undefined : time })
        case 'run.suspended':
          return void current.set(thread, { ...run, driven: drivenAt(run, time), since: undefined })
        case 'model.replied':
        case 'hook.applied':
          return void current.set(thread, { ...run, tools: calledTools(event) ?? run.tools })
        case 'tool.finished':
        case 'tool.denied': {
          // The reply that proposed the call may be older than this hook.
          const tool = run.tools.get(event.data.call) ?? 'unknown'
          return void tools.set(tool, add(tools.get(tool) ?? emptyTally(), resultOf(event)))
        }
        case 'run.finished':
        case 'run.failed':
        case 'run.stopped':
          add(runs, { isGood: event.type === 'run.finished', ms: drivenAt(run, time) })
          return void current.delete(thread)
        default:
          return undefined
      }
    },
    read: () => ({ runs: figuresOf(runs), tools: Object.fromEntries([...tools].map(([name, tally]) => [name, figuresOf(tally)])) }),
  }
}

const drivenAt = ({ driven, since }: CurrentRun, time: number): number => driven + (since === undefined ? 0 : time - since)

/** The tools that a reply calls, by the ids of the calls; of other events, undefined. */
function calledTools(event: LoomEvent): ReadonlyMap<string, string> | undefined {
  const parts = replyParts(event)
  const names = parts?.flatMap((part) => (part.type === 'call' ? [part.name] : []))
  return names && new Map(names.map((name, index) => [`${event.turn ?? 0}.${index}`, name]))
}

/** The parts of a reply, as the model sent them or as a hook changed them. */
function replyParts(event: LoomEvent): readonly Part[] | undefined {
  if (event.type === 'model.replied') return event.data.parts
  if (event.type !== 'hook.applied' || event.data.point !== 'afterModelReply') return undefined
  return (event.data.patch as { readonly parts?: readonly Part[] }).parts
}

function resultOf({ type, data }: Extract<LoomEvent, { type: 'tool.finished' | 'tool.denied' }>): Ended {
  return type === 'tool.finished' ? { isGood: data.status !== 'error', ms: data.ms ?? 0 } : { isGood: false, ms: 0 }
}

const emptyTally = (): Tally => ({ count: 0, succeeded: 0, ms: 0 })

function add(tally: Tally, { isGood, ms }: Ended): Tally {
  tally.count += 1
  tally.succeeded += isGood ? 1 : 0
  tally.ms += ms
  return tally
}

function figuresOf({ count, succeeded, ms }: Tally): Figures {
  return count === 0 ? { count, successRate: undefined, meanMs: undefined } : { count, successRate: succeeded / count, meanMs: ms / count }
}
