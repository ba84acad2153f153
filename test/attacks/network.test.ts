/** A tool reaches public addresses and the hosts that the program names, whatever the model, a name server or a server says. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { isLoomError } from '@loom-agent/kernel'
import { type HttpToolOptions, httpTool, matchesHost } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTool } from '../support/call-tool.ts'
import { certificateFor } from '../support/certificate.ts'
import { type WebServer, webServer } from '../support/web-server.ts'
import { noteFigure } from './figure.ts'
import { forbiddenUrls, names } from './url-corpus.ts'

let canary: WebServer
let servers: WebServer[]
beforeEach(async () => {
  canary = await webServer()
  servers = [canary]
})
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()))
})

type Serve = Parameters<typeof webServer>

async function serve(reply: Serve[0], certificate?: Serve[1]): Promise<WebServer> {
  const server = await webServer(reply, certificate)
  servers.push(server)
  return server
}

/** What a call comes to; the time is a bound for attacks that succeed, and none is measured. */
const request = (input: object, options: HttpToolOptions = {}): Promise<unknown> => callTool(httpTool({ timeout: 3000, ...options }), input)

const codeOf = (outcome: unknown): string => (isLoomError(outcome) ? outcome.code : `allowed: ${String(outcome).slice(0, 80)}`)
const refused = ['LOOM_PERMISSION_DENIED', 'LOOM_TOOL_INPUT_INVALID']

describe('an address', () => {
  it('that is not public is refused in every spelling, before anything is connected', async () => {
    const urls = forbiddenUrls(canary.port)
    expect(urls.length).toBeGreaterThanOrEqual(150)
    const resolve = (host: string): readonly string[] => names[host] ?? ['127.0.0.1']
    const outcomes = await Promise.all(
      urls.map(async (url) => ({ url, code: codeOf(await request({ url }, { ports: [canary.port, 80, 443], resolve })) })),
    )
    // A name without an address is none that could be reached.
    const nameless = (url: string): boolean => url.includes('empty.test')
    expect(outcomes.filter(({ url, code }) => !refused.includes(code) && !nameless(url))).toEqual([])
    expect(canary.seen).toEqual([])
    noteFigure({ what: 'spellings of addresses that may not be reached', tried: urls.length, wrong: 0 })
  })

  it('is refused on a port that is not one of the web', async () => {
    const urls = [22, 25, 6379, 11211, 9200, 2375, 8080].map((port) => `http://public.test:${port}/`)
    const outcomes = await Promise.all(urls.map((url) => request({ url }, { resolve: () => ['93.184.216.34'] })))
    expect(outcomes.map(codeOf)).toEqual(urls.map(() => 'LOOM_PERMISSION_DENIED'))
  })

  it('is connected to as it was judged, with the name for the server alone, and looked up once', async () => {
    const server = await serve((_, response) => response.end('inside'))
    let lookUps = 0
    const resolve = (): readonly string[] => {
      lookUps += 1
      return lookUps === 1 ? ['127.0.0.1'] : ['127.0.0.9']
    }
    const host = `service.test:${server.port}`
    expect(await request({ url: `http://${host}/a?b` }, { allow: [host], resolve })).toContain('inside')
    expect(server.seen).toMatchObject([{ path: '/a?b', headers: { host } }])
    expect(lookUps).toBe(1)
  })

  it('that a name server exchanges between the check and the connection is not connected to', async () => {
    let lookUps = 0
    const resolve = (): readonly string[] => {
      lookUps += 1
      return lookUps === 1 ? ['93.184.216.34'] : ['127.0.0.1']
    }
    await request({ url: `http://rebind.test:${canary.port}/` }, { ports: [canary.port], resolve, timeout: 300 })
    expect(canary.seen).toEqual([])
    expect(lookUps).toBe(1)
  })

  it('of the platform is refused even where its host is allowed by name', async () => {
    const resolve = (): readonly string[] => ['169.254.169.254']
    const options = { allow: ['service.test:80', '169.254.169.254:80'], resolve, timeout: 300 }
    expect(codeOf(await request({ url: 'http://service.test/' }, options))).toBe('LOOM_PERMISSION_DENIED')
    expect(codeOf(await request({ url: 'http://169.254.169.254/' }, options))).toBe('LOOM_PERMISSION_DENIED')
  })

  it("that is the program's own server is refused, whatever is allowed", async () => {
    const allow = [`localhost:${canary.port}`, `127.0.0.1:${canary.port}`]
    const resolve = (): readonly string[] => ['127.0.0.1']
    for (const ownPorts of [[canary.port], () => [canary.port]]) {
      for (const host of allow) expect(codeOf(await request({ url: `http://${host}/` }, { allow, ownPorts, resolve }))).toBe('LOOM_PERMISSION_DENIED')
    }
    expect(canary.seen).toEqual([])
  })

  it('is allowed for the host and the port that are named, and for no other', async () => {
    const server = await serve((_, response) => response.end('inside'))
    const options = { allow: [`127.0.0.1:${server.port}`], ports: [canary.port, server.port], resolve: () => ['127.0.0.1'] }
    expect(await request({ url: `http://127.0.0.1:${server.port}/` }, options)).toContain('inside')
    for (const url of [`http://127.0.0.1:${canary.port}/`, `http://localhost:${server.port}/`, `http://127.0.0.2:${server.port}/`]) {
      expect(codeOf(await request({ url }, options))).toBe('LOOM_PERMISSION_DENIED')
    }
    expect(server.seen).toHaveLength(1)
  })

  it('outside of the hosts that the program names is refused, also with their names inside its own', async () => {
    const urls = ['good.com.evil.com', 'evilgood.com', 'good.com-evil.com', 'com', 'good.co', 'a.b.one.com'].map((host) => `https://${host}/`)
    const options = { hosts: ['good.com', '*.one.com', '**.all.com'], resolve: () => ['127.0.0.1'] }
    for (const url of urls) expect(await request({ url }, options)).toMatchObject({ code: 'LOOM_PERMISSION_DENIED' })
  })
})

describe('a pattern of hosts', () => {
  it('matches by whole labels', () => {
    const all = [
      'example.com',
      'a.example.com',
      'a.b.example.com',
      'example.com.evil.com',
      'evilexample.com',
      'xample.com',
      'com',
      '.example.com',
      'a..example.com',
    ]
    const met = (pattern: string): readonly string[] => all.filter((host) => matchesHost(pattern, host))
    expect(met('example.com')).toEqual(['example.com'])
    expect(met('*.example.com')).toEqual(['a.example.com'])
    expect(met('**.example.com')).toEqual(['a.example.com', 'a.b.example.com'])
    expect([...met('*'), ...met('**'), ...met('**.'), ...met('*.*'), ...met('a*.example.com'), ...met('')]).toEqual([])
    expect(matchesHost('**.0.0.1', '127.0.0.1')).toBe(false)
  })
})

describe('a redirect', () => {
  const to =
    (location: string, status = 302): Serve[0] =>
    (_, response) =>
      response.writeHead(status, { location }).end()

  it('to an address that may not be reached is refused', async () => {
    const places = [
      `http://127.0.0.1:${canary.port}/`,
      `//127.0.0.1:${canary.port}/`,
      `http://[::ffff:127.0.0.1]:${canary.port}/`,
      'file:///etc/passwd',
      'http://2130706433/',
    ]
    for (const place of [...places, `http://localhost:${canary.port}/`, `http://user@127.0.0.1:${canary.port}/`, `/\\127.0.0.1:${canary.port}/`]) {
      const server = await serve(to(place))
      const allow = [`127.0.0.1:${server.port}`]
      expect(refused).toContain(
        codeOf(await request({ url: `http://127.0.0.1:${server.port}/` }, { allow, redirects: 'any', ports: [canary.port, 80, 443] })),
      )
    }
    expect(canary.seen).toEqual([])
  })

  it('that never ends is followed five times', async () => {
    const server = await serve((received, response) => response.writeHead(302, { location: `${received.url}x` }).end())
    const outcome = await request({ url: `http://127.0.0.1:${server.port}/` }, { allow: [`127.0.0.1:${server.port}`] })
    expect(String(outcome)).toContain('redirects more than 5 times')
    expect(server.seen).toHaveLength(6)
  })

  it('from https to http is refused', async () => {
    const certificate = certificateFor('secure.test')
    const plain = await serve((_, response) => response.end('plain'))
    const secure = await serve(to(`http://secure.test:${plain.port}/`), certificate)
    const options = {
      allow: [`secure.test:${secure.port}`, `secure.test:${plain.port}`],
      resolve: () => ['127.0.0.1'],
      ca: [certificate.cert],
      redirects: 'any',
    } as const
    expect(String(await request({ url: `https://secure.test:${secure.port}/` }, options))).toContain('from https to http')
    expect([secure.seen.length, plain.seen.length]).toEqual([1, 0])
  })

  it('to another origin takes no header along that the program or the model has set', async () => {
    const other = await serve((_, response) => response.end('other'))
    const server = await serve(to(`http://127.0.0.1:${other.port}/`))
    const origin = `http://127.0.0.1:${server.port}`
    const outcome = await request(
      { url: `${origin}/`, headers: { 'x-api-key': 'model-key', accept: 'text/plain' } },
      {
        allow: [`127.0.0.1:${server.port}`, `127.0.0.1:${other.port}`],
        redirects: 'any',
        headers: { [origin]: { Authorization: 'Bearer program-secret' } },
      },
    )
    expect(outcome).toContain('other')
    expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer program-secret', 'x-api-key': 'model-key' })
    expect(other.seen[0]?.headers).toMatchObject({ accept: 'text/plain' })
    expect(Object.keys(other.seen[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['authorization']))
    expect(other.seen[0]?.headers['x-api-key']).toBeUndefined()
    expect(other.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('to another host is reported and not followed, unless the program says so', async () => {
    const server = await serve(to(`http://other.test:${canary.port}/`))
    const allow = [`127.0.0.1:${server.port}`, `other.test:${canary.port}`]
    const outcome = await request({ url: `http://127.0.0.1:${server.port}/` }, { allow, resolve: () => ['127.0.0.1'] })
    expect(outcome).toContain(`redirects to http://other.test:${canary.port}/`)
    expect(canary.seen).toEqual([])
  })

  it('of a request that changes something does not leave its origin', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serve(to(`http://127.0.0.1:${canary.port}/`, status))
      const allow = [`127.0.0.1:${server.port}`, `127.0.0.1:${canary.port}`]
      await request({ url: `http://127.0.0.1:${server.port}/`, method: 'POST', body: 'pay' }, { allow, redirects: 'any' })
    }
    expect(canary.seen).toEqual([])
  })
})

describe('a reply', () => {
  /** What a call to a server with this behaviour comes to. */
  async function replied(reply: Serve[0], options: HttpToolOptions = {}): Promise<string> {
    const server = await serve(reply)
    return String(await request({ url: `http://127.0.0.1:${server.port}/` }, { allow: [`127.0.0.1:${server.port}`], ...options }))
  }

  it('without an end is cut, and its connection is closed', async () => {
    const closed = Promise.withResolvers<void>()
    const text = await replied(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const write = (): void => void (response.write('x'.repeat(65_536)) ? setImmediate(write) : response.once('drain', write))
        response.on('close', () => closed.resolve())
        write()
      },
      { maxBytes: 100_000 },
    )
    expect(text).toContain('cut')
    expect(text.length).toBeLessThan(20_000)
    await closed.promise
  })

  it('that grows a thousandfold when it is uncompressed is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const text = await replied((_, response) => response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(bomb), {
      maxBytes: 100_000_000,
    })
    expect(text).toContain('when it is uncompressed')
  })

  it('with headers that are too large is refused', async () => {
    const text = await replied((_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end('x'))
    expect(text).toContain('headers of its reply are too large')
  })

  it('that comes drop by drop is given up when its time is over', async () => {
    const closed = Promise.withResolvers<void>()
    const text = await replied(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const drip = (): void => void (response.destroyed || response.write('x', () => setImmediate(drip)))
        response.on('close', () => closed.resolve())
        drip()
      },
      { timeout: 150 },
    )
    expect(text).toContain('did not reply within 150 ms')
    await closed.promise
  })

  it('that calls binary data text is not shown', async () => {
    const text = await replied((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.from([1, 2, 0, 255, 0, 3])))
    expect(text).toContain('which is no text and is not shown')
  })

  it("does not show the program's credentials when it echoes them", async () => {
    const server = await serve((received, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', etag: String(received.headers.authorization) }).end(JSON.stringify(received.headers)),
    )
    const origin = `http://127.0.0.1:${server.port}`
    const text = await request(
      { url: `${origin}/` },
      { allow: [`127.0.0.1:${server.port}`], headers: { [origin]: { authorization: 'Bearer program-secret' } } },
    )
    expect(text).not.toContain('program-secret')
    expect(text).toContain('[secret]')
  })
})

describe('a request', () => {
  it('has no headers of the connection, and no credentials, that the model sets', async () => {
    const server = await serve((_, response) => response.end('x'))
    const allow = [`127.0.0.1:${server.port}`]
    const bad = [
      'Host',
      'connection',
      'Transfer-Encoding',
      'content-length',
      'Proxy-Authorization',
      'upgrade',
      'Authorization',
      'cookie',
      'x\r\ny',
      'a b',
      'x-\u0000',
    ]
    for (const name of bad) {
      const outcome = await request({ url: `http://127.0.0.1:${server.port}/`, headers: { [name]: 'evil.test' } }, { allow })
      expect([name, refused.includes(codeOf(outcome))]).toEqual([name, true])
    }
    const split = await request({ url: `http://127.0.0.1:${server.port}/`, headers: { 'x-a': 'b\r\nHost: evil.test' } }, { allow })
    expect(codeOf(split)).toBe('LOOM_TOOL_INPUT_INVALID')
    expect(server.seen).toEqual([])
  })

  it('over TLS checks the certificate against the name, and trusts those that it was told to', async () => {
    const certificate = certificateFor('secure.test')
    const server = await serve((_, response) => response.end('safe'), certificate)
    const resolve = (): readonly string[] => ['127.0.0.1']
    const ask = (host: string, ca?: readonly string[]): Promise<unknown> =>
      request({ url: `https://${host}:${server.port}/` }, { allow: [`${host}:${server.port}`], resolve, ...(ca && { ca }) })
    expect(await ask('secure.test', [certificate.cert])).toContain('safe')
    expect(server.seen[0]?.headers.host).toBe(`secure.test:${server.port}`)
    expect(String(await ask('other.test', [certificate.cert]))).toContain('certificate is for another host')
    expect(String(await ask('secure.test'))).toContain('not signed by a known authority')
    expect(server.seen).toHaveLength(1)
  })

  it('goes where it was sent and trusts whom it was told to, whatever the environment says', async () => {
    const certificate = certificateFor('secure.test')
    const folder = await mkdtemp(join(tmpdir(), 'loom-network-'))
    await writeFile(join(folder, 'ca.pem'), certificate.cert)
    const [plain, secure] = [await serve((_, response) => response.end('direct')), await serve((_, response) => response.end('tapped'), certificate)]
    const proxy = `http://127.0.0.1:${canary.port}`
    const proxies = { HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, https_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }
    const inProcess = async (url: string, host: string, env: Readonly<Record<string, string>>): Promise<string> => {
      const program = fileURLToPath(new URL('./network-process.ts', import.meta.url))
      const all = ['--conditions=loom-source', program, url, host]
      return (await promisify(execFile)(process.execPath, all, { env: { ...process.env, ...env } })).stdout
    }
    const place = `secure.test:${secure.port}`
    const [direct, unchecked, added] = await Promise.all([
      inProcess(`http://127.0.0.1:${plain.port}/`, `127.0.0.1:${plain.port}`, proxies),
      inProcess(`https://${place}/`, place, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
      inProcess(`https://${place}/`, place, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }),
    ])
    await rm(folder, { recursive: true })
    expect(direct).toContain('direct')
    expect([unchecked, added]).toEqual([expect.stringContaining('not signed'), expect.stringContaining('not signed')])
    expect([canary.seen.length, secure.seen.length]).toEqual([0, 0])
  })
})
