/**
 * Two servers on one PostgreSQL that are restarted one after the other, again and again, while clients start runs and follow them to their ends.
 * LOOM_ROLLING_ROUNDS=20 is the long form.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type PostgresServer, startPostgresServer } from '@loom-agent/harness/servers'
import { type Client, createClient } from '@loom-agent/server/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { openStorm } from './storm.ts'

const rounds = Number(process.env['LOOM_ROLLING_ROUNDS'] ?? 2)
const clients = 12

interface Server {
  readonly url: string
  readonly process: ChildProcess
}

let database: PostgresServer
const folder = mkdtempSync(join(tmpdir(), 'loom-rolling-'))
/** Every call of `note`, written by the processes outside of their journal. */
const ledger = join(folder, 'ledger')
const servers: Server[] = []
beforeAll(async () => {
  database = await startPostgresServer({ fsync: false })
}, 60_000)
afterAll(async () => {
  for (const { process } of servers) process.kill('SIGKILL')
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Server> {
  const args = ['--conditions=loom-source', join(import.meta.dirname, 'serve-process.ts'), database.url, ledger]
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface({ input: started.stdout as Readable }), 'line')) as [string]
  return { url, process: started }
}

/** Sends each request to one of the servers, in turn; to the next one when it does not answer or takes nothing on. Counts the requests that were sent again. */
function balanced(): { readonly fetch: (request: Request) => Promise<Response>; moved: number } {
  const balancer = {
    moved: 0,
    async fetch(request: Request): Promise<Response> {
      const body = request.body ? await request.text() : undefined
      for (let turn = Math.floor(Math.random() * 2); ; turn += 1) {
        const { url = '' } = servers[turn % servers.length] ?? {}
        const { pathname, search } = new URL(request.url)
        const { method, headers, signal } = request
        const response = await fetch(`${url}${pathname}${search}`, { method, headers, signal, ...(body !== undefined && { body }) }).catch(
          () => undefined,
        )
        if (response && response.status !== 503) return response
        await response?.body?.cancel()
        balancer.moved += 1
        await idle(1)
      }
    },
  }
  return balancer
}

/** Starts a run and follows it to its end. Returns the numbers of the events that it was shown. */
async function converse(client: Client, thread: string): Promise<readonly number[]> {
  await client.startRun({ agent: 'clerk' }, { input: 'Go.', thread, id: thread })
  const seqs: number[] = []
  for await (const { event, data } of client.streamThread({ thread }, { until: 'rest' })) {
    if (event === 'event') seqs.push((data as { readonly seq: number }).seq)
  }
  return seqs
}

test('clients notice nothing: every run ends, every call is made once, and every event is shown once', async () => {
  servers.push(await start(), await start())
  const balancer = balanced()
  const client = createClient({ url: 'http://loom.example/api/v1', fetch: balancer.fetch })
  const shown = new Map<string, readonly number[]>()
  let isOver = false
  const busy = Array.from({ length: clients }, async (_, n) => {
    for (let count = 0; !isOver; count += 1) shown.set(`c${n}-${count}`, await converse(client, `c${n}-${count}`))
  })
  for (let round = 0; round < rounds; round += 1) {
    for (const index of [0, 1]) {
      const before = shown.size
      await until(() => shown.size >= before + clients)
      const old = servers[index] as Server
      const ended = once(old.process, 'exit')
      old.process.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      servers[index] = await start()
    }
  }
  isOver = true
  await Promise.all(busy)
  const journal = openStorm(database.url)
  let handedOn = 0
  for (const [thread, seqs] of shown) {
    const events = await eventsOf(journal, thread)
    expect([thread, seqs]).toEqual([thread, events.slice(0, seqs.length).map(({ seq }) => seq)])
    const ends = events.findIndex(({ type }) => type === 'run.finished')
    expect(seqs.length).toBeGreaterThan(ends)
    // A server that looked while the run was still under way may take the thread when it has ended, and finds nothing to do.
    expect(events.slice(ends + 1).filter(({ type }) => type !== 'driver.acquired')).toEqual([])
    expect(events.filter(({ type }) => type === 'run.started' || type === 'run.finished')).toHaveLength(2)
    if (events.filter(({ type }) => type === 'driver.acquired').length > 1) handedOn += 1
  }
  expect(await journal.threads({ status: 'running' })).toEqual([])
  await journal.close()
  const calls = readFileSync(ledger, 'utf8').trim().split('\n')
  expect([calls.length, new Set(calls).size]).toEqual([shown.size * 2, shown.size * 2])
  expect(balancer.moved).toBeGreaterThan(0)
  expect(handedOn).toBeGreaterThan(0)
}, 240_000)
