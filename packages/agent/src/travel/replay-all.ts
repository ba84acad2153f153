/**
 * Replaying many threads.
 *
 * REPLAY-3. A thread that cannot be replayed is reported and ends no other. At most `concurrency` threads are under way, and no more are begun while the
 *     caller has not taken what is there.
 */

import { type Journal, LoomError, type ThreadQuery } from '@loom-agent/kernel'
import type { Resolver } from '../definition/agent-options.ts'
import type { ForkOptions } from '../fork/fork-types.ts'
import { threads } from '../look/threads.ts'
import { notify } from '../platform/call-user.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { LiveReplay } from './drive-fork.ts'
import { replayShape, requireLive } from './replay.ts'
import { compareOutcomes, type Judge, type OutcomeVerdict } from './replay-outcome.ts'
import type { ErasedReplayed, Replayed, ReplayOptions } from './replay-types.ts'

/** The threads to replay: their ids, or a query. A query finds threads of the agent that are neither forks nor children. */
export type ThreadSelection = Iterable<string> | AsyncIterable<string> | ThreadQuery

/** How far a replay of many threads is. */
export interface ReplayProgress {
  /** The thread that is done. */
  readonly thread: string
  /** How many are done, those that failed included. */
  readonly done: number
  /** How many failed. */
  readonly failed: number
  /** How many there are; undefined where that is not known. */
  readonly total: number | undefined
}

/** How many threads are replayed. */
export interface ReplayAllOptions<Verdict = OutcomeVerdict, Deps = unknown> extends Omit<ReplayOptions<Deps>, 'fork'> {
  /** For `continue-live`: what each fork may do (default `recorded`), and spend, which must be given. */
  readonly fork?: Pick<ForkOptions, 'effects' | 'limits'>
  /** Threads that are replayed at the same time; default 4. */
  readonly concurrency?: number
  /** Called after each thread. */
  readonly onProgress?: (progress: ReplayProgress) => void
  /** For `continue-live`: compares how a thread ended with how its fork did; default: by status and output. */
  readonly judge?: Judge<Verdict>
  /** For `continue-live`: answers the questions that the record has no answer to; without it they stay open. */
  readonly onQuestion?: Resolver
}

/** What became of one thread; narrow on `status`. */
export type ReplayedThread<Output = string, Verdict = OutcomeVerdict, Deps = unknown, HasDeps extends boolean = false> =
  | {
      readonly status: 'replayed'
      /** The id of the thread. */
      readonly thread: string
      /** What the replay found. */
      readonly report: Replayed<Output, Deps, HasDeps>
      /** For `continue-live`, where something differs: how the record and the fork went on. */
      readonly live?: LiveReplay
      /** What the judge says about `live`. */
      readonly verdict?: Verdict
    }
  | {
      readonly status: 'failed'
      readonly thread: string
      /** Why it could not be replayed, driven or judged. */
      readonly error: Error
      /** What the replay found before it failed. */
      readonly report?: Replayed<Output, Deps, HasDeps>
      readonly live?: LiveReplay
    }

const shape: Shape & Record<keyof ReplayAllOptions, Expected> = {
  ...replayShape,
  fork: expected.options({ effects: expected.oneOf('ask', 'recorded', 'stub', 'live'), limits: expected.object }),
  concurrency: expected.whole(1),
  onProgress: expected.function,
  judge: expected.function,
  onQuestion: expected.function,
}

/** Threads that are replayed at the same time unless the caller says otherwise. */
const usual = 4

/** Throws for options that are not valid. */
export function checkReplayAll(name: string, options: ReplayAllOptions<unknown, never>): void {
  checkOptions(`a replay by ${name}`, options, shape)
  requireLive(name, options, ['judge', 'onQuestion', 'fork'])
  if (options.mode !== 'continue-live' || options.fork?.limits) return
  throw new LoomError('LOOM_OPTION_INVALID', `replayAll of ${name} has no fork.limits. With continue-live, give what each fork may spend.`, {
    context: { what: `a replay by ${name}`, key: 'fork.limits' },
  })
}

/** What replays one thread. */
type ReplayOne = (thread: string) => Promise<ErasedReplayed>

/** Replays threads, so many at a time, and yields what became of each as it is done. */
export async function* replaySelection(
  threadIds: SelectedThreads,
  replayOne: ReplayOne,
  options: ReplayAllOptions<unknown, never>,
): AsyncGenerator<ReplayedThread<unknown, unknown, never, true>, void> {
  const { concurrency = usual, onProgress } = options
  const next = threadIds.ids[Symbol.asyncIterator]()
  const underWay = new Map<number, Promise<{ readonly key: number; readonly replayed: ReplayedThread<unknown, unknown, never, true> }>>()
  let started = 0
  let done = 0
  let failed = 0
  let isEnd = false
  try {
    for (;;) {
      while (!isEnd && underWay.size < concurrency) {
        const { value: thread, done: isLast } = await next.next()
        if (isLast) isEnd = true
        else {
          const key = started
          started += 1
          underWay.set(
            key,
            replaySafely(thread, replayOne, options).then((replayed) => ({ key, replayed })),
          )
        }
      }
      if (underWay.size === 0) return
      const { key, replayed } = await Promise.race(underWay.values())
      underWay.delete(key)
      done += 1
      failed += replayed.status === 'failed' ? 1 : 0
      notify(onProgress, { thread: replayed.thread, done, failed, total: threadIds.total })
      yield replayed
    }
  } finally {
    await Promise.all(underWay.values())
  }
}

async function replaySafely(
  thread: string,
  replayOne: ReplayOne,
  options: ReplayAllOptions<unknown, never>,
): Promise<ReplayedThread<unknown, unknown, never, true>> {
  const { judge = compareOutcomes, onQuestion } = options
  let found: { report?: ErasedReplayed; live?: LiveReplay } = {}
  try {
    const report = await replayOne(thread)
    found = { report }
    const live = await report.driveFork?.(onQuestion ? { onQuestion } : {})
    if (!live) return { status: 'replayed', thread, report }
    found = { report, live }
    return { status: 'replayed', thread, report, live, verdict: await judge(live) }
  } catch (error) {
    return { status: 'failed', thread, error: error instanceof Error ? error : new Error(String(error)), ...found }
  }
}

/** The threads of a selection, and how many they are where that is known. */
export interface SelectedThreads {
  readonly ids: AsyncIterable<string>
  readonly total: number | undefined
}

/**
 * The threads that are asked for. Those of a query are looked up before the first is replayed: a replay that goes on live makes threads, which are not
 * replayed in turn.
 */
export async function selectThreads(journal: Journal, agent: string, selection: ThreadSelection): Promise<SelectedThreads> {
  if (typeof selection === 'string') throw invalid(agent, `the text "${selection}"`)
  if (typeof selection !== 'object' || selection === null) throw invalid(agent, String(selection))
  if (Symbol.asyncIterator in selection) return { ids: selection, total: undefined }
  if (Symbol.iterator in selection) return listed([...selection])
  const found: string[] = []
  for await (const { thread, forkOf, summary } of threads(journal, { agent, ...selection })) {
    if (!forkOf && (summary.parent === undefined || selection.parent !== undefined)) found.push(thread)
  }
  return listed(found)
}

function listed(found: readonly string[]): SelectedThreads {
  return {
    ids: (async function* () {
      yield* found
    })(),
    total: found.length,
  }
}

const invalid = (agent: string, given: string): LoomError =>
  new LoomError(
    'LOOM_OPTION_INVALID',
    `replayAll of ${agent} takes the ids of threads or a query, not ${given}. Give a list, such as ['user-123'].`,
    {
      context: { what: 'replayAll', key: 'threads' },
    },
  )
