/**
 * The metrics of a whole journal, kept up to date by its feed.
 *
 * METRICS-1. Looking again reads the feed from where it was left, and of the threads that changed the events that are new.
 * METRICS-2. The figures of a run count once, however often its thread was looked at; those of a removed thread are gone.
 */
import type { Journal } from '@loom-agent/kernel'
import type { Projector } from '../view/projector.ts'
import { type RunMetrics, runMetrics } from './run-metrics.ts'

/** Which runs to look at. */
export interface MetricsQuery {
  /** Runs of this agent. */
  readonly agent?: string | undefined
  /** Runs that started at this time or later, in milliseconds since 1970. */
  readonly since?: number | undefined
  /** Runs that started before this time. */
  readonly before?: number | undefined
}

/** Metrics of all threads of a journal. */
export interface JournalMetrics {
  /** The metrics of the runs that a query asks for, up to date. A new start of the feed, after a restored copy, begins anew. */
  runs(query?: MetricsQuery): Promise<readonly RunMetrics[]>
}

/** A journal whose feed can be read. */
type Followed = Pick<Journal, 'feed'>

/** Creates metrics over a journal; nothing is read before somebody asks. */
export function createJournalMetrics(journal: Followed, projector: Projector): JournalMetrics {
  const known = new Map<string, readonly RunMetrics[]>()
  let cursor: string | undefined
  let ready: Promise<void> = Promise.resolve()

  const refresh = async (): Promise<void> => {
    const changed = new Map<string, boolean>()
    for (;;) {
      const { entries, cursor: next, isEnd } = await journal.feed(cursor === undefined ? {} : { from: cursor })
      for (const { kind, thread } of entries) changed.set(thread, kind === 'changed')
      cursor = next
      if (isEnd) break
    }
    for (const [thread, isThere] of changed) {
      if (!isThere) known.delete(thread)
      // A thread that was removed meanwhile has its removal in the next page of the feed.
      else known.set(thread, await runsOf(projector, thread))
    }
  }

  return {
    async runs({ agent, since = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = {}) {
      ready = ready.catch(() => {}).then(refresh)
      await ready
      const isWanted = (run: RunMetrics): boolean => (agent ?? run.agent) === run.agent && run.started >= since && run.started < before
      return [...known.values()].flatMap((runs) => runs.filter(isWanted))
    },
  }
}

async function runsOf(projector: Projector, thread: string): Promise<readonly RunMetrics[]> {
  try {
    const { view } = await projector.view(runMetrics, thread)
    // The state goes on growing: what is kept here stays as it was read.
    return view.map((run) => ({ ...run, tools: { ...run.tools }, errors: { ...run.errors } }))
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code === 'LOOM_THREAD_NOT_FOUND') return []
    throw error
  }
}

/** Figures over time: one list of runs for each step, from the start of the first to the end of the last. */
export function runsByTime(
  runs: readonly RunMetrics[],
  { from, to, step }: { from: number; to: number; step: number },
): readonly (readonly RunMetrics[])[] {
  const steps: RunMetrics[][] = Array.from({ length: Math.max(1, Math.ceil((to - from) / step)) }, () => [])
  for (const run of runs) steps[Math.floor((run.started - from) / step)]?.push(run)
  return steps
}
