/** The feed for many readers: one reader of the journal, and no entry lost. */
import { agent, memoryJournal } from '@loom-agent/agent'
import type { FeedEntry, Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { createFeedHub } from '../src/web/service/feed-hub.ts'

/** A journal that counts who reads its feed. */
function counting(): { readonly journal: Journal; reads: number; readonly write: (times: number) => Promise<void> } {
  const inner = memoryJournal()
  const clerk = agent({ name: 'clerk', model: scriptedModel([() => 'Hello.']), journal: inner })
  let runs = 0
  const counted = {
    reads: 0,
    journal: {
      ...inner,
      feed: (query: Parameters<Journal['feed']>[0]) => {
        counted.reads += 1
        return inner.feed(query)
      },
    },
    async write(times: number) {
      for (let n = 0; n < times; n += 1) {
        runs += 1
        await clerk.run('Hi', { thread: `t${runs}` })
      }
    },
  }
  return counted
}

/** Reads entries until there are so many. */
async function take(entries: AsyncIterator<FeedEntry>, count: number): Promise<readonly string[]> {
  const positions: string[] = []
  while (positions.length < count) positions.push(((await entries.next()).value as FeedEntry).position)
  return positions
}

test('every follower gets every entry, and one reader reads them for all', async () => {
  const counted = counting()
  const { journal, write } = counted
  const hub = createFeedHub(journal)
  const over = new AbortController()
  const from = await hub.now()
  const followers = Array.from({ length: 50 }, () => hub.follow(from, over.signal))
  const first = followers.map((follower) => take(follower, 1))
  await write(5)
  const { entries } = await journal.feed({ from })
  const all = await Promise.all(followers.map(async (follower, n) => [...((await first[n]) ?? []), ...(await take(follower, entries.length - 1))]))
  const expected = entries.map(({ position }) => position)
  for (const positions of all) expect(positions).toEqual(expected)
  // Not one for each follower.
  expect(counted.reads).toBeLessThan(50)
  over.abort()
})

test('one that falls behind what is held reads the journal, and misses nothing', async () => {
  const { journal, write } = counting()
  const hub = createFeedHub(journal)
  const over = new AbortController()
  const slow = hub.follow(await hub.now(), over.signal)
  const first = slow.next()
  await write(1)
  const from = ((await first).value as FeedEntry).position
  const fast = hub.follow(from, over.signal)
  await write(400)
  const all: string[] = []
  for (let cursor: string | undefined = from; ; ) {
    const page = await journal.feed({ from: cursor })
    all.push(...page.entries.map(({ position }) => position))
    if (page.isEnd) break
    cursor = page.cursor
  }
  expect(all.length).toBeGreaterThan(1000)
  expect(await take(fast, all.length)).toEqual(all)
  expect(await take(slow, all.length)).toEqual(all)
  over.abort()
})

test('one that comes late, with a cursor of before what is held, misses nothing', async () => {
  const asked: (string | undefined)[] = []
  let last = 0
  const feed: Journal['feed'] = async ({ from } = {}) => {
    asked.push(from)
    const begin = Number(from ?? 0)
    const entries = Array.from({ length: Math.min(512, last - begin) }, (_, index) => ({
      ...({
        position: String(begin + index + 1),
        thread: 't',
        incarnation: 'i',
        seq: begin + index + 1,
        kind: 'changed',
        status: 'running',
      } as const),
    }))
    const cursor = String(begin + entries.length)
    return { entries, cursor, isEnd: Number(cursor) === last }
  }
  const hub = createFeedHub({ feed })
  const over = new AbortController()
  void hub.follow('0', over.signal).next()
  await until(() => asked.length > 1)
  last = 1500
  await until(() => asked.includes('1500'))
  expect(await take(hub.follow('0', over.signal), 1500)).toEqual(Array.from({ length: 1500 }, (_, index) => String(index + 1)))
  over.abort()
})

test('a follower that waits ends with its signal', async () => {
  const counted = counting()
  const hub = createFeedHub(counted.journal)
  const over = new AbortController()
  const waiting = hub.follow(await hub.now(), over.signal).next()
  await until(() => counted.reads > 2)
  over.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
})

test('a journal that cannot be read ends who follows with its error, and the next one follows again', async () => {
  const { journal, write } = counting()
  let isBroken = false
  const hub = createFeedHub({ feed: (query) => (isBroken ? Promise.reject(new Error('The disk is gone.')) : journal.feed(query)) })
  const over = new AbortController()
  const from = await hub.now()
  const waiting = hub.follow(from, over.signal).next()
  isBroken = true
  await expect(waiting).rejects.toThrow('The disk is gone.')
  isBroken = false
  const again = hub.follow(from, over.signal).next()
  await write(1)
  expect(await again).toMatchObject({ value: { kind: 'changed' } })
  over.abort()
})
