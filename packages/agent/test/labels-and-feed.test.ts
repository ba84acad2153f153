/** Labels, search and the feed: what a program that has the journal can do without the agent. */
import { agent, followFeed, frameAt, memoryJournal, searchThreads, setLabels, tool } from '@loom-agent/agent'
import type { FeedEntry, Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './journals.ts'

const reply = (text: string) => scriptedModel(() => text)
const labelsOf = async (journal: Journal, thread: string): Promise<unknown> => (await journal.head(thread))?.summary.labels

describe('labels', () => {
  test('are set, changed and removed, and the thread table and the fold follow', async () => {
    const teller = agent({ name: 'teller', model: reply('Hello.') })
    const { journal } = teller
    await teller.run('Hi.', { thread: 't' })
    await setLabels(journal, 't', { team: 'billing', tier: { level: 2 } })
    await setLabels(journal, 't', { tier: null, urgent: true })
    expect(await labelsOf(journal, 't')).toEqual({ team: 'billing', urgent: true })
    expect((await frameAt(journal, 't')).labels).toEqual({ team: 'billing', urgent: true })
    expect((await journal.threads({ labels: { urgent: true } })).map(({ thread }) => thread)).toEqual(['t'])
    const events = await eventsOf(teller, 't')
    expect(events.filter(({ type }) => type === 'labels.changed').map(({ data }) => data)).toEqual([
      { labels: { team: 'billing', tier: { level: 2 } } },
      { labels: { tier: null, urgent: true } },
    ])
    assertHistory(events)
  })

  test('that are there already append nothing', async () => {
    const teller = agent({ name: 'teller', model: reply('Hello.') })
    await teller.run('Hi.', { thread: 't' })
    await setLabels(teller.journal, 't', { team: 'billing' })
    const before = await teller.journal.head('t')
    await setLabels(teller.journal, 't', { team: 'billing', other: null })
    expect((await teller.journal.head('t'))?.seq).toBe(before?.seq)
  })

  test('stay when they are set while the thread is driven', async () => {
    const journal = memoryJournal()
    const look = tool({
      name: 'look',
      effect: 'read',
      async run() {
        await setLabels(journal, 't', { seen: 'yes' })
        return 'seen'
      },
    })
    const model = scriptedModel(({ prompt }) => (prompt.length > 2 ? 'Done.' : { calls: [{ tool: 'look' }] }))
    const teller = agent({ name: 'teller', model, tools: [look], journal })
    expect((await teller.run('Go.', { thread: 't' })).status).toBe('done')
    expect(await labelsOf(journal, 't')).toEqual({ seen: 'yes' })
    assertHistory(await eventsOf(teller, 't'))
  })

  test('of a thread that is not there, and what is no object, are refused', async () => {
    const journal = memoryJournal()
    await expect(setLabels(journal, 'unknown', { a: 1 })).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(setLabels(journal, 'unknown', [] as never)).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    expect(await journal.threads()).toEqual([])
  })

  test('are at most 100, and at most 16 KiB: more is refused, and nothing is appended', async () => {
    const teller = agent({ name: 'teller', model: reply('Hello.') })
    const { journal } = teller
    await teller.run('Hi.', { thread: 't' })
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`label ${n}`, n]))
    await setLabels(journal, 't', hundred)
    const { seq } = (await journal.head('t')) ?? {}
    await expect(setLabels(journal, 't', { more: 1 })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID', context: { labels: 101 } })
    await expect(setLabels(journal, 't', { 'label 0': 'é'.repeat(8 * 1024) })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    expect((await journal.head('t'))?.seq).toBe(seq)
    await setLabels(journal, 't', { 'label 0': null, more: 1 })
    expect(Object.keys((await labelsOf(journal, 't')) as object)).toHaveLength(100)
  })
})

describe('a search across threads', () => {
  test('finds the words in every thread that the query asks for, in its order', async () => {
    const journal = memoryJournal()
    for (const [thread, name, text] of [
      ['b', 'one', 'The order 4711 was sent.'],
      ['a', 'one', 'Nothing.'],
      ['c', 'two', 'ORDER 4711 is late.'],
    ] as const) {
      await agent({ name, model: reply(text), journal }).run('Hi.', { thread })
    }
    const found = await Array.fromAsync(searchThreads(journal, 'order 4711'))
    expect(found.map(({ at, type }) => [at.split('@')[0], type])).toEqual([
      ['b', 'model.replied'],
      ['c', 'model.replied'],
    ])
    expect((await Array.fromAsync(searchThreads(journal, 'order 4711', { agent: 'two' }))).map(({ excerpt }) => excerpt).join()).toContain('is late')
    expect(await Array.fromAsync(searchThreads(journal, 'order 4711', { limit: 1 }))).toEqual([])
    await expect(Array.fromAsync(searchThreads(journal, ' '))).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })
})

describe('following the feed', () => {
  test('shows what was committed, and what is committed later, until the signal aborts', async () => {
    const journal = memoryJournal()
    const teller = agent({ name: 'teller', model: reply('Hello.'), journal })
    await teller.run('Hi.', { thread: 'a' })
    const ending = new AbortController()
    const seen: FeedEntry[] = []
    for await (const entry of followFeed(journal, { signal: ending.signal, every: 1 })) {
      seen.push(entry)
      const isHead = entry.seq === (await journal.head(entry.thread))?.seq
      if (entry.kind === 'removed') ending.abort()
      else if (isHead && entry.thread === 'a') await teller.run('Hi.', { thread: 'b' })
      else if (isHead) await journal.remove('a')
    }
    expect(new Set(seen.map(({ thread, status }) => `${thread} ${status}`))).toEqual(new Set(['a done', 'b done', 'a undefined']))
    const rest = await Array.fromAsync(followFeed(journal, { from: seen.at(-1)?.position, signal: AbortSignal.abort() }))
    expect(rest).toEqual([])
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5'])('refuses to look every %s milliseconds', async (every) => {
    const following = Array.fromAsync(followFeed(memoryJournal(), { every: every as number }))
    await expect(following).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })

  test('MEMORY-2: a cursor of another journal in memory is stale', async () => {
    const [one, other] = [agent({ name: 'teller', model: reply('Hello.') }), agent({ name: 'teller', model: reply('Hello.') })]
    for (const teller of [one, other]) await teller.run('Hi.', { thread: 't' })
    const { cursor } = await one.journal.feed()
    expect(await one.journal.feed({ from: cursor })).toMatchObject({ entries: [] })
    await expect(other.journal.feed({ from: cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  })
})
