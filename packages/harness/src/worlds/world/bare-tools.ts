/** Tools as somebody writes them who thinks of no attacker: they are in a world when the guard is not that Loom's own tools have. They ask like these. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { jsonSchema, type Tool, tool } from '@loom-agent/agent'
import type { JsonObject } from '@loom-agent/kernel'

const text = { type: 'string' } as const

const schema = <Input>(properties: JsonObject, required: readonly string[]) =>
  jsonSchema<Input>({ type: 'object', properties, required: [...required] })

/** File tools that take any path. */
export function bareFileTools(root: string): Readonly<Record<string, Tool>> {
  const place = (path: string): string => resolve(root, path)
  const changing = { effect: 'idempotent', permission: 'ask' } as const
  const tools = [
    tool({
      name: 'read_file',
      input: schema<{ path: string }>({ path: text }, ['path']),
      effect: 'read',
      // By the path as it is given, which is what somebody does who does not follow links.
      taint: { brings: ({ path }) => (/private|\.env/.test(path) ? ['private', 'untrusted'] : 'untrusted') },
      run: ({ path }) => readFileSync(place(path), 'utf8'),
    }),
    tool({
      name: 'list',
      input: schema<{ path?: string }>({ path: text }, []),
      effect: 'read',
      run: ({ path = '.' }) => readdirSync(place(path)).join('\n'),
    }),
    tool({
      name: 'grep',
      input: schema<{ pattern: string; hidden?: boolean }>({ pattern: text, hidden: { type: 'boolean' } }, ['pattern']),
      effect: 'read',
      taint: { brings: ['private', 'untrusted'] },
      run: ({ pattern }) => found(root, new RegExp(pattern)),
    }),
    tool({
      ...changing,
      name: 'write_file',
      input: schema<{ path: string; content: string }>({ path: text, content: text }, ['path', 'content']),
      run({ path, content }) {
        mkdirSync(dirname(place(path)), { recursive: true })
        writeFileSync(place(path), content)
        return 'Written.'
      },
    }),
    tool({
      ...changing,
      name: 'edit',
      input: schema<{ path: string; edits: readonly { old: string; new: string }[] }>({ path: text, edits: { type: 'array' } }, ['path', 'edits']),
      run({ path, edits }) {
        writeFileSync(
          place(path),
          edits.reduce((whole, one) => whole.replaceAll(one.old, () => one.new), readFileSync(place(path), 'utf8')),
        )
        return 'Edited.'
      },
    }),
    tool({
      ...changing,
      name: 'delete_file',
      input: schema<{ path: string }>({ path: text }, ['path']),
      run({ path }) {
        rmSync(place(path))
        return 'Deleted.'
      },
    }),
  ]
  return Object.fromEntries(tools.map((one) => [one.name, one]))
}

function found(root: string, pattern: RegExp): string {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const lines = files.flatMap(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').split('\n'))
  return lines.filter((line) => pattern.test(line)).join('\n')
}

type Headers = Readonly<Record<string, string>>

interface Sent {
  readonly method?: string
  readonly body?: string
  readonly headers?: Headers
  readonly hops?: number
}

/** Sends a request to whatever address the world has for the host, and follows redirects. */
export async function bareRequest(url: string, { method = 'GET', body = '', headers = {}, hops = 0 }: Sent = {}): Promise<string> {
  const target = new URL(url)
  const path = target.pathname + target.search
  const reply = await new Promise<{ location: string | undefined; text: string }>((done, failed) => {
    const asking = send({ host: '127.0.0.1', port: target.port || 80, method, path, headers: { host: target.host, ...headers } })
    asking.on('response', (response) => {
      let text = `${response.headers['link'] ?? ''}\n`
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => done({ location: response.headers.location, text }))
    })
    asking.on('error', failed).end(body)
  })
  return reply.location !== undefined && hops < 5 ? bareRequest(new URL(reply.location, url).href, { hops: hops + 1 }) : reply.text
}

/** Requests to any address. */
export function bareWebTools(resolveName: (host: string) => unknown): Readonly<Record<string, Tool>> {
  const load = (url: string, options?: Sent): Promise<string> => {
    resolveName(new URL(url).hostname)
    return bareRequest(url, options)
  }
  const taint = { brings: 'untrusted', sends: true } as const
  const fetch = tool({ name: 'fetch', taint, input: schema<{ url: string }>({ url: text }, ['url']), effect: 'read', run: ({ url }) => load(url) })
  const http_request = tool({
    name: 'http_request',
    taint,
    input: schema<{ url: string; method?: string; body?: string; headers?: Headers }>(
      { url: text, method: text, body: text, headers: { type: 'object' } },
      ['url'],
    ),
    effect: ({ method = 'GET' }) => (method === 'GET' ? 'read' : 'unsafe'),
    permission: ({ method = 'GET' }) => (method === 'GET' ? 'allow' : 'ask'),
    run: ({ url, method = 'GET', body = '', headers = {} }) => load(url, { method, body, headers }),
  })
  return { fetch, http_request }
}
