/** Streams over routes: cursors, disconnects, several topics, slow clients. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { createClient } from '@loom-agent/server/client'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { createService } from '../src/web/service/service.ts'
import { createMerge } from '../src/web/stream/merge.ts'
import { eventStream } from '../src/web/stream/sse.ts'
import { clerkOf, jsonOf, messagesOf, type SeenMessage, type Send, sender } from './world.ts'

const seqOf = ({ data }: SeenMessage): unknown => data['seq']

/** The messages of a stream until one of them is enough, then the client leaves. */
async function read(response: Response, isEnough: (message: SeenMessage, count: number) => boolean = () => false): Promise<readonly SeenMessage[]> {
  const seen: SeenMessage[] = []
  for await (const message of messagesOf(response)) {
    seen.push(message)
    if (isEnough(message, seen.length)) break
  }
  return seen
}

/** An agent whose child calls a tool, so that a tree has events on two threads. */
function boss() {
  const journal = memoryJournal()
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const child = agent({ name: 'child', model: scriptedModel([{ calls: [{ tool: 'look' }] }, 'I have looked.']), tools: { look }, journal })
  const script = [{ calls: [{ tool: 'look' }] }, { calls: [{ tool: 'child', input: { prompt: 'Look.' } }] }, { calls: [{ tool: 'look' }] }, 'Done.']
  return agent({ name: 'clerk', model: scriptedModel(script), tools: { look, child }, journal })
}

describe('a stream of a thread', () => {
  test('has its events and live signals, and says when the run rests', async () => {
    const clerk = clerkOf([{ calls: [{ tool: 'look' }] }, 'I have seen it.'])
    const { send } = sender({ agents: [clerk] })
    await send('POST /agents/clerk/runs', { body: { input: 'Look.', thread: 't' } })
    const response = await send('GET /threads/t/stream?until=rest')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const seen = await read(response)
    const events = await eventsOf(clerk, 't')
    expect(seen.filter(({ event }) => event === 'event').map(({ data }) => data)).toEqual(JSON.parse(JSON.stringify(events)))
    const text = seen.flatMap(({ event, data }) => (event === 'signal' && data['type'] === 'text-delta' ? [data['text']] : []))
    expect(text.join('')).toBe('I have seen it.')
    expect(seen.at(-1)).toMatchObject({ event: 'end', data: { thread: 't' } })
  })

  test('continues after any disconnect with what is missing, and nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }), fc.boolean(), async (lengths, nested) => {
        const clerk = boss()
        const { send } = sender({ agents: [clerk] })
        await send('POST /agents/clerk/runs', { body: { input: 'Go.', thread: 't' } })
        const seen: SeenMessage[] = []
        for (const length of [...lengths, Number.POSITIVE_INFINITY]) {
          const last = seen.findLast(({ id }) => id !== undefined)?.id
          const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
          seen.push(...(await read(await send(`GET /threads/t/stream?until=rest&nested=${nested}`, { headers }), (_, count) => count >= length)))
          if (seen.at(-1)?.event === 'end') break
        }
        const whole = await read(await send(`GET /threads/t/stream?until=rest&nested=${nested}`))
        const namesOf = (messages: readonly SeenMessage[]) =>
          messages.flatMap(({ event, data }) => (event === 'event' ? [`${data['thread']}@${data['seq']}`] : [])).sort()
        expect(namesOf(seen)).toEqual(namesOf(whole))
        expect(new Set(namesOf(seen)).size).toBe(namesOf(seen).length)
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  test('has a cursor that names children only while they are under way', async () => {
    const clerk = boss()
    const { send } = sender({ agents: [clerk] })
    await clerk.run('Go.', { thread: 't' })
    const seen = await read(await send('GET /threads/t/stream?until=rest&nested=true'))
    const children = seen.flatMap(({ id }) => (id === undefined ? [] : [id.split('.').length > 2]))
    expect([children.includes(true), children.at(-1)]).toEqual([true, false])
  })

  test('with a cursor of a removed thread, or of later than the end, says that it is stale', async () => {
    const clerk = clerkOf(['One.', 'Two.'])
    const { send } = sender({ agents: [clerk] })
    await clerk.run('Hi', { thread: 't' })
    const last = (await read(await send('GET /threads/t/stream?until=rest'))).at(-1)?.id ?? ''
    const [seq = '', incarnation = ''] = last.split('.')
    const stale = (cursor: string) => jsonOf(send('GET /threads/t/stream', { headers: { 'last-event-id': cursor } }))
    expect(await stale(`${Number(seq) + 1}.${incarnation}`)).toMatchObject({ status: 410, code: 'LOOM_CURSOR_STALE' })
    await send('DELETE /threads/t')
    await clerk.run('Hi', { thread: 't' })
    expect(await stale(last)).toMatchObject({ status: 410, code: 'LOOM_CURSOR_STALE' })
    for (const cursor of ['x', '1', '1.', '-1.a', '1.a.b', '1.a.b.x', '1.%ff']) expect(await stale(cursor)).toMatchObject({ status: 400 })
  })

  test('ends with a problem when its thread is removed', async () => {
    const clerk = clerkOf(['One.'])
    const { send } = sender({ agents: [clerk] })
    await clerk.run('Hi', { thread: 't' })
    const reading = read(await send('GET /threads/t/stream'))
    await until(async () => (await jsonOf<{ streams: number }>(send('GET /info'))).streams === 1)
    await send('DELETE /threads/t')
    expect((await reading).at(-1)).toMatchObject({ event: 'problem', data: { code: 'LOOM_THREAD_NOT_FOUND' } })
    expect(await jsonOf(send('GET /info'))).toMatchObject({ streams: 0 })
  })

  test('is counted until its client has left, and refused beyond the bound', async () => {
    const clerk = clerkOf(['One.'])
    const { send } = sender({ agents: [clerk], limits: { streams: 2 } })
    await clerk.run('Hi', { thread: 't' })
    const gone = new AbortController()
    const open = [await send('GET /threads/t/stream', { signal: gone.signal }), await send('GET /stream?topics=threads')]
    expect((await send('GET /threads/t/stream')).status).toBe(503)
    gone.abort()
    await open[1]?.body?.cancel()
    await until(async () => (await jsonOf<{ streams: number }>(send('GET /info'))).streams === 0)
  })
})

describe('several topics as one stream', () => {
  test('are the changes of all threads and the events of some, and continue together', async () => {
    const clerk = clerkOf(['One.', 'Two.', 'Three.'])
    const { send } = sender({ agents: [clerk] })
    await clerk.run('Hi', { thread: 'a' })
    const topics = 'GET /stream?topics=threads,thread:a'
    const first = await read(await send(topics), ({ data }) => (data['event'] as { type?: string } | undefined)?.type === 'run.finished')
    await clerk.run('Hi', { thread: 'b' })
    await clerk.run('Ho', { thread: 'a' })
    const last = first.at(-1)?.id ?? ''
    let finished = 0
    const ended = new Set<string>()
    const second = await read(await send(topics, { headers: { 'last-event-id': last } }), ({ event, data }) => {
      if (event === 'event' && (data['event'] as { type: string }).type === 'run.finished') finished += 1
      if (event === 'thread') ended.add((data['thread'] as { thread: string; status: string }).thread)
      return finished === 1 && ended.size === 2
    })
    const events = second.flatMap(({ event, data }) => (event === 'event' ? [(data['event'] as { seq: number }).seq] : []))
    const before = first.filter(({ event }) => event === 'event').length
    expect(events).toEqual(events.map((_, index) => before + 1 + index))
    expect(second.every(({ data }) => data['topic'] === 'threads' || data['topic'] === 'thread:a')).toBe(true)
  })

  test('miss no entry of the feed, however often the client leaves', async () => {
    const clerk = clerkOf(Array.from({ length: 10 }, (_, n) => `${n}.`))
    const { send } = sender({ agents: [clerk] })
    await clerk.run('Hi', { thread: 't0' })
    const { cursor: from } = await clerk.journal.feed()
    const positions: string[] = []
    const readOne = async (): Promise<void> => {
      const after = positions.length === 0 ? from : (positions.at(-1) ?? '')
      const response = await send('GET /stream?topics=threads', { headers: { 'last-event-id': new URLSearchParams({ threads: after }).toString() } })
      const [message] = await read(response, () => true)
      positions.push(new URLSearchParams(message?.id).get('threads') ?? '')
    }
    for (let n = 1; n < 10; n += 1) {
      const running = clerk.run('Hi', { thread: `t${n}` })
      await readOne()
      await running
    }
    const allOf = async (): Promise<readonly string[]> => (await clerk.journal.feed({ from })).entries.map(({ position }) => position)
    const end = (await allOf()).at(-1)
    while (positions.at(-1) !== end) await readOne()
    expect(positions).toEqual(await allOf())
  })

  test('are refused when they are unknown, too many, or not those of the cursor', async () => {
    const { send } = sender({ agents: [clerkOf([])] })
    for (const topics of ['x', 'thread:', Array.from({ length: 65 }, (_, n) => `thread:${n}`).join(','), '%25ff']) {
      expect([topics.slice(0, 10), (await send(`GET /stream?topics=${topics}`)).status]).toEqual([topics.slice(0, 10), 400])
    }
    expect((await send('GET /stream?topics=thread:none')).status).toBe(404)
    expect((await send('GET /stream?topics=threads&after=thread%3Aa%3D1.b')).status).toBe(400)
  })

  test('show a client only what it may see', async () => {
    const clerk = clerkOf(['One.', 'Two.'])
    const { send } = sender({ agents: [clerk] })
    const as = { name: 'bob', scopes: ['read' as const], threads: (thread: string) => thread.startsWith('acme') }
    const response = await send('GET /stream?topics=threads', { as })
    await clerk.run('Hi', { thread: 'other' })
    await clerk.run('Hi', { thread: 'acme' })
    const seen = await read(response, ({ data }) => (data['thread'] as { status?: string })['status'] === 'done')
    expect(new Set(seen.map(({ data }) => (data['thread'] as { thread: string }).thread))).toEqual(new Set(['acme']))
  })
})

describe('a client that does not read', () => {
  test('costs one message of its source', async () => {
    const service = createService({ agents: [clerkOf([])], auth: () => undefined })
    let taken = 0
    const next = async () => {
      taken += 1
      return { event: 'signal', data: taken }
    }
    const source = { next, close: () => {} }
    const response = eventStream({ service, request: new Request('http://localhost/') }, () => source)
    await idle()
    expect(taken).toBeLessThanOrEqual(2)
    const before = taken
    await response.body?.getReader().read()
    await idle()
    expect(taken - before).toBeLessThanOrEqual(2)
  })

  test('of several topics costs one message of each', async () => {
    let taken = 0
    const endless = async function* () {
      for (;;) {
        taken += 1
        yield { event: 'signal', data: taken }
      }
    }
    const merge = createMerge({ isOpen: false, failed: () => ({ event: 'problem', data: {} }) })
    for (const name of ['a', 'b', 'c']) merge.add(name, endless())
    await idle()
    expect(taken).toBe(3)
    const sources = new Set<string>()
    for (let n = 0; n < 3; n += 1) sources.add((await merge.next())?.source ?? '')
    expect(sources).toEqual(new Set(['a', 'b', 'c']))
    merge.close()
  })

  test('and follows another thing under the name of one before gets nothing more of that', async () => {
    const saying = async function* (data: string) {
      for (;;) yield { event: 'signal', data }
    }
    const merge = createMerge({ isOpen: true, failed: () => ({ event: 'problem', data: {} }) })
    merge.add('a', saying('old'))
    await idle()
    merge.add('a', saying('new'))
    const seen: unknown[] = []
    for (let n = 0; n < 5; n += 1) seen.push((await merge.next())?.message.data)
    expect(seen).toEqual(['new', 'new', 'new', 'new', 'new'])
    merge.close()
  })

  test('gets a comment when nothing happens, and none on top of what it has not taken', async () => {
    const clerk = clerkOf(['One.'])
    const { send } = sender({ agents: [clerk], heartbeat: 1 })
    await clerk.run('Hi', { thread: 't' })
    const reader = (await send('GET /stream?topics=threads')).body?.getReader()
    for (let n = 0; n < 5; n += 1) expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': \n\n')
    await reader?.cancel()
  })
})

describe('the client', () => {
  /** A client whose streams are cut off after so many pieces, again and again. */
  const cutting = (handle: (request: Request) => Promise<Response>, most: number) => async (request: Request) => {
    const response = await handle(request)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    let left = most
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        left -= 1
        if (left < 0) controller.error(new Error('The connection was reset.'))
        else controller.enqueue(piece)
      },
    })
    return new Response(response.body?.pipeThrough(cut), response)
  }

  test('reads a stream to its end, however often the connection is cut', async () => {
    const clerk = boss()
    const { handle } = open(clerk)
    const client = createClient({ url: 'http://localhost/api/v1', fetch: cutting(handle, 7) })
    await client.runToRest({ agent: 'clerk' }, { input: 'Go.', thread: 't' })
    const seqs: unknown[] = []
    for await (const { event, data } of client.streamThread({ thread: 't' }, { until: 'rest' })) {
      if (event === 'event') seqs.push((data as { seq: number }).seq)
    }
    expect(seqs).toEqual((await eventsOf(clerk, 't')).map(({ seq }) => seq))
  })

  test('throws what the server refuses, with its code, and ends with its signal', async () => {
    const { handle } = open(clerkOf(['One.']))
    const client = createClient({ url: 'http://localhost/api/v1/', fetch: handle })
    await expect(client.getThread({ thread: 'none' })).rejects.toMatchObject({ name: 'LoomError', code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(client.streamThread({ thread: 'none' }).next()).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    const { thread } = await client.startRun({ agent: 'clerk' }, { input: 'Hi' })
    const over = new AbortController()
    const stream = client.streamThread({ thread }, {}, { signal: over.signal })
    await stream.next()
    over.abort()
    await Array.fromAsync(stream)
    expect((await client.listThreads({ limit: 5 })).items).toMatchObject([{ thread }])
    expect(await client.getPrometheus()).toContain('loom_')
    expect(await client.labelThread({ thread }, { labels: { a: 1 } })).toBeUndefined()
  })
})

/** A handler that lets everybody in. */
function open(clerk: ReturnType<typeof clerkOf>): { readonly handle: (request: Request) => Promise<Response>; readonly send: Send } {
  const { send } = sender({ agents: [clerk] })
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const body = await request.text()
    const headers = Object.fromEntries(request.headers)
    return send(`${request.method} ${pathname.slice('/api/v1'.length)}${search}`, { headers, signal: request.signal, ...(body !== '' && { body }) })
  }
  return { handle, send }
}

test('a message of a stream has the seq of its event', async () => {
  const clerk = clerkOf(['One.'])
  const { send } = sender({ agents: [clerk] })
  await clerk.run('Hi', { thread: 't' })
  const seen = await read(await send('GET /threads/t/stream?until=rest'))
  expect(seen.slice(0, 2).map((message) => [message.id?.split('.')[0], seqOf(message)])).toEqual([
    ['1', 1],
    ['2', 2],
  ])
})
