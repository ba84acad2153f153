/** The ledger and the script of a wire server. */
import { afterEach, describe, expect, test } from 'vitest'
import { type WireServer, type WireServerOptions, wireServer } from '../../src/wire/server.ts'
import { wires } from '../../src/wire/wire.ts'
import { modelIds, modelOn, partsOf } from './providers.ts'
import { validRequests } from './valid-requests.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(options: WireServerOptions): Promise<WireServer> {
  const server = await wireServer(options)
  open.push(server)
  return server
}

const usage = { input: 1000, cacheRead: 10_000, cacheWrite: 500, output: 70, reasoning: 20 }

describe('the ledger', () => {
  test.for(wires)('bills every reply in whole micro-units: %s', async (wire) => {
    const price = { input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000 }
    const server = await started({ reply: () => ({ text: 'Hello.', usage }), prices: { [modelIds[wire]]: price } })
    await partsOf(modelOn(wire, server))
    await partsOf(modelOn(wire, server))
    // A vendor that does not count cache writes bills them as input.
    const written = wire === 'google' || wire === 'openai-compatible' ? 500 * 3 : 500 * 3.75
    const cost = Math.round(1000 * 3 + 10_000 * 0.3 + written + 70 * 15)
    expect(server.requests.map(({ bill }) => bill?.cost)).toEqual([cost, cost])
    expect(server.cost()).toBe(2 * cost)
  })

  test('bills a reply that never arrived, and no refusal', async () => {
    const prices = { 'gpt-4.1': { input: 1_000_000, output: 1_000_000 } }
    const reply = [
      { usage, fault: { kind: 'cut' } },
      { usage, fault: { kind: 'status', status: 503 } },
      { text: 'Hello.', usage },
    ] as const
    const server = await started({ reply, prices })
    const model = modelOn('openai-chat', server)
    for (const _ of reply) await partsOf(model)
    await partsOf(model, { prompt: [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'y', input: {} }] }] })
    expect(server.requests.map(({ bill }) => bill?.cost)).toEqual([11_570, undefined, 11_570, undefined])
    await Promise.all(server.requests.map(({ over }) => over))
    expect(server.requests.map(({ status }) => status)).toEqual([undefined, 503, 200, 400])
    expect(server.requests.map(({ isAborted }) => isAborted)).toEqual([false, false, false, false])
  })

  test('knows what arrived, on which wire and when', async () => {
    const server = await started({ reply: () => 'Hello.' })
    for (const wire of wires) await partsOf(modelOn(wire, server))
    expect(server.requests.map(({ wire, model }) => [wire, model])).toEqual(wires.map((wire) => [wire, modelIds[wire]]))
    expect(server.requests.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
    await Promise.all(server.requests.map(({ over }) => over))
    for (const { time, streams, closedAt } of server.requests) {
      expect(time).toBeGreaterThan(0)
      expect(closedAt).toBeGreaterThanOrEqual(time)
      expect(streams).toBe(true)
    }
  })
})

describe('the script', () => {
  test('gives one reply a request, and a function for all further requests', async () => {
    const server = await started({ reply: ['first', (_, { number }) => `number ${number}`] })
    const model = modelOn('anthropic', server)
    const texts: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const { parts } = await partsOf(model)
      texts.push(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''))
    }
    expect(texts).toEqual(['first', 'number 2', 'number 3'])
  })

  test('that has come to its end is an error', async () => {
    const server = await started({ reply: ['only'] })
    const model = modelOn('google', server)
    await partsOf(model)
    const { thrown } = await partsOf(model)
    expect(thrown).toMatchObject({ statusCode: 400, message: 'The script failed: it has 1 replies, and this is request 2.' })
  })

  test('is not used up by requests that are refused', async () => {
    const server = await started({ reply: ['only'] })
    const model = modelOn('anthropic', server)
    const refused = await partsOf(model, { prompt: [{ role: 'assistant', content: [{ type: 'text', text: 'I begin.' }] }] })
    expect(refused.thrown).toMatchObject({ statusCode: 400 })
    expect((await partsOf(model)).thrown).toBeUndefined()
  })

  test('replies to anything when requests are not judged', async () => {
    const server = await started({ reply: () => 'Hello.', judges: false })
    const { thrown } = await partsOf(modelOn('anthropic', server), { prompt: [{ role: 'assistant', content: [{ type: 'text', text: 'I begin.' }] }] })
    expect(thrown).toBeUndefined()
    expect(server.requests[0]?.problems).toEqual([])
  })
})

describe('what no provider sends', () => {
  test('a body that is no JSON is refused in the shape of the vendor', async () => {
    const server = await started({ reply: () => 'Hello.' })
    const response = await fetch(`${server.baseURLs.anthropic}/messages`, { method: 'POST', body: '{"model":' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(server.requests).toHaveLength(1)
  })

  test('a path that no vendor has is not found', async () => {
    const server = await started({ reply: () => 'Hello.' })
    expect((await fetch(`${server.url}/v2/anything`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect(server.requests).toEqual([])
  })

  test('closing the server ends a request that stalls', async () => {
    const server = await wireServer({ reply: { fault: { kind: 'stall' } } })
    const { path, headers, body } = validRequests['chat']?.request ?? { path: '', headers: {}, body: undefined }
    const pending = fetch(server.url + path, { method: 'POST', headers: headers as Record<string, string>, body: JSON.stringify(body) })
    await expect.poll(() => server.requests.length).toBe(1)
    await server.close()
    await expect(pending).rejects.toThrow('fetch failed')
  })
})
