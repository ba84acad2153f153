/** Every failure on every wire, seen by an agent: the right event, the right decision, no word lost and none doubled. */
import { agent, isSignal, type RunHandle } from '@loom-agent/agent'
import { type Wire, type WireFault, type WireReply, type WireServer, wireServer, wires } from '@loom-agent/harness/wire'
import { manualClock } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { modelOn } from '../../harness/test/wire/providers.ts'
import { factsOf } from './journals.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(reply: readonly (string | WireReply)[]): Promise<WireServer> {
  const server = await wireServer({ reply })
  open.push(server)
  return server
}

const settings = { maxOutputTokens: 4000 }
const behaviour = { modelIdle: 60_000 }
const ports = { random: () => 0 }
const text = ['Grüße ', '世界 ', 'and 👋🏽 ', 'more']
const answer = 'Ça va 🙂'
/** How many events of a stream have gone out when it has said something, and not all. */
const some: Readonly<Record<Wire, number>> = { 'openai-chat': 3, 'openai-compatible': 3, 'openai-responses': 6, anthropic: 5, google: 2 }

/** The words that a viewer hears, by the attempt that says them. */
async function heardFrom(run: RunHandle, heard: Record<number, string> = {}): Promise<Readonly<Record<number, string>>> {
  for await (const event of run.events()) {
    if (isSignal(event) && event.type === 'text-delta') heard[event.attempt] = (heard[event.attempt] ?? '') + event.text
  }
  return heard
}

type Row = readonly [
  name: string,
  fault: (wire: Wire) => WireFault,
  expected: { readonly code: string; readonly again: boolean; readonly said?: true },
]

const status =
  (code: number, more: object = {}): ((wire: Wire) => WireFault) =>
  () => ({ kind: 'status', status: code, ...more })
const rows: readonly Row[] = [
  ['status 400', status(400), { code: 'LOOM_MODEL_FAILED', again: false }],
  ['status 401', status(401), { code: 'LOOM_MODEL_FAILED', again: false }],
  ['status 408', status(408), { code: 'LOOM_MODEL_FAILED', again: true }],
  ['status 425', status(425), { code: 'LOOM_MODEL_FAILED', again: true }],
  ['status 429', status(429), { code: 'LOOM_MODEL_RATE_LIMITED', again: true }],
  ['status 429 that asks for a short wait', status(429, { retryAfterMs: 20 }), { code: 'LOOM_MODEL_RATE_LIMITED', again: true }],
  ['status 429 that asks for a day', status(429, { retryAfter: 86_400 }), { code: 'LOOM_MODEL_RATE_LIMITED', again: false }],
  ['status 500', status(500), { code: 'LOOM_MODEL_FAILED', again: true }],
  ['status 529', status(529), { code: 'LOOM_MODEL_FAILED', again: true }],
  ['a request that is too long', () => ({ kind: 'overflow' }), { code: 'LOOM_MODEL_CONTEXT_LENGTH', again: false }],
  ['silence from the start', () => ({ kind: 'stall' }), { code: 'LOOM_MODEL_TIMEOUT', again: true }],
  ['silence in the middle', (wire) => ({ kind: 'stall', after: some[wire] }), { code: 'LOOM_MODEL_TIMEOUT', again: true, said: true }],
  ['a socket torn at the start', () => ({ kind: 'cut' }), { code: 'LOOM_MODEL_FAILED', again: true }],
  ['a socket torn in the middle', (wire) => ({ kind: 'cut', after: some[wire] }), { code: 'LOOM_MODEL_FAILED', again: true, said: true }],
  ['an early end', (wire) => ({ kind: 'end', after: some[wire] }), { code: 'LOOM_MODEL_FAILED', again: true, said: true }],
  ['junk', (wire) => ({ kind: 'junk', after: some[wire] }), { code: 'LOOM_MODEL_FAILED', again: true, said: true }],
  ['an error in the stream', (wire) => ({ kind: 'error', after: some[wire], status: 500 }), { code: 'LOOM_MODEL_FAILED', again: true, said: true }],
]

describe.for(wires)('on %s', (wire) => {
  test.for(rows)('%s', async ([, fault, { code, again, said }]) => {
    const server = await started([{ text, fault: fault(wire) }, answer])
    const clock = code === 'LOOM_MODEL_TIMEOUT' ? manualClock(Date.now()) : undefined
    const worker = agent({ model: modelOn(wire, server), settings, behaviour, ports: { ...ports, ...(clock && { clock }) } })
    const run = worker.start('go', { thread: 't' })
    const heard: Record<number, string> = {}
    const ended = Promise.all([heardFrom(run, heard), run.result()])
    if (clock) {
      await expect.poll(() => server.requests.length > 0 && (!said || heard[1] !== undefined), { interval: 5, timeout: 30_000 }).toBe(true)
      // The pieces that came since the timer was set put it off once.
      await clock.advance(said ? 2 * behaviour.modelIdle : behaviour.modelIdle)
    }
    const [, result] = await ended

    const failed = await factsOf(worker, 't', 'model.failed')
    expect(failed.map(({ data }) => [data.attempt, data.error.code, data.retryAt !== undefined])).toEqual([[1, code, again]])
    const partial = failed[0]?.data.partial
    if (said) expect(text.join('').startsWith(partial ?? 'nothing')).toBe(true)
    expect([partial === undefined, partial === text.join('')]).toEqual([!said, false])
    expect(heard[1]).toBe(partial)

    expect(server.requests).toHaveLength(again ? 2 : 1)
    expect(result).toMatchObject(again ? { status: 'done', text: answer } : { status: 'failed', error: { code } })
    expect(heard[2]).toBe(again ? answer : undefined)
    if (again) expect(server.requests[1]?.body).toEqual(server.requests[0]?.body)
  })

  test.for([1, 2, 3, 5])('characters that are split every %i bytes are whole again', async (bytes) => {
    const server = await started([{ text, bytes }])
    const run = agent({ model: modelOn(wire, server), settings }).start('go')
    const [heard, result] = await Promise.all([heardFrom(run), run.result()])
    expect(result).toMatchObject({ status: 'done', text: text.join('') })
    expect(heard).toEqual({ 1: text.join('') })
    expect(server.requests).toHaveLength(1)
  })

  test.for([
    ['before the first byte', undefined],
    ['in the middle of the answer', some[wire]],
  ] as const)('a stop %s closes the socket, and nothing is tried again', async ([, after]) => {
    const server = await started([{ text, fault: { kind: 'stall', ...(after !== undefined && { after }) } }, answer])
    const worker = agent({ model: modelOn(wire, server), settings, ports })
    const run = worker.start('go', { thread: 't' })
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1)
    if (after !== undefined) for await (const _ of run.text()) break
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped', kind: 'cancelled' })
    const [arrival] = server.requests
    await arrival?.over
    expect(arrival?.isAborted).toBe(true)
    expect(server.requests).toHaveLength(1)
  })
})
