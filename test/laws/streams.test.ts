/**
 * Nested streams over random trees: live, joined again and read afterwards, each thread has the same events.
 *
 * `LOOM_STREAM_TREES=50 npx vitest run test/laws/streams.test.ts` is the long form.
 */
import { type Cursor, isSignal, type RunEvent, type RunHandle, watch } from '@loom-agent/agent'
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { growTree, type TreePlan, treeJournal, treePlans } from './trees.ts'

const trees = Number(process.env['LOOM_STREAM_TREES'] ?? 8)
const timeout = 60_000 + 10_000 * trees
const thread = 't'
const nested = { nested: true } as const

const isEnd = (event: RunEvent): boolean => event.thread === thread && /^run\.(finished|failed|stopped)$/.test(event.type)
const childOf = (event: LoomEvent, type: 'child.started' | 'child.finished'): string | undefined =>
  event.type === type ? (event.data as { child: string }).child : undefined

/** The seq after the last event of each thread. */
function cursorAfter(seen: readonly LoomEvent[]): Record<string, number> {
  const next: Record<string, number> = { [thread]: 1 }
  for (const event of seen) next[event.thread] = event.seq + 1
  return next
}

function byThread(events: readonly LoomEvent[]): ReadonlyMap<string, readonly LoomEvent[]> {
  return Map.groupBy(events, (event) => event.thread)
}

/** The seqs of each thread, in the order in which they came. */
function seqsOf(events: readonly LoomEvent[]): object {
  const seqs: Record<string, number[]> = {}
  for (const event of events) seqs[event.thread] = [...(seqs[event.thread] ?? []), event.seq]
  return seqs
}

/** The first event that does not come after the start and before the end of its thread, as far as they are in the stream. */
function misplaced(seen: readonly LoomEvent[]): string | undefined {
  const starts = new Set(seen.flatMap((event) => childOf(event, 'child.started') ?? []))
  const ended = new Set<string>()
  const open = new Set<string>()
  for (const event of seen) {
    if (ended.has(event.thread) || (starts.has(event.thread) && !open.has(event.thread))) return `${event.thread}@${event.seq}`
    open.add(childOf(event, 'child.started') ?? '')
    ended.add(childOf(event, 'child.finished') ?? '')
  }
  return undefined
}

async function treeIn(journal: Journal): Promise<ReadonlyMap<string, readonly LoomEvent[]>> {
  const all: LoomEvent[] = []
  for (const head of await journal.threads()) for await (const event of readEvents(journal, head.thread)) all.push(event)
  return byThread(all)
}

async function exists(journal: Journal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unwatch = journal.watch(thread, () => resolve())
  await promise
  unwatch()
}

/** Watches the tree from its first event to the end of its run. */
async function watchLive(journal: Journal): Promise<readonly LoomEvent[]> {
  const seen: LoomEvent[] = []
  await exists(journal)
  for await (const event of watch(journal, thread, nested)) {
    seen.push(event)
    if (isEnd(event)) break
  }
  return seen
}

/** The same, by a viewer that leaves after some items and returns with its cursor. */
async function comeAndGo(journal: Journal, { leaveAfter }: TreePlan): Promise<readonly LoomEvent[]> {
  const seen: LoomEvent[] = []
  await exists(journal)
  for (;;) {
    const until = seen.length + leaveAfter
    for await (const event of watch(journal, thread, { ...nested, from: cursorAfter(seen) })) {
      seen.push(event)
      if (isEnd(event)) return seen
      if (seen.length >= until) break
    }
  }
}

/** The same through a handle, with its signals: what one stream of it does not show, because the run waits, the next one does. */
async function throughHandle(run: RunHandle): Promise<readonly LoomEvent[]> {
  const seen: LoomEvent[] = []
  for (;;) {
    for await (const event of run.events({ ...nested, from: cursorAfter(seen) })) {
      if (isSignal(event)) continue
      seen.push(event)
      if (isEnd(event)) return seen
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const afterwards = (journal: Journal, from: Cursor): Promise<LoomEvent[]> =>
  Array.fromAsync(watch(journal, thread, { ...nested, from, until: 'rest' }))

describe('the nested stream of a random tree', () => {
  test('shows, live, coming and going, through a handle and afterwards, every event of every thread once, each child within its call (LOOK-1, LOOK-6)', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(treePlans, async (plan) => {
        const journal = treeJournal()
        const views = [watchLive(journal), comeAndGo(journal, plan)]
        await growTree(plan, journal, (run) => {
          if (plan.deaths.length === 0) views.push(throughHandle(run))
        })
        const recorded = await treeIn(journal)
        for (const view of [...views, afterwards(journal, 1)]) {
          const seen = await view
          expect(misplaced(seen)).toBeUndefined()
          expect(byThread(seen)).toEqual(recorded)
        }
      }),
      { numRuns: trees },
    )
  })

  test('is joined again at every cursor of what was seen live: each thread goes on where it was left', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(treePlans, async (plan) => {
        const journal = treeJournal()
        const watching = watchLive(journal)
        await growTree(plan, journal)
        const live = await watching
        for (let left = 0; left <= live.length; left += 1) {
          const again = await afterwards(journal, cursorAfter(live.slice(0, left)))
          expect(misplaced(again)).toBeUndefined()
          expect(seqsOf(again)).toEqual(seqsOf(live.slice(left)))
        }
      }),
      { numRuns: trees },
    )
  })

  test('is joined again at every seq of its root: children that are open there come from their first event, and those that have ended do not come', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(treePlans, async (plan) => {
        const journal = treeJournal()
        await growTree(plan, journal)
        const whole = await afterwards(journal, 1)
        const recorded = byThread(whole)
        const own = recorded.get(thread) ?? []
        for (let from = 1; from <= own.length + 1; from += 1) {
          const again = await afterwards(journal, from)
          expect(misplaced(again)).toBeUndefined()
          const gone = new Set(own.slice(0, from - 1).flatMap((event) => childOf(event, 'child.finished') ?? []))
          const below = [...gone].flatMap((child) => descendants(recorded, child))
          const expected = new Map([...recorded].filter(([of]) => of !== thread && !below.includes(of)))
          if (from <= own.length) expected.set(thread, own.slice(from - 1))
          expect(seqsOf(again)).toEqual(seqsOf([...expected.values()].flat()))
        }
      }),
      { numRuns: trees },
    )
  })
})

function descendants(recorded: ReadonlyMap<string, readonly LoomEvent[]>, of: string): readonly string[] {
  const children = (recorded.get(of) ?? []).flatMap((event) => childOf(event, 'child.started') ?? [])
  return [of, ...children.flatMap((child) => descendants(recorded, child))]
}
