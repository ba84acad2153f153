import { agent, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })

describe('a run', () => {
  test('answers', async () => {
    const result = await agent({ model: scriptedModel('Hello there.') }).run('Hi')
    expect(result).toMatchObject({ status: 'done', text: 'Hello there.', output: 'Hello there.', turns: 1, questions: [] })
    expect(result.usage).toEqual({ input: 10, output: 5 })
  })

  test('calls tools and shows the model their results in call order', async () => {
    const model = scriptedModel([
      {
        calls: [
          { tool: 'add', input: { a: 2, b: 2 }, id: 'x' },
          { tool: 'add', input: { a: 3, b: 4 }, id: 'y' },
        ],
      },
      'Done.',
    ])
    const result = await agent({ instructions: 'Be exact.', model, tools: { add } }).run('2+2? 3+4?')
    expect(result.text).toBe('Done.')
    expect(model.requests[1]?.prompt).toEqual([
      { role: 'system', content: 'Be exact.' },
      { role: 'user', content: [{ type: 'text', text: '2+2? 3+4?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'x', toolName: 'add', input: { a: 2, b: 2 } },
          { type: 'tool-call', toolCallId: 'y', toolName: 'add', input: { a: 3, b: 4 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'x', toolName: 'add', output: { type: 'json', value: 4 } },
          { type: 'tool-result', toolCallId: 'y', toolName: 'add', output: { type: 'json', value: 7 } },
        ],
      },
    ])
  })

  test('has two commits an ordinary turn, and its facts in the order of truth', async () => {
    const unsafe = tool({ name: 'send', run: () => 'sent' })
    const math = agent({ model: scriptedModel([{ calls: [{ tool: 'send' }] }, 'Done.']), tools: [unsafe] })
    let appends = 0
    const { journal } = math
    const append = journal.append.bind(journal)
    journal.append = (thread, batch) => {
      appends += 1
      return append(thread, batch)
    }
    await math.run('go', { thread: 't' })
    expect(await typesOf(math, 't')).toEqual([
      'thread.started',
      'run.started',
      'driver.acquired',
      'turn.entered',
      'context.assembled',
      'model.requested',
      'model.replied',
      'tool.started',
      'tool.finished',
      'turn.entered',
      'context.assembled',
      'model.requested',
      'model.replied',
      'run.finished',
    ])
    // The start, the opening with the first request, then [reply, start], [result, next request], [reply, end].
    expect(appends).toBe(5)
  })

  test('several runs share a thread, and the second knows the first', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    const chat = agent({ model })
    await chat.run('first', { thread: 't' })
    const second = await chat.run('second', { thread: 't' })
    expect(second).toMatchObject({ text: 'Two.', run: 'r2', turns: 1 })
    expect(model.requests[1]?.prompt).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'first' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'One.' }] },
      { role: 'user', content: [{ type: 'text', text: 'second' }] },
    ])
  })

  test('another agent object on the same journal goes on where the first left off', async () => {
    const first = agent({ model: scriptedModel('One.') })
    await first.run('first', { thread: 't' })
    const model = scriptedModel('Two.')
    const second = agent({ model, journal: first.journal })
    await second.run('second', { thread: 't' })
    expect(model.requests[0]?.prompt).toHaveLength(3)
  })

  test('fifty runs at once on one agent share nothing', async () => {
    const model = scriptedModel((request) => {
      const last = request.prompt.at(-1)
      if (last?.role === 'user')
        return { calls: [{ tool: 'add', input: { a: Number(last.content[0]?.type === 'text' && last.content[0].text), b: 1 } }] }
      return last?.role === 'tool' && last.content[0]?.type === 'tool-result' ? JSON.stringify(last.content[0].output) : '?'
    })
    const math = agent({ model, tools: { add } })
    const results = await Promise.all(Array.from({ length: 50 }, (_, n) => math.run(String(n), { thread: `t${n}` })))
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, n) => JSON.stringify({ type: 'json', value: n + 1 })))
    for (let n = 0; n < 50; n += 1) expect(await eventsOf(math, `t${n}`)).toHaveLength(14)
  })

  test('ten thousand turns with a call each keep the stack flat', { timeout: 60_000 }, async () => {
    const turns = 10_000
    let deepest = 0
    const depth = tool({
      name: 'depth',
      effect: 'pure',
      run: () => {
        deepest = Math.max(deepest, new Error().stack?.split('\n').length ?? 0)
        return deepest
      },
    })
    const model = scriptedModel((_, number) => (number <= turns ? { calls: [{ tool: 'depth', input: { number } }] } : 'Done.'))
    const long = agent({ model, tools: { depth }, limits: { turns: turns + 1 } })
    const result = await long.run('go', { thread: 't' })
    expect(result).toMatchObject({ status: 'done', turns: turns + 1 })
    expect(deepest).toBeLessThan(20)
  })
})

describe('what is given with a run', () => {
  test('overrides model, tools, settings and limits for that run alone', async () => {
    const usual = scriptedModel('usual')
    const other = scriptedModel([{ calls: [{ tool: 'twice', input: { n: 4 } }] }, 'other'])
    const twice = tool({ name: 'twice', input: z.object({ n: z.number() }), effect: 'pure', run: ({ n }) => 2 * n })
    const chat = agent({ model: usual, settings: { temperature: 1 } })
    const result = await chat.run('x', {
      thread: 't',
      model: other,
      tools: { twice },
      settings: { temperature: 0, seed: 7 },
      limits: { turns: 3 },
    })
    expect(result.text).toBe('other')
    expect(other.requests[0]).toMatchObject({ temperature: 0, seed: 7, tools: [{ name: 'twice' }] })
    await chat.run('y', { thread: 't' })
    expect(usual.requests[0]).toMatchObject({ temperature: 1 })
    expect(usual.requests[0]?.tools).toBeUndefined()
    const [first, second] = await factsOf(chat, 't', 'run.started')
    expect(first?.data).toMatchObject({
      request: { model: 'scripted/script', settings: { temperature: 0, seed: 7 }, limits: { turns: 3 } },
    })
    expect(second?.data).toMatchObject({ request: { limits: { turns: 50 } } })
  })

  test('dependencies reach tools, hooks, instructions and tool lists, and never the journal', async () => {
    const seen: unknown[] = []
    const secret = 'top-secret-dependency'
    const look = tool<{ db: string }>()({ name: 'look', effect: 'read', run: (_, ctx) => seen.push(ctx.deps.db) })
    const clerk = agent<{ db: string }>()({
      model: scriptedModel([{ calls: [{ tool: 'look' }] }, 'ok']),
      instructions: ({ deps }) => `Uses a database of ${deps.db.length} letters.`,
      tools: ({ deps }) => (deps.db === secret ? { look } : {}),
      hooks: [{ beforeModelCall: ({ deps }) => void seen.push(deps.db) }],
    })
    const result = await clerk.run('x', { thread: 't', deps: { db: secret } })
    expect(result.status).toBe('done')
    expect(seen).toEqual([secret, secret, secret])
    expect(JSON.stringify(await eventsOf(clerk, 't'))).not.toContain(secret)
  })

  test('dependencies may be a function of thread and metadata', async () => {
    const look = tool<{ user: string }>()({ name: 'look', effect: 'read', run: (_, { deps }) => deps.user })
    const clerk = agent<{ user: string }>()({
      model: scriptedModel([{ calls: [{ tool: 'look' }] }, (request) => JSON.stringify(request.prompt.at(-1))]),
      tools: { look },
      deps: ({ thread, metadata }) => ({ user: `${thread}/${String(metadata['tenant'])}` }),
    })
    const result = await clerk.run('x', { thread: 't', metadata: { tenant: 'acme' } })
    expect(result.text).toContain('t/acme')
  })
})

describe('inputs', () => {
  test('may be parts', async () => {
    const model = scriptedModel('seen')
    await agent({ model }).run([
      { type: 'text', text: 'What is this?' },
      { type: 'image', image: new Uint8Array([1, 2, 3]), mediaType: 'image/png' },
      { type: 'file', data: new URL('https://example.com/a.pdf'), mediaType: 'application/pdf', name: 'a.pdf' },
      { type: 'data', data: { n: 1 } },
    ])
    expect(model.requests[0]?.prompt).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
          {
            type: 'file',
            mediaType: 'application/pdf',
            data: { type: 'url', url: new URL('https://example.com/a.pdf') },
            filename: 'a.pdf',
          },
          { type: 'text', text: '{"n":1}' },
        ],
      },
    ])
  })

  test('may be messages, and come out again as messages', async () => {
    const earlier = [
      { role: 'user', content: 'Add 2 and 2.' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: { a: 2, b: 2 } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'add', output: { type: 'json', value: 4 } }] },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ] as const
    const model = scriptedModel('Four.')
    const chat = agent({ model })
    await chat.run(earlier, { thread: 't' })
    const wire = [{ role: 'user', content: [{ type: 'text', text: 'Add 2 and 2.' }] }, ...earlier.slice(1)]
    expect(model.requests[0]?.prompt).toEqual(wire)
    expect(await chat.messages('t')).toEqual([...wire, { role: 'assistant', content: [{ type: 'text', text: 'Four.' }] }])
  })

  test('can be previewed as the request they would become, without a model call or a trace', async () => {
    const model = scriptedModel(['One.'])
    const chat = agent({ model, instructions: 'Short.', tools: { add } })
    await chat.run('first', { thread: 't' })
    const before = await typesOf(chat, 't')
    expect(await chat.preview('second', { thread: 't' })).toMatchObject({
      system: 'Short.',
      tools: ['add'],
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: [{ type: 'text', text: 'second' }] }],
    })
    expect(await typesOf(chat, 't')).toEqual(before)
    expect(model.requests).toHaveLength(1)
  })
})
