/** The handlers for server-sent events that the guide on streams shows, served over HTTP. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ScriptedModel, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { type Agent, agent, tool } from 'loom-agent'
import { afterEach, describe, expect, test } from 'vitest'
import { get, post } from '../examples/sse/handlers.ts'
import { eventsOf, factsOf } from './support/threads.ts'

const open = new Set<Server>()
afterEach(async () => {
  await Promise.all([...open].map((server) => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve))))
  open.clear()
})

const requestOf = (message: IncomingMessage): Request => {
  const { method = 'GET', headers, url = '/' } = message
  const body = method === 'POST' ? (Readable.toWeb(message) as ReadableStream) : null
  return new Request(`http://localhost${url}`, { method, headers: headers as Record<string, string>, body, duplex: 'half' } as RequestInit)
}

/** Serves the threads of an agent; returns the address of one of them. */
async function serve(talker: Agent, thread = 't'): Promise<string> {
  const server = createServer(async (message, reply) => {
    const name = decodeURIComponent((message.url ?? '/').slice(1))
    const response = await (message.method === 'POST' ? post : get)(talker, name, requestOf(message))
    reply.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body) await pipeline(Readable.fromWeb(response.body as never), reply).catch(() => {})
    else reply.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.add(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${encodeURIComponent(thread)}`
}

const say = (address: string, text: string, id: string): Promise<Response> => fetch(address, { method: 'POST', body: JSON.stringify({ text, id }) })

/** Connects as a browser does; reads until the response ends, or until an event after which the connection is cut. Returns the ids in order. */
async function connect(address: string, last: number, isEnough: (type: string, id: number) => boolean = () => false): Promise<readonly number[]> {
  const headers: Record<string, string> = last > 0 ? { 'last-event-id': String(last) } : {}
  const { body } = await fetch(address, { headers })
  const ids: number[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(piece, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id] = /^id: (\d+)$/m.exec(block) ?? []
      if (id === undefined) continue
      ids.push(Number(id))
      // Leaving the loop cuts the connection.
      if (isEnough(/^event: (.*)$/m.exec(block)?.[1] ?? '', Number(id))) return ids
    }
  }
  return ids
}

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })

interface Case {
  readonly talker: Agent
  readonly model: ScriptedModel
}

const talkerOf = (script: readonly ScriptStep[], tools: readonly ReturnType<typeof tool>[] = []): Case => {
  const model = scriptedModel(script)
  return { model, talker: agent({ model, tools: tools as never }) }
}

async function failed(): Promise<Case> {
  const made = talkerOf([{ throws: Object.assign(new Error('no'), { isRetryable: false }) }, 'never asked'])
  expect((await made.talker.run('go', { thread: 't' })).status).toBe('failed')
  return made
}

async function waiting(): Promise<Case> {
  const made = talkerOf([{ calls: [{ tool: 'pay' }] }, 'never asked'], [pay])
  expect((await made.talker.run('go', { thread: 't' })).status).toBe('waiting')
  return made
}

async function paused(): Promise<Case> {
  const made = talkerOf(
    [{ calls: [{ tool: 'rests' }] }, 'never asked'],
    [tool({ name: 'rests', effect: 'read', run: () => run.pause().then(() => 'ok') })],
  )
  const run = made.talker.start('go', { thread: 't' })
  expect(await run.result()).toMatchObject({ status: 'waiting', reason: 'paused' })
  return made
}

describe('a browser that reconnects', () => {
  test.each([
    ['has failed', failed],
    ['is paused', paused],
    ['waits', waiting],
  ])('5 times to a run that %s causes no model call and no event', async (_, arrange) => {
    const { talker, model } = await arrange()
    const address = await serve(talker)
    const before = await eventsOf(talker, 't')
    const calls = model.requests.length
    for (let time = 0; time < 5; time += 1) {
      expect(await connect(address, 0)).toEqual(before.map(({ seq }) => seq))
      expect(await connect(address, before.length)).toEqual([])
      expect(await connect(address, 3)).toEqual(before.slice(3).map(({ seq }) => seq))
    }
    expect(model.requests).toHaveLength(calls)
    expect(await eventsOf(talker, 't')).toEqual(before)
  })

  test('after every single event of a run under way misses none and repeats none', async () => {
    const steps = Array.from({ length: 5 }, (_, n) => ({ calls: [{ tool: 'look', input: { n } }] }))
    const { talker } = talkerOf([...steps, 'ok'], [tool({ name: 'look', effect: 'read', run: () => 'seen' })])
    const address = await serve(talker)
    expect((await say(address, 'go', 'first')).status).toBe(202)
    const seen: number[] = []
    for (;;) {
      let isOver = false
      const ids = await connect(address, seen.at(-1) ?? 0, (type) => {
        isOver = type === 'run.finished'
        return true
      })
      seen.push(...ids)
      if (isOver) break
    }
    expect(seen).toEqual((await eventsOf(talker, 't')).map(({ seq }) => seq))
    expect(await factsOf(talker, 't', 'run.started')).toHaveLength(1)
  })

  test('in the middle of a call that works on sees its end', async () => {
    const go = Promise.withResolvers<string>()
    const { talker } = talkerOf([{ calls: [{ tool: 'slow' }] }, 'ok'], [tool({ name: 'slow', effect: 'read', run: () => go.promise })])
    const address = await serve(talker)
    await say(address, 'go', 'first')
    const before = await connect(address, 0, (type) => type === 'model.replied')
    const rest = connect(address, before.at(-1) ?? 0)
    go.resolve('done')
    expect([...before, ...(await rest)]).toEqual((await eventsOf(talker, 't')).map(({ seq }) => seq))
  })
})

test('a start that is said again attaches to the run, and a thread that is not there is not found', async () => {
  const { talker, model } = talkerOf(['ok', 'never asked'])
  const address = await serve(talker)
  expect((await fetch(address)).status).toBe(404)
  for (let time = 0; time < 3; time += 1) expect((await say(address, 'go', 'first')).status).toBe(202)
  await connect(address, 0)
  expect((await say(address, 'go', 'first')).status).toBe(202)
  expect(model.requests).toHaveLength(1)
})

test('the guide shows these handlers', () => {
  const root = join(import.meta.dirname, '..')
  const handlers = readFileSync(join(root, 'examples/sse/handlers.ts'), 'utf8')
  const shown = handlers.slice(handlers.indexOf('/** Starts')).replaceAll('export async function', 'async function').trim()
  expect(readFileSync(join(root, 'docs/guides/streams.md'), 'utf8')).toContain(shown)
})
