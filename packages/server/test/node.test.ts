/** The server for Node, over real sockets: who gets in, how it ends, and what is left when it is killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import { createKey } from '@loom-agent/server'
import { createClient } from '@loom-agent/server/client'
import { type LoomServer, type ServeOptions, serve } from '@loom-agent/server/node'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { clerkOf } from './world.ts'

const servers: LoomServer[] = []
const processes: ChildProcess[] = []
const folders: string[] = []
afterEach(async () => {
  for (const one of processes.splice(0)) one.kill('SIGKILL')
  await Promise.all(servers.splice(0).map((server) => server.close({ grace: 0 })))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function start(options: Partial<ServeOptions> = {}): Promise<LoomServer> {
  const server = await serve({ agents: [clerkOf(['One.', 'Two.', 'Three.'])], port: 0, onError: () => {}, ...options })
  servers.push(server)
  return server
}

const api = (server: LoomServer, path: string): string => `${server.url}/api/v1${path}`
const tokenOf = ({ startUrl = '' }: LoomServer): string => startUrl.split('#token=')[1] ?? ''

/** A request as it goes over the wire: browsers would not let a page set these headers. */
async function raw(server: LoomServer, head: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  const connection = head.some((line) => line.startsWith('connection:')) ? [] : ['connection: close']
  socket.write(`${[...head, ...connection].join('\r\n')}\r\n\r\n${body}`)
  let text = ''
  for await (const piece of socket) text += String(piece)
  return text
}
const statusOf = (reply: string): number => Number(reply.split(' ')[1])

describe('who gets in', () => {
  test('nobody from elsewhere without keys: such a server does not start', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.7', 'example.com']) {
      await expect(start({ host })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID', context: { host } })
    }
    const { record } = await createKey({ name: 'app', scopes: ['read'] })
    const open = await start({ host: '0.0.0.0', keys: [record] })
    expect(open.startUrl).toBeUndefined()
    expect((await fetch(api(open, '/info').replace('0.0.0.0', '127.0.0.1'))).status).toBe(401)
  })

  test('who has a key, for what it allows, until it ends', async () => {
    const reading = await createKey({ name: 'reader', scopes: ['read'] })
    const ended = await createKey({ name: 'ended', scopes: ['admin'], expires: 1 })
    const server = await start({ keys: [reading.record, ended.record] })
    const ask = (key: string, path = '/threads', method = 'GET') =>
      fetch(api(server, path), { method, headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status)
    expect(await ask(reading.key)).toBe(200)
    expect(await ask(reading.key, '/threads/t/pause', 'POST')).toBe(403)
    const others = [
      ended.key,
      `${reading.key.slice(0, -1)}0`,
      reading.key.slice(0, -2),
      reading.record.digest,
      `loom_${reading.record.id}_${reading.record.digest}`,
      '',
      'x',
    ]
    for (const key of others) expect([key, await ask(key)]).toEqual([key, key === reading.key ? 200 : 401])
    expect(JSON.stringify(reading.record)).not.toContain(reading.key.split('_')[2])
    expect(await ask(tokenOf(server))).toBe(401)
  })

  test('who has the token of the start, as a header or for a strict cookie', async () => {
    const server = await start()
    const token = tokenOf(server)
    const exchange = (given: string) =>
      fetch(api(server, '/session'), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token: given }) })
    expect((await exchange(token.slice(1))).status).toBe(401)
    const opened = await exchange(token)
    const cookie = opened.headers.get('set-cookie') ?? ''
    expect([opened.status, cookie]).toEqual([
      204,
      expect.stringMatching(/^loom_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/),
    ])
    expect(cookie).not.toContain(token)
    const session = cookie.split(';')[0] ?? ''
    const ask = (headers: Record<string, string>) => fetch(api(server, '/info'), { headers }).then(({ status }) => status)
    expect(await ask({ cookie: session })).toBe(200)
    expect(await ask({ authorization: `Bearer ${token}` })).toBe(200)
    expect(await ask({ cookie: `loom_session=${token}` })).toBe(401)
    expect(await ask({})).toBe(401)
    await fetch(api(server, '/session'), { method: 'DELETE', headers: { cookie: session } })
    expect(await ask({ cookie: session })).toBe(401)
  })

  const hosts: readonly (readonly [string, number])[] = [
    ['127.0.0.1:1', 401],
    ['localhost', 401],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example:8000', 403],
    ['evil.example#localhost', 403],
    ['0.0.0.0', 403],
  ]
  test.each(hosts)('a request for the host %s is answered with %i', async (host, status) => {
    const server = await start()
    for (const path of ['/info', '/stream?topics=threads', '/ws']) {
      const upgrade =
        path === '/ws'
          ? ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==']
          : []
      expect([path, statusOf(await raw(server, [`GET /api/v1${path} HTTP/1.1`, `host: ${host}`, ...upgrade]))]).toEqual([path, status])
    }
  })

  const origins: readonly (readonly [string, readonly string[], boolean])[] = [
    ['its own page', ['origin: http://HOST'], true],
    ['a page of another port', ['origin: http://localhost:1'], false],
    ['a foreign page', ['origin: https://evil.example'], false],
    ['a page without an origin', ['origin: null'], false],
    ['a foreign page that sends no origin', ['sec-fetch-site: cross-site', 'sec-fetch-mode: no-cors'], false],
    ['a page of a sibling', ['sec-fetch-site: same-site', 'sec-fetch-mode: no-cors'], false],
    ['a link on a foreign page', ['sec-fetch-site: cross-site', 'sec-fetch-mode: navigate'], true],
    ['an allowed page', ['origin: https://app.example'], true],
    ['a program', [], true],
  ]
  test.each(origins)('%s is let in or refused, whatever it sends and whatever cookie it has', async (_, headers, isLetIn) => {
    const server = await start({ origins: ['https://app.example'] })
    const host = new URL(server.url).host
    const own = headers.map((line) => line.replace('HOST', host))
    const auth = `authorization: Bearer ${tokenOf(server)}`
    const get = await raw(server, ['GET /api/v1/info HTTP/1.1', `host: ${host}`, auth, ...own])
    expect(statusOf(get)).toBe(isLetIn ? 200 : 403)
    expect(/access-control-allow-origin/i.test(get)).toBe(own.includes('origin: https://app.example'))
    const sent = ['content-type: application/json', 'content-length: 14', auth, ...own.filter((line) => !line.includes('navigate'))]
    if (!own.some((line) => line.includes('navigate'))) {
      const post = await raw(server, ['POST /api/v1/threads/none/stop HTTP/1.1', `host: ${host}`, ...sent], '{"reason":"x"}')
      expect(statusOf(post)).toBe(isLetIn ? 404 : 403)
    }
  })

  test('headers that a page must not forge keep data from being a page', async () => {
    const { headers } = await fetch(api(await start(), '/info'))
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })
})

describe('bodies and clients that misbehave', () => {
  test('a body that goes on is cut off at its bound', async () => {
    const server = await start({ limits: { body: 1000 } })
    const auth = `authorization: Bearer ${tokenOf(server)}`
    const chunk = `${(2000).toString(16)}\r\n${'x'.repeat(2000)}\r\n0\r\n\r\n`
    const head = [`host: ${new URL(server.url).host}`, auth, 'content-type: application/json', 'transfer-encoding: chunked']
    expect(statusOf(await raw(server, ['POST /api/v1/agents/clerk/runs HTTP/1.1', ...head], chunk))).toBe(413)
  })

  test('what is no request is refused, and the server goes on', async () => {
    const server = await start()
    expect(statusOf(await raw(server, ['GET http://[ HTTP/1.1', 'host: x']))).toBe(403)
    expect(statusOf(await raw(server, ['NONSENSE']))).toBe(400)
    expect((await fetch(api(server, '/health'))).status).toBe(200)
  })

  test('clients that leave at any time leave nothing behind', async () => {
    const clerk = clerkOf(['One.'])
    const server = await start({ agents: [clerk] })
    await clerk.run('Hi', { thread: 't' })
    const headers = { authorization: `Bearer ${tokenOf(server)}` }
    for (let n = 0; n < 20; n += 1) {
      const gone = new AbortController()
      const { body } = await fetch(api(server, '/threads/t/stream'), { headers, signal: gone.signal })
      if (n % 2 === 0) await body?.getReader().read()
      gone.abort()
    }
    await until(async () => ((await (await fetch(api(server, '/info'), { headers })).json()) as { streams: number }).streams === 0)
  })
})

describe('a connection that goes both ways', () => {
  interface Reply {
    readonly id: string
    readonly event: string
    readonly data: { readonly [key: string]: unknown }
    readonly cursor?: string
    readonly status?: number
  }
  async function open(server: LoomServer): Promise<{ readonly socket: WebSocket; readonly seen: Reply[] }> {
    const socket = new WebSocket(api(server, '/ws').replace('http', 'ws'), { headers: { authorization: `Bearer ${tokenOf(server)}` } })
    const seen: Reply[] = []
    socket.on('message', (data) => seen.push(JSON.parse(String(data)) as Reply))
    await once(socket, 'open')
    return { socket, seen }
  }
  const say = (socket: WebSocket, what: object): void => socket.send(JSON.stringify(what))

  test('answers requests and follows topics, as routes and streams do', async () => {
    const clerk = clerkOf(['One.', 'Two.'])
    const server = await start({ agents: [clerk] })
    const { socket, seen } = await open(server)
    const of = (id: string): readonly Reply[] => seen.filter((reply) => reply.id === id)
    say(socket, { id: 'feed', follow: 'threads' })
    say(socket, { id: 'run', method: 'POST', path: '/agents/clerk/runs', body: { input: 'Hi', thread: 't' } })
    await until(() => of('run').length === 1)
    expect(of('run')[0]).toMatchObject({ event: 'reply', status: 202, data: { thread: 't' } })
    say(socket, { id: 'events', follow: 'thread:t' })
    await until(() => of('events').some(({ data }) => data['type'] === 'run.finished'))
    await until(() => of('feed').some(({ data }) => data['status'] === 'done'))
    const last = of('events').findLast(({ cursor }) => cursor !== undefined)?.cursor
    say(socket, { id: 'events', leave: true })
    say(socket, { id: 'left', method: 'GET', path: '/health' })
    await until(() => of('left').length === 1)
    await clerk.run('Ho', { thread: 't' })
    say(socket, { id: 'later', follow: 'thread:t', after: last })
    await until(() => of('later').some(({ data }) => data['type'] === 'run.finished'))
    const seqs = [...of('events'), ...of('later')].flatMap(({ event, data }) => (event === 'event' ? [data['seq']] : []))
    expect(seqs).toEqual((await eventsOf(clerk, 't')).map(({ seq }) => seq))
    socket.close()
    await until(
      async () =>
        ((await (await fetch(api(server, '/info'), { headers: { authorization: `Bearer ${tokenOf(server)}` } })).json()) as { streams: number })
          .streams === 0,
    )
  })

  test('says what is wrong with what it is sent, and goes on', async () => {
    const { socket, seen } = await open(await start())
    const wrong = [
      'x',
      '{}',
      '{"id":"a"}',
      '{"id":"b","follow":"x"}',
      '{"id":"c","follow":"thread:none"}',
      '{"id":"d","method":"GET","path":"/none"}',
    ]
    for (const text of [...wrong, '{"id":"e","method":"GET","path":"/threads/t/stream"}']) socket.send(text)
    say(socket, { id: 'f', method: 'GET', path: '/health' })
    await until(() => seen.length === 8)
    expect(seen.filter(({ event }) => event === 'problem')).toHaveLength(7)
    expect(seen.find(({ id }) => id === 'f')).toMatchObject({ event: 'reply', data: { ok: true } })
    for (let n = 0; n < 300; n += 1) say(socket, { id: `t${n}`, follow: 'threads' })
    await until(() => seen.some(({ data }) => data['code'] === 'LOOM_SERVER_BUSY'))
    socket.terminate()
  })

  test('is not opened for a foreign page, without a key, or anywhere else', async () => {
    const server = await start()
    const refused = async (path: string, headers: Record<string, string>): Promise<number> => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { headers })
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
      socket.on('error', () => {})
      socket.terminate()
      return response.statusCode
    }
    const authorization = `Bearer ${tokenOf(server)}`
    expect(await refused('/api/v1/ws', {})).toBe(401)
    expect(await refused('/api/v1/ws', { authorization, origin: 'https://evil.example' })).toBe(403)
    expect(await refused('/api/v1/other', { authorization })).toBe(404)
  })
})

describe('the end of a server', () => {
  test('hands on what it drives, ends its streams without an end, and takes on nothing', async () => {
    const started = Promise.withResolvers<void>()
    const go = Promise.withResolvers<string>()
    const wait = tool({
      name: 'wait',
      effect: 'read',
      run: () => {
        started.resolve()
        return go.promise
      },
    })
    const journal = memoryJournal()
    const clerkWith = (script: Parameters<typeof scriptedModel>[0]) =>
      agent({ name: 'clerk', model: scriptedModel(script), tools: { wait }, journal })
    const server = await start({ agents: [clerkWith([{ calls: [{ tool: 'wait' }] }])] })
    const client = createClient({ url: api(server, ''), key: tokenOf(server) })
    await client.startRun({ agent: 'clerk' }, { input: 'Hi', thread: 't' })
    await started.promise
    const stream = await fetch(api(server, '/threads/t/stream'), { headers: { authorization: `Bearer ${tokenOf(server)}` } })
    const reading = stream.text().catch(() => '')
    const closing = server.close()
    go.resolve('gone')
    await closing
    expect(await reading).not.toContain('event: end')
    expect((await journal.head('t'))?.holder).toBeUndefined()
    const next = await start({ agents: [clerkWith(['Done.'])], recover: 5 })
    await until(async () => (await journal.head('t'))?.summary.status === 'done')
    expect(next.url).not.toBe(server.url)
  })

  /** Starts the server of serve-process.ts. */
  async function startProcess(...given: readonly string[]): Promise<{ readonly url: string; readonly process: ChildProcess }> {
    const program = join(import.meta.dirname, 'serve-process.ts')
    const started = spawn(process.execPath, ['--conditions=loom-source', program, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
    processes.push(started)
    const [line] = (await once(createInterface({ input: started.stdout as NodeJS.ReadableStream }), 'line')) as [string]
    return { url: line, process: started }
  }

  test.each(['SIGKILL', 'SIGTERM'] as const)('by %s with 100 runs under way loses none of them, and no user has to call', async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'loom-server-'))
    folders.push(folder)
    const [file, world] = [join(folder, 'loom.db'), join(folder, 'world')]
    const first = await startProcess(file, world, 'hold')
    const client = createClient({ url: `${first.url}/api/v1` })
    const names = Array.from({ length: 100 }, (_, n) => `t${n}`)
    await Promise.all(names.map((thread) => client.startRun({ agent: 'clerk' }, { input: 'Go.', thread, id: thread })))
    const { items: running } = await client.listThreads({ status: 'running', limit: 1000 })
    expect(running).toHaveLength(100)
    const notes = (): readonly string[] => (existsSync(world) ? readFileSync(world, 'utf8').trim().split('\n') : [])
    await until(() => notes().length >= 50)
    first.process.kill(signal)
    await once(first.process, 'exit')
    const second = await startProcess(file, world)
    const after = createClient({ url: `${second.url}/api/v1` })
    // Said again by a client that does not know what became of it.
    await after.startRun({ agent: 'clerk' }, { input: 'Go.', thread: 't0', id: 't0' })
    await until(async () => (await after.listThreads({ status: 'done', limit: 1000 })).items.length === 100)
    second.process.kill('SIGTERM')
    await once(second.process, 'exit')
    const journal = sqlite(file)
    for (const thread of names) {
      const events = await eventsOf(journal, thread)
      expect(events.filter(({ type }) => type === 'run.started')).toHaveLength(1)
      expect(events.at(-1)?.type).toBe('run.finished')
    }
    await journal.close()
    // One key for each call: what was noted twice is recognised by its key.
    expect(new Set(notes()).size).toBe(200)
  })
})
