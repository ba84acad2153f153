/** What a tree of runs cost is what its vendors billed, to the last unit: with children, retries, and attempts that failed and were billed. */
import { type AgentFactory, createAgentFactory, tool } from '@loom-agent/agent'
import { type Wire, type WirePrice, type WireReply, type WireServer, wireServer } from '@loom-agent/harness/wire'
import type { EventOf, LoomEvent } from '@loom-agent/kernel'
import { createModels, modelTable } from '@loom-agent/models'
import { afterEach, describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const ids = { boss: 'anthropic/claude-sonnet-4-5', left: 'openai/gpt-5-mini', right: 'google/gemini-2.5-flash-lite' } as const
const prices = Object.fromEntries(Object.values(ids).map((id) => [id.slice(id.indexOf('/') + 1), rates(id)]))

function rates(id: string): WirePrice {
  const price = modelTable[id]?.price
  if (!price) throw new Error(`${id} has no price`)
  const { input, output, cacheRead, cacheWrite } = price
  return { input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) }
}

/** Counts that no rounding hides. */
const usage = (n: number) => ({ input: 1009 + n * 7, cacheRead: 523 + n, output: 311 + n * 3 })
const delegate = { calls: ['left', 'right'].map((name) => ({ tool: name, input: { prompt: 'look' } })), usage: usage(1) }
const script: Readonly<Partial<Record<Wire, readonly WireReply[]>>> = {
  anthropic: [
    // Everything was streamed and counted, and then the vendor reports a failure: the tokens are billed.
    { text: 'I will', usage: usage(2), fault: { kind: 'error', after: 1000, status: 500 } },
    delegate,
    { text: 'Both have looked.', usage: usage(3) },
  ],
  'openai-responses': [{ fault: { kind: 'status', status: 503 } }, { calls: [{ tool: 'look' }], usage: usage(4) }, { text: 'left', usage: usage(5) }],
  google: [
    { calls: [{ tool: 'look' }], usage: usage(6) },
    { text: 'right', usage: usage(7) },
  ],
}

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })

/** Agents by model ids, with every vendor on one server. */
function onServer({ baseURLs }: WireServer): AgentFactory {
  const env = {
    ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: baseURLs.anthropic, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: baseURLs['openai-responses'] },
    ...{ GEMINI_API_KEY: 'k', GOOGLE_GENERATIVE_AI_BASE_URL: baseURLs.google },
  }
  const models = createModels({ env })
  return createAgentFactory({ resolveModel: models.resolveModel, price: models.price })
}

async function billedTree() {
  const next = new Map<Wire, number>()
  const server = await wireServer({
    prices,
    reply: (_, { wire }) => {
      const number = next.get(wire) ?? 0
      next.set(wire, number + 1)
      return script[wire]?.[number] ?? 'nothing more'
    },
  })
  open.push(server)
  const agent = onServer(server)
  const child = (name: 'left' | 'right') => agent({ name, model: ids[name], tools: [look] })
  const boss = agent({ model: ids.boss, tools: { left: child('left'), right: child('right') }, ports: { random: () => 0 } })
  return { server, boss }
}

/** The cost of the calls of one thread, from its journal. */
const spentIn = (events: readonly LoomEvent[]): number =>
  events.reduce((sum, { type, data }) => sum + (type === 'model.replied' || type === 'model.failed' ? (data.cost ?? 0) : 0), 0)

describe('a tree of runs', () => {
  test('costs what its vendors billed: thread by thread, and in all', async () => {
    const { server, boss } = await billedTree()
    const result = await boss.run('Look on both sides.', { thread: 't' })
    expect(result).toMatchObject({ status: 'done', text: 'Both have looked.' })
    expect(server.requests).toHaveLength(8)
    expect(server.requests.filter(({ bill }) => bill === undefined)).toHaveLength(1)

    const billed = (wire: Wire): number => server.requests.reduce((sum, one) => sum + (one.wire === wire ? (one.bill?.cost ?? 0) : 0), 0)
    const root = await eventsOf(boss.journal, 't')
    const finished = root.flatMap((event) => (event.type === 'child.finished' ? [event as EventOf<'child.finished'>] : []))
    const started = root.flatMap((event) => (event.type === 'child.started' ? [event as EventOf<'child.started'>] : []))
    const vendors: Readonly<Record<string, Wire>> = { left: 'openai-responses', right: 'google' }
    expect(started).toHaveLength(2)
    for (const { data } of started) {
      const cost = billed(vendors[data.agent] as Wire)
      expect(spentIn(await eventsOf(boss.journal, data.child))).toBe(cost)
      expect(finished.find((event) => event.data.child === data.child)?.data.cost).toBe(cost)
    }
    expect(spentIn(root)).toBe(billed('anthropic'))
    expect(root.filter(({ type }) => type === 'model.failed')).toHaveLength(1)
    expect(result.cost).toBe(server.cost())
    expect(Number.isInteger(result.cost)).toBe(true)
    expect(result.cost).toBeGreaterThan(0)
  })

  test('has used the tokens that its vendors counted', async () => {
    const { server, boss } = await billedTree()
    const { usage: used } = await boss.run('Look on both sides.')
    const bills = server.requests.flatMap(({ bill }) => bill ?? [])
    expect(used.input).toBe(bills.reduce((sum, bill) => sum + bill.input + bill.cacheRead + bill.cacheWrite, 0))
    expect(used.output).toBe(bills.reduce((sum, { output }) => sum + output, 0))
    expect(used.cacheRead).toBe(bills.reduce((sum, { cacheRead }) => sum + cacheRead, 0))
  })
})

describe('the budget of a tree', () => {
  test.for(Object.values(ids))('on %s is not overshot by more than one call, by the ledger of the vendor', async (id) => {
    /** As much as it could bill: a token for four bytes of the request, and the longest answer that it was allowed. */
    const greedy = (body: object) => {
      const allowed = /"max_?(?:output_?)?tokens":(\d+)/i.exec(JSON.stringify(body))?.[1] ?? 300
      return { input: Math.ceil(JSON.stringify(body).length / 4), output: Math.min(300, Number(allowed)) }
    }
    const isChild = (body: object): boolean => JSON.stringify(body).includes('look around')
    const call = (tool: string, input: object) => ({ tool, input })
    const server = await wireServer({
      prices,
      reply: (body, { number }) => ({
        usage: greedy(body),
        calls: isChild(body) ? [call('look', { n: number })] : [1, 2, 3].map((n) => call('child', { prompt: `look around ${n}` })),
      }),
    })
    open.push(server)
    const agent = onServer(server)
    const limits = { loop: false, onReached: 'stop', turns: 30 } as const
    const cost = 20 * (prices[id.slice(id.indexOf('/') + 1)]?.output ?? 0) * 0.0003
    const child = agent({ name: 'child', model: id, tools: [look], limits })
    const boss = agent({ model: id, tools: { child }, settings: { maxOutputTokens: 300 }, limits: { ...limits, cost } })
    const result = await boss.run('Begin.', { thread: 't' })
    expect(result).toMatchObject({ status: 'stopped', kind: 'budget', cost: server.cost() })
    expect(server.cost()).toBeLessThanOrEqual(cost + Math.max(...server.requests.map(({ bill }) => bill?.cost ?? 0)))
    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([])
  })
})
