/** Servers over HTTP: tokens, redirects, replies without end. */
import { createServer, type IncomingMessage, type RequestListener, request as requestTo, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type McpAddress, mcp } from '@loom-agent/tools/mcp'
import { afterEach, expect, test } from 'vitest'
import { webServer } from '../../../../test/support/web-server.ts'
import { call, keepWorlds, textResult } from './mcp-setup.ts'
import { startScripted } from './scripted-http.ts'

const worlds = keepWorlds()
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await worlds.close()
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Passes a request on to another port. */
function passOn(port: number, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url: path } = request
  const onward = requestTo({ port, host: '127.0.0.1', method, headers, path }, (reply) => {
    response.writeHead(reply.statusCode ?? 500, reply.headers)
    reply.pipe(response)
  })
  request.pipe(onward)
}

async function scripted(): Promise<number> {
  const world = worlds.open({ tools: [{ name: 'greet', does: [{ reply: textResult('Hello.') }] }] })
  const { port, close } = await startScripted(world)
  closing.push(close)
  return port
}

const open = (address: McpAddress) => {
  const servers = mcp({ servers: { far: address } })
  closing.push(() => servers.close())
  return servers
}

test('headers and a token are sent, and a token that is refused is replaced once', async () => {
  const target = await scripted()
  const seen: (string | undefined)[] = []
  const port = await listen((request, response) => {
    seen.push(request.headers.authorization)
    if (request.headers.authorization === 'Bearer new' && request.headers['x-team'] === 'a') return passOn(target, request, response)
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="far"' }).end()
  })
  let token = 'old'
  const refused: unknown[] = []
  const url = `http://127.0.0.1:${port}/mcp`
  const auth = {
    token: () => token,
    unauthorized: (why: object) => {
      refused.push(why)
      token = 'new'
    },
  }
  expect(await call(open({ url, headers: { 'x-team': 'a' }, auth }), 'far_greet')).toContain('Hello.')
  expect(refused).toEqual([{ server: 'far', url, challenge: 'Bearer realm="far"' }])
  expect(seen.slice(0, 2)).toEqual(['Bearer old', 'Bearer new'])
})

test('a server that takes no token cannot be used, and says why', async () => {
  const port = await listen((_, response) => void response.writeHead(401).end())
  const servers = open({ url: `http://127.0.0.1:${port}/mcp`, auth: { token: () => 'bad' } })
  expect(await servers.tools()).toEqual({})
  expect(servers.notices()).toMatchObject([{ kind: 'unavailable', message: expect.stringMatching(/cannot be used: .*(?:401|[Uu]nauthorized)/) }])
})

test('a redirect to another origin is not followed: the token stays', async () => {
  const canary = await webServer()
  closing.push(() => canary.close())
  const port = await listen((_, response) => void response.writeHead(307, { location: `http://127.0.0.1:${canary.port}/mcp` }).end())
  const servers = open({ url: `http://127.0.0.1:${port}/mcp`, auth: { token: () => 'secret' } })
  expect(await servers.tools()).toEqual({})
  expect(canary.seen).toEqual([])
})

test('a reply without end is given up', async () => {
  const port = await listen((request, response) => {
    response.writeHead(200, { 'content-type': request.method === 'POST' ? 'application/json' : 'text/event-stream' })
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  const servers = open({ url: `http://127.0.0.1:${port}/mcp`, connectTimeout: 20_000 })
  expect(await servers.tools()).toEqual({})
  expect(servers.notices()).toMatchObject([{ kind: 'unavailable', message: expect.stringContaining('16777216') }])
})
