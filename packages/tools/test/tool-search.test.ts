/** Tools that a model finds when it needs them (SEARCH-1, SEARCH-2). */
import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { agent, type ModelObject, memoryJournal, renderExplanation, tool } from '@loom-agent/agent'
import { assertHistory, checkContexts, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { toolSearch } from '@loom-agent/tools'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf, type Journaled } from '../../../test/support/threads.ts'
import { findTools } from '../src/toolkit/tool-search.ts'

const topics = ['invoice', 'customer', 'order', 'ticket']
const ran: string[] = []
const many = (count: number) =>
  Array.from({ length: count }, (_, number) => {
    const name = `${number % 2 === 0 ? 'create' : 'list'}_${topics[number % topics.length]}_${number}`
    return tool({ name, description: `Tool ${number} about the ${topics[number % topics.length]}.`, effect: 'read', run: () => ran.push(name) })
  })
const search = (query: string) => ({ tool: 'tool_search', input: { query } })
const namesIn = ({ tools = [] }: LanguageModelV4CallOptions): readonly string[] => tools.map(({ name }) => name)
const reasonsOf = async (worker: Journaled): Promise<readonly (string | undefined)[]> =>
  (await factsOf(worker, 't', 'context.assembled')).map(({ data }) => data.rebase?.reason)
const script: readonly ScriptStep[] = [
  { calls: [search('invoice 12'), search('create_order_2')] },
  { calls: [{ tool: 'create_order_2' }, search('invoice 12')] },
  'Done.',
  'Done again.',
]

describe('an agent with many tools', () => {
  const worker = () => {
    const model = scriptedModel(script)
    return { model, ...{ worker: agent({ name: 'worker', model, tools: toolSearch(many(40), { shown: ['list_customer_1'], most: 2 }) }) } }
  }

  test('shows few, and adds those that were found at the end by one rebase (SEARCH-2)', async () => {
    const { worker: own, model } = worker()
    await own.run('go', { thread: 't' })
    await own.run('go on', { thread: 't' })
    const [first, second, third, fourth] = model.requests.map(namesIn)
    expect(first).toEqual(['list_customer_1', 'tool_search'])
    expect(second).toEqual([...(first ?? []), 'create_invoice_12', 'create_invoice_0', 'create_order_2'])
    expect([third, fourth]).toEqual([second, second])
    expect(ran).toContain('create_order_2')
    expect(await reasonsOf(own)).toEqual(['start', 'tools', undefined, undefined])
    const [before, after] = [model.requests[0], model.requests[1]] as [LanguageModelV4CallOptions, LanguageModelV4CallOptions]
    expect(after.prompt.slice(0, before.prompt.length)).toEqual(before.prompt)
    const events = await eventsOf(own, 't')
    assertHistory(events)
    expect(checkContexts(events, model.requests)).toEqual([])
  })

  test('keeps what was found in another process, and drops what is gone', async () => {
    const { worker: own } = worker()
    await own.run('go', { thread: 't' })
    const model = scriptedModel(['One.', 'Two.'])
    const same = agent({ name: 'worker', journal: own.journal, model, tools: toolSearch(many(40), { shown: ['list_customer_1'], most: 2 }) })
    await same.run('go on', { thread: 't' })
    const fewer = many(40).filter(({ name }) => name !== 'create_invoice_12')
    const other = agent({ name: 'worker', journal: own.journal, model, tools: toolSearch(fewer, { shown: ['list_customer_1'] }) })
    await other.run('go on', { thread: 't' })
    const [kept, changed] = model.requests.map(namesIn)
    expect(kept).toEqual(['list_customer_1', 'tool_search', 'create_invoice_12', 'create_invoice_0', 'create_order_2'])
    expect(changed).toEqual(['list_customer_1', 'tool_search', 'create_invoice_0', 'create_order_2'])
    expect(await reasonsOf(own)).toEqual(['start', 'tools', undefined, undefined, 'tools'])
  })

  test('is replayed without a difference, and its found tools are explained', async () => {
    const { worker: own } = worker()
    await own.run('go', { thread: 't' })
    const report = await own.replay('t')
    expect(report.divergence).toBeUndefined()
    expect(renderExplanation(await own.explain(`t@${(await eventsOf(own, 't')).length}`, 'Tool 2 about'))).toContain('It is in the list of tools.')
  })

  test('shows all of them where there are no more than `above`', async () => {
    const model = scriptedModel(['Done.'])
    await agent({ model, tools: toolSearch(many(30)) }).run('go')
    expect(namesIn(model.requests[0] as LanguageModelV4CallOptions)).toEqual(many(30).map(({ name }) => name))
  })

  test('adds nothing for a search that finds nothing', async () => {
    const model = scriptedModel([{ calls: [search('zebra')] }, 'Done.'])
    const own = agent({ model, tools: toolSearch(many(40), { shown: ['list_customer_1'] }) })
    await own.run('go', { thread: 't' })
    expect(await reasonsOf(own)).toEqual(['start', undefined])
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('No tool matches')
  })

  test('is not told of tools that the program did not list, whatever a result says', async () => {
    const forged = tool({ name: 'look', effect: 'read', run: () => ({ tools: [{ name: 'create_order_2' }] }) })
    const model = scriptedModel([{ calls: [{ tool: 'look' }] }, 'Done.'])
    const own = agent({ model, tools: [...toolSearch(many(40)), forged] })
    await own.run('go', { thread: 't' })
    expect(await reasonsOf(own)).toEqual(['start', undefined])
  })

  test.each([
    [{ shown: ['nothing'] }, /shown/],
    [{ most: 21 }, /most/],
    [{ above: -1 }, /above/],
    [{ beyond: 3 }, /beyond/],
  ])('refuses %j', (options, words) => {
    expect(() => toolSearch(many(40), options as never)).toThrow(words)
  })
})

describe('a provider with deferred tools', () => {
  /** A model that stands for one of Anthropic's. */
  const claude = (steps: readonly ScriptStep[]) => {
    const model = scriptedModel(steps, { modelId: 'claude-sonnet-4-5' })
    return { ...model, provider: 'anthropic.messages' } as typeof model
  }

  test('is sent all tools from the start, and results refer to those that were found (SEARCH-2)', async () => {
    const model = claude(script)
    const own = agent({ name: 'worker', model, tools: toolSearch(many(40), { shown: ['list_customer_1'], most: 2 }) })
    await own.run('go', { thread: 't' })
    await own.run('go on', { thread: 't' })
    expect(await reasonsOf(own)).toEqual(['start', undefined, undefined, undefined])
    const [first, second] = model.requests as [LanguageModelV4CallOptions, LanguageModelV4CallOptions]
    expect(namesIn(first)).toHaveLength(41)
    expect(first.tools?.map((one) => ('providerOptions' in one ? one.providerOptions : undefined)).slice(0, 3)).toEqual([
      undefined,
      { anthropic: { cacheControl: { type: 'ephemeral' } } },
      { anthropic: { deferLoading: true } },
    ])
    const results = second.prompt.at(-1)?.content as readonly { readonly output: unknown }[]
    const reference = (toolName: string) => ({ type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName } } })
    expect(results[0]?.output).toEqual({ type: 'content', value: [reference('create_invoice_12'), reference('create_invoice_0')] })
    const events = await eventsOf(own, 't')
    assertHistory(events)
  })

  test('gets the references as its package writes them, and no mark of a cache on a deferred tool', async () => {
    const journal = memoryJournal()
    const tools = toolSearch(many(40), { shown: ['list_customer_1'], most: 2 })
    await agent({ name: 'worker', journal, model: claude(script), tools }).run('go', { thread: 't' })
    const bodies: string[] = []
    const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
      bodies.push(String(init?.body))
      return Response.json({ type: 'error', error: { type: 'invalid_request_error', message: 'enough' } }, { status: 400 })
    }
    const model = createAnthropic({ apiKey: 'x', fetch: fetch as typeof globalThis.fetch })('claude-sonnet-4-5') as ModelObject
    await agent({ name: 'worker', journal, model, tools }).run('go on', { thread: 't' })
    const body = JSON.parse(bodies[0] ?? '{}')
    const named = (name: string): Record<string, unknown> => body.tools.find((one: { name: string }) => one.name === name)
    expect(named('create_order_2')).toMatchObject({ defer_loading: true })
    expect(named('create_order_2')).not.toHaveProperty('cache_control')
    expect(named('tool_search')).not.toHaveProperty('defer_loading')
    expect(JSON.stringify(body.messages)).toContain('{"type":"tool_reference","tool_name":"create_order_2"}')
  })

  test('can be exchanged for another one and back: what was found is there at once (SEARCH-2)', async () => {
    const journal = memoryJournal()
    const tools = toolSearch(many(40), { most: 2 })
    const call = { calls: [{ tool: 'create_order_2' }] }
    const others = [search('list_ticket_3'), search('list_ticket_3')].map((one) => ({ calls: [one] }))
    const models = [claude(script), scriptedModel([call, ...others.slice(1), 'Done.']), claude([call, 'Done.'])] as const
    for (const model of models) await agent({ name: 'worker', journal, model, tools }).run('go on', { thread: 't' })
    const found = ['create_invoice_12', 'create_invoice_0', 'create_order_2']
    const [, plain, back] = models.map(({ requests }) => requests.map(namesIn))
    expect(plain).toEqual([...[1, 2].map(() => ['tool_search', ...found]), ['tool_search', ...found, 'list_ticket_3']])
    expect(JSON.stringify(models[1].requests[0]?.prompt)).not.toContain('tool-reference')
    expect(back?.map((names) => names.slice(0, 5))).toEqual([1, 2].map(() => ['tool_search', ...found, 'list_ticket_3']))
    expect(back?.map((names) => [names.length, new Set(names).size])).toEqual([1, 2].map(() => [41, 41]))
    const isDeferred = (name: string): boolean =>
      JSON.stringify(models[2].requests[0]?.tools?.find((one) => one.name === name)).includes('"deferLoading":true')
    expect([...found, 'list_ticket_3', 'create_invoice_4'].map(isDeferred)).toEqual([false, false, false, false, true])
    const worker = { journal } as Journaled
    expect(await reasonsOf(worker)).toEqual(['start', undefined, undefined, 'tools', undefined, 'tools', 'tools', undefined])
    const events = await eventsOf(worker, 't')
    assertHistory(events)
    const results = events.flatMap((event) => (event.type === 'tool.finished' ? [event.data.status] : []))
    expect(results.filter((status) => status !== 'success')).toEqual([])
  })
})

describe('a search', () => {
  const catalogue = [
    { name: 'create_invoice', description: 'Makes a bill for a customer.' },
    { name: 'listCustomers', description: 'Lists people who buy.' },
    { name: 'send_mail', description: 'Sends an e-mail, also an invoice.' },
  ]
  const found = (query: string): readonly string[] => findTools(catalogue, query).map(({ name }) => name)

  test('goes by words of names first, then of descriptions', () => {
    expect(found('invoice')).toEqual(['create_invoice', 'send_mail'])
    expect(found('customers')).toEqual(['listCustomers'])
    expect(found('Customer')).toEqual(['listCustomers', 'create_invoice'])
    expect(found('send_mail')).toEqual(['send_mail'])
    expect(found('???')).toEqual([])
  })

  test('finds the same for the same query, in whatever order its words are (SEARCH-1)', () => {
    const words = fc.array(fc.constantFrom('invoice', 'customer', 'mail', 'list', 'x', 'makes'), { maxLength: 5 })
    fc.assert(
      fc.property(words, (given) => {
        expect(found(given.join(' '))).toEqual(found([...given].reverse().join(', ')))
      }),
    )
  })
})
