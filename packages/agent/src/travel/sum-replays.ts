/** Summing up what replays of many threads found. Loaded on use. */
import type { EntryChanges, ReplayReport, ReplayTotals } from './replay-types.ts'

/** What became of one thread, as `replayAll` yields it. */
export type AnyReplayed =
  | {
      /** It could be replayed. */
      readonly status: 'replayed'
      /** The id of the thread. */
      readonly thread: string
      /** What its replay found. */
      readonly report: ReplayReport
    }
  | {
      /** It could not. */
      readonly status: 'failed'
      /** The id of the thread. */
      readonly thread: string
      /** Why not. */
      readonly error: Error
    }

/** One thread of a summary: what its replay found, or why there was none. */
export type ThreadReplay =
  | (Pick<ReplayReport, 'thread' | 'totals' | 'kept' | 'lost' | 'essentials'> & {
      /** Whether it could be replayed. */
      readonly status: 'replayed'
    })
  | {
      readonly status: 'failed'
      /** The id of the thread. */
      readonly thread: string
      /** Why it could not be replayed. */
      readonly error: string
    }

/** What replays of many threads found. */
export interface ReplaySummary {
  /** The threads, by their ids. */
  readonly threads: readonly ThreadReplay[]
  /** Sums over all threads that could be replayed. A cost that one thread does not know is not known in all. */
  readonly totals: ReplayTotals
  /** Entries that the record did not show, or not whole, and the replay would have: those of all threads, by way and rule. */
  readonly kept: Omit<EntryChanges, 'listed'>
  /** Entries that the record showed and the replay would not have, or not whole. */
  readonly lost: Omit<EntryChanges, 'listed'>
  /** How many threads could not be replayed. */
  readonly failed: number
}

/** Collects what replays found. */
export async function sumReplays(replays: AsyncIterable<AnyReplayed> | Iterable<AnyReplayed>): Promise<ReplaySummary> {
  const threads: ThreadReplay[] = []
  for await (const replayed of replays) threads.push(rowOf(replayed))
  threads.sort((one, other) => (one.thread < other.thread ? -1 : 1))
  const found = threads.flatMap((row) => (row.status === 'replayed' ? [row] : []))
  return {
    threads,
    totals: found.map(({ totals }) => totals).reduce(addTotals, noTotals),
    kept: addChanges(found.map(({ kept }) => kept)),
    lost: addChanges(found.map(({ lost }) => lost)),
    failed: threads.length - found.length,
  }
}

function rowOf(replayed: AnyReplayed): ThreadReplay {
  const { thread } = replayed
  if (replayed.status === 'failed') return { status: 'failed', thread, error: replayed.error.message }
  const { totals, kept, lost, essentials } = replayed.report
  return { status: 'replayed', thread, totals, kept, lost, essentials }
}

const noTotals: ReplayTotals = {
  turns: 0,
  differing: 0,
  tokens: { recorded: 0, replayed: 0 },
  cost: 0,
  saved: { tokens: 0, cost: 0 },
  summaries: { recorded: 0, replayed: 0, estimated: 0 },
}

function addTotals(one: ReplayTotals, other: ReplayTotals): ReplayTotals {
  const { summaries, tokens, saved } = one
  return {
    turns: one.turns + other.turns,
    differing: one.differing + other.differing,
    tokens: { recorded: tokens.recorded + other.tokens.recorded, replayed: tokens.replayed + other.tokens.replayed },
    cost: known(one.cost, other.cost),
    saved: { tokens: saved.tokens + other.saved.tokens, cost: known(saved.cost, other.saved.cost) },
    summaries: {
      recorded: summaries.recorded + other.summaries.recorded,
      replayed: summaries.replayed + other.summaries.replayed,
      estimated: summaries.estimated + other.summaries.estimated,
    },
  }
}

/** The sum, where both are known. */
const known = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other

function addChanges(all: readonly EntryChanges[]): ReplaySummary['kept'] {
  const groups = new Map<string, EntryChanges['by'][number]>()
  for (const group of all.flatMap(({ by }) => by)) {
    const key = JSON.stringify([group.as, group.rule])
    const { entries = 0, tokens = 0 } = groups.get(key) ?? {}
    groups.set(key, { ...group, entries: entries + group.entries, tokens: tokens + group.tokens })
  }
  const by = [...groups.values()]
  return { entries: by.reduce((sum, { entries }) => sum + entries, 0), tokens: by.reduce((sum, { tokens }) => sum + tokens, 0), by }
}
