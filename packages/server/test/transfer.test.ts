/** Whole threads over HTTP: out as lines, in as quarantined threads, and who may do either. */
import { memoryJournal } from '@loom-agent/agent'
import { exportThread, importThread } from '@loom-agent/journals'
import type { Journal } from '@loom-agent/kernel'
import { createHandler } from '@loom-agent/server'
import { createClient, type Lines } from '@loom-agent/server/client'
import { describe, expect, test } from 'vitest'
import { admin, clerkOf, jsonOf, sender } from './world.ts'

const transfer = { exportThread, importThread }
const here = (journal: Journal = memoryJournal()) => {
  const clerk = clerkOf([{ calls: [{ tool: 'look' }] }, 'Seen.', 'Again.', 'Gone on.'], journal)
  return { clerk, ...sender({ agents: [clerk], transfer }) }
}
const ndjson = { 'content-type': 'application/x-ndjson' }

describe('a thread that is exported', () => {
  test('comes into another journal as it was, with its children and the past of a fork, and runs nothing until it is adopted', async () => {
    const one = here()
    await one.clerk.run('Look.', { thread: 't' })
    const { seq = 0 } = (await one.clerk.journal.head('t')) ?? {}
    await one.clerk.fork(`t@${seq}`, { thread: 'branch' })
    const lines = await (await one.send('GET /threads/branch/lines')).text()

    const other = here()
    const imported = await jsonOf<{ thread: string; row: { quarantined: boolean; seq: number } }>(
      other.send('POST /imports', { body: lines, headers: ndjson }),
    )
    expect(imported).toMatchObject({ thread: 'branch', row: { quarantined: true } })
    const events = (send: typeof one.send) => jsonOf<{ items: readonly object[] }>(send('GET /threads/branch/events'))
    expect(await events(other.send)).toEqual(await events(one.send))
    const refused = await other.send('POST /agents/clerk/runs', { body: { input: 'Go on.', thread: 'branch' } })
    expect([refused.status, await jsonOf(refused)]).toMatchObject([409, { code: 'LOOM_THREAD_QUARANTINED' }])
    expect((await other.send('POST /threads/branch/adopt', { body: {} })).status).toBe(204)
    expect((await other.send('POST /agents/clerk/results', { body: { input: 'Go on.', thread: 'branch' } })).status).toBe(200)
  })

  test('is sent line by line, and not read further when the client leaves', async () => {
    const journal = memoryJournal()
    const { clerk } = here(journal)
    await clerk.run('Look.', { thread: 't' })
    let made = 0
    let isOver = false
    async function* endless(): AsyncGenerator<string, void> {
      try {
        for (;;) {
          made += 1
          yield `{"line":${made}}`
        }
      } finally {
        isOver = true
      }
    }
    const { send } = sender({ agents: [clerk], transfer: { exportThread: () => endless(), importThread } })
    const reader = ((await send('GET /threads/t/lines')).body as ReadableStream<Uint8Array>).getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toBe('{"line":1}\n')
    await reader.cancel()
    expect([made, isOver]).toEqual([1, true])
  })

  test('is for who may use every thread of its past', async () => {
    const { clerk, send } = here()
    await clerk.run('Look.', { thread: 'secret' })
    await clerk.fork('secret@3', { thread: 'mine' })
    const bob = { name: 'bob', scopes: ['read' as const], threads: (thread: string) => thread === 'mine' }
    expect((await send('GET /threads/mine/lines', { as: bob })).status).toBe(404)
    expect((await send('GET /threads/mine/lines')).status).toBe(200)
  })
})

describe('what is imported', () => {
  test('is refused, and nothing of it kept, when it is damaged, cut off, no text, too long, or sent by a form', async () => {
    const one = here()
    await one.clerk.run('Look.', { thread: 't' })
    const lines = await (await one.send('GET /threads/t/lines')).text()
    const other = here()
    const cases: readonly (readonly [string, string, Record<string, string>, number])[] = [
      ['damaged', lines.replace('Look.', 'Took.'), ndjson, 422],
      ['cut off', lines.slice(0, -40), ndjson, 422],
      ['empty', '', ndjson, 422],
      ['sent by a form', lines, { 'content-type': 'text/plain' }, 415],
      ['of no type that says it', lines, { 'content-type': 'application/json' }, 415],
    ]
    for (const [what, body, headers, status] of cases) {
      const response = await other.send('POST /imports', { body, headers })
      expect([what, response.status]).toEqual([what, status])
    }
    const small = sender({ agents: [other.clerk], transfer, limits: { upload: 100 } })
    expect((await small.send('POST /imports', { body: lines, headers: ndjson })).status).toBe(413)
    expect(await other.clerk.journal.threads()).toEqual([])
  })

  test('may bring threads of any name, so who may use some threads only imports nothing', async () => {
    const { send } = here()
    const response = await send('POST /imports', { body: '{}', headers: ndjson, as: { ...admin, threads: () => true } })
    expect([response.status, await jsonOf(response)]).toMatchObject([403, { code: 'LOOM_ACCESS_DENIED' }])
  })

  test('is sent by the client as a text, as bytes or as a file', async () => {
    const one = here()
    await one.clerk.run('Look.', { thread: 't' })
    const bytes = await createClient({ url: 'http://localhost/api/v1', fetch: asAdmin(one) }).exportWholeThread({ thread: 't' })
    const text = new TextDecoder().decode(bytes)
    for (const lines of [text, new TextEncoder().encode(text), new Blob([text])] satisfies Lines[]) {
      const client = createClient({ url: 'http://localhost/api/v1', fetch: asAdmin(here()) })
      expect(await client.importThread(lines)).toMatchObject({ thread: 't' })
    }
  })
})

/** The handler for a sender who may do everything. */
const asAdmin =
  ({ clerk }: ReturnType<typeof here>) =>
  (request: Request): Promise<Response> =>
    createHandler({ agents: [clerk], transfer, auth: () => admin })(request)

test('a server without transfer says what it needs', async () => {
  const { send } = sender({ agents: [clerkOf(['Hi.'])] })
  const response = await send('POST /imports', { body: '{}', headers: ndjson })
  expect([response.status, await jsonOf(response)]).toMatchObject([404, { detail: expect.stringContaining('importThread') }])
})
