import { agent, approve, memoryJournal } from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { type HttpToolOptions, httpTool } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callTool } from '../../../test/support/call-tool.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { type WebServer, webServer } from '../../../test/support/web-server.ts'

let server: WebServer
let base: string
let allow: readonly string[]
beforeEach(async () => {
  server = await webServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/latin') return response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from('caf\xe9', 'latin1'))
    if (path === '/wide') return response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.from('\ufeffwide', 'utf16le'))
    if (path === '/png') return response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from('89504e470d0a1a0a00', 'hex'))
    if (path === '/false-png') return response.writeHead(200, { 'content-type': 'image/png' }).end('<script>')
    if (path === '/zip') return response.writeHead(200, { 'content-type': 'application/zip' }).end(Buffer.alloc(12))
    if (path === '/long') return response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(50_000))
    if (path === '/odd') return response.writeHead(200, { 'content-encoding': 'zstd', 'content-type': 'text/plain' }).end('x')
    if (path === '/broken') return response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end('no gzip')
    if (path === '/reset') return request.socket.destroy()
    if (path === '/upgrade') return response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end()
    if (path === '/gone') return response.writeHead(410).end()
    if (path === '/moved') return response.writeHead(302, { location: '/json' }).end()
    return response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'session=secret' }).end('{"a":1}')
  })
  base = `http://127.0.0.1:${server.port}`
  allow = [`127.0.0.1:${server.port}`]
})
afterEach(() => server.close())

const ask = (input: object, options: HttpToolOptions = {}, more: { key?: string; signal?: AbortSignal } = {}): Promise<unknown> =>
  callTool(httpTool({ allow, ...options }), input, more)

describe('http_request', () => {
  test('returns the status, some headers and the text, and never a cookie', async () => {
    const text = await ask({ url: `${base}/json` })
    expect(text).toMatch(/^HTTP 200 OK\nurl: http:\/\/127\.0\.0\.1:\d+\/json\ncontent-type: application\/json\n[\s\S]*\n\n\{"a":1\}$/)
    expect(text).not.toContain('secret')
  })

  test('decodes texts by their character set', async () => {
    expect(await ask({ url: `${base}/latin` })).toContain('café')
    expect(await ask({ url: `${base}/wide` })).toContain('\n\nwide')
  })

  test('returns an image as an image, and refuses what only says that it is one', async () => {
    expect(await ask({ url: `${base}/png` })).toMatchObject({ kind: 'content', parts: [{ type: 'text' }, { type: 'image', mediaType: 'image/png' }] })
    expect(await ask({ url: `${base}/false-png` })).toContain('The body is image/png of 8 bytes, which is no text and is not shown.')
    expect(await ask({ url: `${base}/zip` })).toContain('application/zip of 12 bytes')
  })

  test('says what it cut, and how much there is', async () => {
    expect(await ask({ url: `${base}/long` })).toContain('[cut: 9000 of 50000 characters are shown]')
    expect(await ask({ url: `${base}/long` }, { maxBytes: 100 })).toContain('[cut: the body is longer than 100 bytes]')
  })

  test('says why there is no reply, and what to do', async () => {
    expect(await ask({ url: `${base}/odd` })).toMatchObject({ message: expect.stringContaining('compressed in a way that cannot be read (zstd)') })
    expect(await ask({ url: `${base}/broken` })).toMatchObject({ message: expect.stringContaining('the compressed reply is damaged') })
    expect(await ask({ url: `${base}/reset` })).toMatchObject({ message: expect.stringContaining('the server closed the connection. Try later.') })
    expect(await ask({ url: `${base}/upgrade` })).toMatchObject({ message: expect.stringContaining('another protocol than HTTP') })
    expect(await ask({ url: `${base}/gone` })).toContain('HTTP 410 Gone')
    expect(await ask({ url: 'http://nowhere.test/' }, { resolve: () => [] })).toMatchObject({
      message: 'nowhere.test has no address. Check the spelling.',
    })
    expect(await ask({ url: 'ftp://example.com/' })).toMatchObject({ message: expect.stringContaining('begins with https:// or http://') })
    expect(await ask({ url: `${base}/`, body: 'x' })).toMatchObject({ message: 'A GET has no body. Leave it out, or use POST.' })
    expect(await ask({ url: `${base}/`, method: 'POST', body: 'x'.repeat(262_145) })).toMatchObject({
      message: expect.stringContaining('262144 are allowed'),
    })
  })

  test('follows a redirect to the same host and says where it ended', async () => {
    expect(await ask({ url: `${base}/moved` })).toContain(`url: ${base}/json`)
  })

  test('says of a request that changes something that it may have been carried out, when no reply came', async () => {
    expect(await ask({ url: `${base}/reset`, method: 'POST' })).toMatchObject({
      message: expect.stringContaining('may have been carried out: verify that'),
    })
    expect(await ask({ url: 'http://nowhere.test/', method: 'POST' }, { resolve: () => [] })).toMatchObject({
      message: expect.not.stringContaining('carried out'),
    })
  })

  test('sends a body with its type, and the key of the call to origins that know it', async () => {
    await ask({ url: `${base}/a`, method: 'POST', body: '{"a":1}' })
    await ask({ url: `${base}/b`, method: 'PUT', body: 'words', headers: { 'X-Note': 'n' } }, { idempotent: [base] }, { key: 'k1' })
    expect(server.seen).toMatchObject([
      { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
      { method: 'PUT', body: 'words', headers: { 'content-type': 'text/plain; charset=utf-8', 'x-note': 'n', 'idempotency-key': 'k1' } },
    ])
    expect(server.seen[0]?.headers['idempotency-key']).toBeUndefined()
  })

  test('ends with the call', async () => {
    const control = new AbortController()
    const asked = ask({ url: 'http://slow.test/' }, { resolve: () => new Promise(() => {}) }, { signal: control.signal })
    control.abort(new Error('stopped'))
    expect(await asked).toMatchObject({ message: 'stopped' })
  })

  test('refuses options that cannot be meant', () => {
    const bad = [
      { allow: ['http://localhost'] },
      { allow: ['a b'] },
      { allow: ['user@host'] },
      { hosts: ['*'] },
      { ports: [0] },
      { headers: { 'api.example.com': { a: 'b' } } },
      { headers: { 'https://api.example.com/': { a: 'b' } } },
      { headers: { 'https://api.example.com': { host: 'b' } } },
      { headers: { 'https://api.example.com': { a: 'b\nc' } } },
      { methods: [] },
      { idempotent: ['example.com'] },
      { timeout: Number.POSITIVE_INFINITY },
    ]
    for (const options of bad) expect(() => httpTool(options as HttpToolOptions), JSON.stringify(options)).toThrow(/httpTool: \w+(\[\d\])? is/)
  })
})

describe('in a run', () => {
  const call = (input: object) => ({ calls: [{ tool: 'http_request', input }] })

  test('a GET runs as a read, and a POST asks first and is unsafe', async () => {
    const journal = memoryJournal()
    const model = scriptedModel([call({ url: `${base}/json` }), call({ url: `${base}/pay`, method: 'POST' }), 'Paid.'])
    const asked: string[] = []
    const helper = agent({ model, journal, tools: [httpTool({ allow })] })
    const result = await helper.run('Pay.', {
      thread: 't',
      onQuestion: ({ prompt }) => {
        asked.push(prompt)
        return approve()
      },
    })
    expect(result).toMatchObject({ status: 'done', text: 'Paid.' })
    expect(asked).toHaveLength(1)
    const events = await eventsOf(journal, 't')
    assertHistory(events)
    expect(events.flatMap((event) => (event.type === 'tool.started' ? [event.data.effect] : []))).toEqual(['read', 'unsafe'])
    expect(events.flatMap((event) => (event.type === 'tool.finished' ? [event.data.meta] : []))[0]).toEqual({
      untrusted: true,
      url: `${base}/json`,
      status: 200,
    })
  })

  test('a rule for what only reads meets a GET and no POST', async () => {
    const model = scriptedModel([call({ url: `${base}/json` }), call({ url: `${base}/pay`, method: 'POST' }), 'Only read.'])
    const permissions = { rules: [{ tool: '*', effect: 'read', verdict: 'allow' }], default: 'deny', keepDenials: true } as const
    const result = await agent({ model, tools: [httpTool({ allow })], permissions, behaviour: { unattended: 'deny' } }).run('Go.')
    expect(result.steps.flatMap(({ calls }) => calls.map(({ status }) => status))).toEqual(['success', 'error'])
    expect(server.seen.map(({ method }) => method)).toEqual(['GET'])
  })

  test('a POST to an origin that knows keys is idempotent, and carries the key that the journal has', async () => {
    const journal = memoryJournal()
    const model = scriptedModel([call({ url: `${base}/pay`, method: 'POST' }), 'Paid.'])
    const helper = agent({ model, journal, tools: [httpTool({ allow, idempotent: [base] })] })
    await helper.run('Pay.', { thread: 't', onQuestion: () => approve() })
    const [started] = (await eventsOf(journal, 't')).flatMap((event) => (event.type === 'tool.started' ? [event.data] : []))
    expect(started).toMatchObject({ effect: 'idempotent', key: server.seen[0]?.headers['idempotency-key'] })
  })
})
