/** Views and ranges over routes: what they hold, and when a client has them already. */

import { type Agent, agent, frameAt, memoryJournal, tool } from '@loom-agent/agent'
import { items } from '@loom-agent/kernel'
import { chat, createProjector, skeleton } from '@loom-agent/telemetry'
import { scriptedModel } from '@loom-agent/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { clerkOf, jsonOf, type Send, sender } from './world.ts'

let clerk: Agent
let send: Send
beforeEach(async () => {
  clerk = clerkOf([{ calls: [{ tool: 'look', input: { at: 'x'.repeat(500) } }] }, 'Seen.', 'Again.'])
  ;({ send } = sender({ agents: [clerk] }))
  await clerk.run('Look.', { thread: 't' })
})

interface Page {
  readonly items: readonly { readonly seq: number; readonly type: string }[]
  readonly next?: number
}

describe('pages of events', () => {
  test('hold every event once, in any size, in full and in one line each', async () => {
    const { seq: end = 0 } = (await clerk.journal.head('t')) ?? {}
    for (const what of ['events', 'headers']) {
      for (const limit of [1, 3, 1000]) {
        const seen: number[] = []
        for (let from: number | undefined = 1; from !== undefined; ) {
          const page: Page = await jsonOf<Page>(send(`GET /threads/t/${what}?from=${from}&limit=${limit}`))
          seen.push(...page.items.map(({ seq }) => seq))
          from = page.next
        }
        expect(seen).toEqual(Array.from({ length: end }, (_, index) => index + 1))
      }
    }
    expect(await jsonOf(send(`GET /threads/t/events?from=${end + 1}`))).toEqual({ items: [] })
    const { items: some } = await jsonOf<Page>(send('GET /threads/t/events?types=model.replied,tool.finished'))
    expect(new Set(some.map(({ type }) => type))).toEqual(new Set(['model.replied', 'tool.finished']))
  })

  test('that are full keep their tag for ever, and the last one has another when something follows', async () => {
    const tagOf = async (path: string) => (await send(path)).headers.get('etag')
    const [closed, open] = [await tagOf('GET /threads/t/events?from=1&limit=3'), await tagOf('GET /threads/t/events?from=4')]
    await clerk.run('Again.', { thread: 't' })
    expect(await tagOf('GET /threads/t/events?from=1&limit=3')).toBe(closed)
    expect(await tagOf('GET /threads/t/events?from=4')).not.toBe(open)
    const again = await send('GET /threads/t/events?from=1&limit=3', { headers: { 'if-none-match': `"x", W/${closed}` } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await send('GET /threads/t/events?from=1&limit=3', { headers: { 'if-none-match': '"x", "y"' } })).status).toBe(200)
  })

  test('of a thread that has the name of a removed one have other tags', async () => {
    const path = 'GET /threads/t/events?from=1&limit=3'
    const tag = (await send(path)).headers.get('etag') ?? ''
    await send('DELETE /threads/t')
    await clerk.run('Look.', { thread: 't' })
    expect((await send(path, { headers: { 'if-none-match': tag } })).status).toBe(200)
  })

  test('a blob is found on the thread that brought it, and on its forks, and on no other', async () => {
    const long = tool({ name: 'long', effect: 'read', run: () => 'word '.repeat(100_000) })
    const journal = memoryJournal()
    const script = [{ calls: [{ tool: 'long' }] }, 'Seen.', 'Other.']
    const reader = agent({ name: 'clerk', model: scriptedModel(script), tools: { long }, journal, behaviour: { readMore: true } })
    await reader.run('Look.', { thread: 'a' })
    await reader.run('Hi', { thread: 'b' })
    const { seq = 0 } = (await journal.head('a')) ?? {}
    await reader.fork(`a@${seq}`, { thread: 'fork' })
    const [hash] = await journal.blobNames('a')
    const { send: ask } = sender({ agents: [reader] })
    const own = await ask(`GET /threads/a/blobs/${hash}`)
    expect(new TextDecoder().decode(await own.arrayBuffer())).toContain('word word')
    expect((await ask(`GET /threads/fork/blobs/${hash}`)).status).toBe(200)
    expect((await ask(`GET /threads/b/blobs/${hash}`)).status).toBe(404)
  })

  test('an event that is not there is not found', async () => {
    for (const seq of ['0', '99', 'x', '1.5', '-1', '1e3']) expect((await send(`GET /threads/t/events/${seq}`)).status).toBe(404)
  })
})

describe('views', () => {
  test('are those of the projector, at the end and at any moment', async () => {
    const projector = createProjector(clerk.journal)
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
    expect(await jsonOf(send('GET /threads/t/skeleton'))).toEqual(plain((await projector.view(skeleton, 't')).view))
    expect(await jsonOf(send('GET /threads/t/chat?at=5'))).toEqual(plain((await projector.view(chat, 't', { at: 5 })).view))
  })

  test('are made only for a client that does not have them', async () => {
    for (const path of [
      'skeleton',
      'overview',
      'costs',
      'chat',
      'tools',
      'context',
      'metrics',
      'frame',
      'turns',
      'request',
      'export?format=markdown',
    ]) {
      const first = await send(`GET /threads/t/${path}`)
      const tag = first.headers.get('etag') ?? ''
      expect([path, first.status, tag]).toEqual([path, 200, expect.stringMatching(/^".+"$/)])
      expect((await send(`GET /threads/t/${path}`, { headers: { 'if-none-match': tag } })).status).toBe(304)
    }
  })

  test('are exported as tools read them', async () => {
    const exported = (format: string) => send(`GET /threads/t/export?format=${format}`)
    expect(await jsonOf(exported('speedscope'))).toMatchObject({ $schema: expect.stringContaining('speedscope') })
    expect(await jsonOf(exported('chrome'))).toMatchObject({ traceEvents: expect.any(Array) })
    expect(await jsonOf(exported('otlp'))).toMatchObject({ resourceSpans: [{}] })
    expect(await (await exported('markdown')).text()).toContain('# t')
  })
})

describe('moments', () => {
  test('a frame has lists where the frame of the process has trees', async () => {
    const events = await jsonOf<Page>(send('GET /threads/t/events?types=tool.finished'))
    const frame = await frameAt(clerk.journal, 't', events.items[0]?.seq)
    const path = `GET /threads/t/frame?at=${frame.seq}`
    const sent = await jsonOf<{ history: unknown; run: { calls: readonly { done: unknown }[] }; seq: number }>(send(path))
    expect(sent.history).toEqual(JSON.parse(JSON.stringify([...items(frame.history)])))
    expect([sent.seq, sent.run.calls.length, sent.run.calls[0]?.done]).toEqual([frame.seq, 1, []])
    expect((await jsonOf<{ seq: number }>(send('GET /threads/t/frame?at=3'))).seq).toBe(3)
    expect((await send('GET /threads/t/frame?at=999')).status).toBe(400)
  })

  test('the difference of two moments names places of lists', async () => {
    const { items: places } = await jsonOf<{ items: readonly { path: string }[] }>(send('GET /threads/t/diff?from=3&to=9'))
    expect(places.map(({ path }) => path)).toContain('history.1')
  })

  test('an exact request, an explanation and the presence of entries come from the record', async () => {
    expect(await jsonOf(send('GET /threads/t/request'))).toMatchObject({ isVerified: true, request: { prompt: expect.any(Array) } })
    expect(await jsonOf(send('GET /threads/t/explanation?turn=2&text=seen'))).toMatchObject({ turn: 2, asked: { isShown: true } })
    expect(await jsonOf(send('GET /threads/t/presence'))).toMatchObject({ thread: 't', rows: expect.any(Array) })
    const replay = await jsonOf<{ turns: readonly unknown[] }>(send('POST /threads/t/replays', { body: { instructions: 'Be brief.' } }))
    expect(replay).toMatchObject({ divergence: { turn: 1 } })
  })
})

test('figures of all threads come with advice, and as Prometheus reads them', async () => {
  expect(await jsonOf(send('GET /metrics?agent=clerk'))).toMatchObject({ summary: { execution: { runs: 1 } } })
  expect(await (await send('GET /metrics/prometheus')).text()).toContain('loom_llm_calls_total')
})

test('threads are listed page by page, newest first, with their labels', async () => {
  for (const thread of ['a', 'b', 'c']) await clerk.run('Hi', { thread }).catch(() => {})
  await send('PUT /threads/a/labels', { body: { labels: { team: 'billing' } } })
  const seen: string[] = []
  for (let after = ''; ; ) {
    const page = await jsonOf<{ items: readonly { thread: string }[]; next?: string }>(send(`GET /threads?limit=1${after}`))
    seen.push(...page.items.map(({ thread }) => thread))
    if (page.next === undefined) break
    after = `&after=${encodeURIComponent(page.next)}`
  }
  expect(seen.toSorted()).toEqual(['a', 'b', 'c', 't'])
  const labelled = await jsonOf<{ items: readonly object[] }>(send(`GET /threads?labels=${encodeURIComponent('{"team":"billing"}')}`))
  expect(labelled.items).toMatchObject([{ thread: 'a', labels: { team: 'billing' } }])
  expect((await send('GET /threads?labels=x')).status).toBe(400)
  expect((await send('GET /threads?after=x')).status).toBe(400)
})
