/** Clients that hold connections and send little or nothing: what they cost the others. LOOM_IDLE_CONNECTIONS=10000 is the long form. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createClient } from '@loom-agent/server/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'

const idle = Number(process.env['LOOM_IDLE_CONNECTIONS'] ?? 2000)
const dripping = 20
const folder = mkdtempSync(join(tmpdir(), 'loom-loris-'))
let server: ChildProcess
let url = ''
/** What the server has said about errors. */
let said = ''
const sockets: Socket[] = []
beforeAll(async () => {
  const args = [
    '--conditions=loom-source',
    join(import.meta.dirname, 'serve-process.ts'),
    join(folder, 'loom.db'),
    join(folder, 'world'),
    'impatient',
  ]
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  server.stderr?.on('data', (piece) => {
    said += String(piece)
  })
  const [line] = (await once(createInterface({ input: server.stdout as Readable }), 'line')) as [string]
  url = line
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A connection, and what came back on it. */
interface Held {
  readonly socket: Socket
  reply: string
  isOver: boolean
}

async function hold(): Promise<Held> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const held: Held = { socket, reply: '', isOver: false }
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    held.reply += String(piece)
  })
  socket.once('close', () => {
    held.isOver = true
  })
  sockets.push(socket)
  await once(socket, 'connect')
  return held
}

async function holdAll(count: number): Promise<readonly Held[]> {
  const all: Held[] = []
  while (all.length < count) all.push(...(await Promise.all(Array.from({ length: Math.min(200, count - all.length) }, hold))))
  return all
}

/** A run by somebody who behaves. */
async function others(id: string): Promise<void> {
  const client = createClient({ url: `${url}/api/v1` })
  const { status } = (await client.runToRest({ agent: 'clerk' }, { input: 'Go.', thread: id, id })) as { readonly status?: string }
  expect([id, status]).toEqual([id, 'done'])
}

test('idle connections cost the others nothing, those that drip are refused, and others are served meanwhile', async () => {
  const quiet = await holdAll(idle)
  const head = 'POST /api/v1/agents/clerk/runs HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n'
  const byHeaders = await holdAll(dripping)
  const byBody = await holdAll(dripping)
  for (const { socket } of byHeaders) socket.write(head)
  for (const { socket } of byBody) socket.write(`${head}content-length: 1000000\r\n\r\n{"input":"`)
  let served = 0
  const drip = (): void => {
    for (const { socket, isOver } of byHeaders) if (!isOver) socket.write('x-more: 1\r\n')
    for (const { socket, isOver } of byBody) if (!isOver) socket.write('x')
  }
  await until(async () => {
    drip()
    await others(`during-${served}`)
    served += 1
    return byHeaders.every(({ isOver }) => isOver) && byBody.every(({ isOver }) => isOver)
  })
  expect(served).toBeGreaterThan(2)
  for (const { reply } of [...byHeaders, ...byBody]) expect(reply).toMatch(/^HTTP\/1\.1 408 /)
  // Who has sent nothing at all is let go without an answer, and can come back.
  expect(quiet.filter(({ reply, isOver }) => reply !== '' && !isOver)).toEqual([])
  await others('after')
  // That a client was too slow is no error of the server.
  expect(said).not.toContain('aborted')
}, 150_000)
