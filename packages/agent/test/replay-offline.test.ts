/** Looking back needs no network: what a fork, a plan and a replay open is counted, and so is what going on for real opens. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Agent, agent, memoryJournal, tool } from '@loom-agent/agent'
import { type WireServer, wireServer } from '@loom-agent/harness/wire'
import { afterEach, describe, expect, test } from 'vitest'
import { modelOn } from '../../harness/test/wire/providers.ts'
import { eventsOf } from './journals.ts'

const servers: WireServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serving(...reply: Parameters<typeof wireServer>[0]['reply'][]): Promise<WireServer> {
  const server = await wireServer({ reply: reply.flat() })
  servers.push(server)
  return server
}

/** Sockets that this process opens and HTTP requests that it makes while something is done; those that a server accepts are not among them. */
async function networkOf(work: () => Promise<unknown>): Promise<{ readonly sockets: number; readonly requests: number }> {
  const counts = { sockets: 0, requests: 0 }
  const socket = (): void => {
    counts.sockets += 1
  }
  const request = (): void => {
    counts.requests += 1
  }
  subscribe('net.client.socket', socket)
  subscribe('undici:request:create', request)
  try {
    await work()
  } finally {
    unsubscribe('net.client.socket', socket)
    unsubscribe('undici:request:create', request)
  }
  return counts
}

const silence = { sockets: 0, requests: 0 }
const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })

/** A thread that was recorded with a model behind HTTP, which is gone: a request to it would fail, and be counted. */
async function recorded(): Promise<Agent> {
  const server = await serving({ calls: [{ tool: 'look' }] }, { calls: [{ tool: 'look' }] }, 'Done.')
  const worker = agent({ name: 'worker', instructions: 'Look.', model: modelOn('openai-chat', server), tools: [look], journal: memoryJournal() })
  const counted = await networkOf(() => worker.run('Where is the cat?', { thread: 't' }))
  expect(counted.requests).toBe(3)
  expect(counted.sockets).toBeGreaterThan(0)
  await server.close()
  servers.splice(0)
  return worker
}

describe('no socket is opened', () => {
  test('by a fork and a plan, at any moment and with any edit', async () => {
    const worker = await recorded()
    const last = (await eventsOf(worker, 't')).length
    const edits = [
      undefined,
      { kind: 'result', call: '1.0', result: 'a fire' },
      { kind: 'deny', call: '2.0' },
      { kind: 'remove-turn', turn: 2 },
      { kind: 'input', input: 'And the dog?' },
    ] as const
    let made = 0
    const counted = await networkOf(async () => {
      for (let seq = 1; seq <= last; seq += 1) made += (await worker.planFork(`t@${seq}`)).reused.events
      for (const edit of edits) await worker.fork(`t@${last}`, { limits: { tokens: 1000 }, ...(edit && { edit }) })
    })
    expect(counted).toEqual(silence)
    expect(made).toBe((last * (last + 1)) / 2)
    expect((await worker.journal.threads()).length).toBe(1 + edits.length)
  })

  test.each(['stop-at-divergence', 'continue-recorded'] as const)('by a replay that is to %s', async (mode) => {
    const worker = await recorded()
    const turns: number[] = []
    const counted = await networkOf(async () => {
      for (const changed of [{}, { with: { instructions: 'Look twice.' } }]) turns.push((await worker.replay('t', { mode, ...changed })).turns.length)
    })
    expect(counted).toEqual(silence)
    expect(turns).toEqual([3, mode === 'stop-at-divergence' ? 1 : 3])
  })
})

describe('a socket is opened', () => {
  test('by a replay that goes on live, but only once it does', async () => {
    const worker = await recorded()
    const server = await serving('I looked twice.')
    const options = {
      with: { instructions: 'Look twice.', model: modelOn('openai-chat', server) },
      mode: 'continue-live',
      fork: { limits: { tokens: 10_000 } },
    } as const
    let report: Awaited<ReturnType<Agent['replay']>> | undefined
    expect(
      await networkOf(async () => {
        report = await worker.replay('t', options)
      }),
    ).toEqual(silence)
    expect(await networkOf(async () => expect((await report?.fork?.resume().result())?.text).toBe('I looked twice.'))).toEqual({
      sockets: 1,
      requests: 1,
    })
    expect(server.requests.length).toBe(1)
  })
})
