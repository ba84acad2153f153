/** What a result says about the turns of its run (RESULT-1). */
import { inspect } from 'node:util'
import { agent, approve, content, done, edit, memoryJournal, type Result, reject, tool } from '@loom-agent/agent'
import type { LanguageModelV4StreamPart } from '@loom-agent/agent/language-model'
import type { Journal } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventsOf } from './journals.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const draw = tool({ name: 'draw', effect: 'pure', run: () => content([{ type: 'text', text: 'a loom' }]) })
const pay = tool({ name: 'pay', input: z.object({ amount: z.number() }), permission: 'ask', run: ({ amount }) => `paid ${amount}` })

const url = { type: 'source', sourceType: 'url', id: 's1', url: 'https://looms.example', title: 'Looms' } as const
const paper = { type: 'source', sourceType: 'document', id: 's2', mediaType: 'application/pdf', title: 'Weaving', filename: 'w.pdf' } as const
const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } } as const
const warned: LanguageModelV4StreamPart = {
  type: 'stream-start',
  warnings: [
    { type: 'unsupported', feature: 'topK' },
    { type: 'other', message: 'Slow today.' },
  ],
}

/** The result of the thread in another process: it has the journal, and folds it anew. */
const elsewhere = (journal: Journal): Promise<Result> =>
  agent({ name: 'agent', model: scriptedModel('unused'), tools: [add, draw, pay], journal: { ...journal } })
    .resume('t')
    .result()

describe('the steps of a result', () => {
  test('are its turns with their calls: arguments, outputs, finish, tokens and cost', async () => {
    const calls = [{ tool: 'add', input: { a: 2, b: 2 } }, { tool: 'add', input: { a: 'x' } }, { tool: 'draw' }]
    const model = scriptedModel([{ text: 'Let me see.', reasoning: 'Hm.', calls }, 'It is 4.'])
    const result = await agent({ model, tools: [add, draw], ports: { price: () => 3, clock: manualClock(0) } }).run('2+2?', { thread: 't' })
    expect(result.steps).toEqual([
      {
        turn: 1,
        text: 'Let me see.',
        reasoning: 'Hm.',
        finish: 'calls',
        calls: [
          { id: '1.0', tool: 'add', input: { a: 2, b: 2 }, status: 'success', output: 4 },
          expect.objectContaining({ id: '1.1', status: 'error', output: expect.stringContaining('add'), errorType: expect.any(String) }),
          { id: '1.2', tool: 'draw', input: {}, status: 'success', output: [{ type: 'text', text: 'a loom' }] },
        ],
        usage: { input: 10, output: 5 },
        cost: 3,
        warnings: [],
        sources: [],
        files: [],
      },
      expect.objectContaining({ turn: 2, text: 'It is 4.', finish: 'stop', calls: [] }),
    ])
    expect(result).toMatchObject({ status: 'done', finish: 'stop' })
  })

  test('have the arguments that a human changed, calls that are open, and calls that were rejected', async () => {
    const calls = [1, 2, 3].map((amount) => ({ tool: 'pay', input: { amount } }))
    const clerk = agent({ model: scriptedModel([{ calls }, 'ok']), tools: [pay] })
    const run = clerk.start('pay')
    const waiting = await run.result()
    expect(waiting.steps.flatMap((step) => step.calls.map(({ status, output }) => [status, output]))).toEqual(calls.map(() => ['open', undefined]))
    const [first, second, third] = waiting.questions.map(({ id }) => id) as [string, string, string]
    await run.answer(first, edit({ amount: 9 }))
    await run.answer(second, reject('too much'))
    await run.answer(third, approve())
    expect((await run.result()).steps[0]?.calls).toEqual([
      expect.objectContaining({ input: { amount: 9 }, status: 'success', output: 'paid 9' }),
      expect.objectContaining({ input: { amount: 2 }, status: 'error', errorType: 'rejected', output: expect.stringContaining('too much') }),
      expect.objectContaining({ input: { amount: 3 }, status: 'success', output: 'paid 3' }),
    ])
  })

  test('are those of its own run, on a thread with others', async () => {
    const worker = agent({ model: scriptedModel(['one', { calls: [{ tool: 'draw' }] }, 'two', 'three']), tools: [draw] })
    const texts = async (): Promise<string[]> => (await worker.run('go', { thread: 't' })).steps.map(({ text }) => text)
    expect([await texts(), await texts(), await texts()]).toEqual([['one'], ['', 'two'], ['three']])
  })

  test('have the sources, files and warnings of the replies; the result has each source and warning once', async () => {
    const parts = [warned, url, image]
    const model = scriptedModel([
      { parts, calls: [{ tool: 'draw' }] },
      { text: 'See there.', parts: [warned, url, paper] },
    ])
    const result = await agent({ model, tools: [draw] }).run('go')
    const page = { type: 'url', id: 's1', url: 'https://looms.example', title: 'Looms' }
    const document = { type: 'document', id: 's2', mediaType: 'application/pdf', title: 'Weaving', filename: 'w.pdf' }
    const warnings = [
      { type: 'unsupported', feature: 'topK', message: 'The model does not support topK as given.' },
      { type: 'other', message: 'Slow today.' },
    ]
    expect(result.steps.map(({ sources }) => sources)).toEqual([[page], [page, document]])
    expect(result.sources).toEqual([page, document])
    expect(result.files).toEqual([{ type: 'file', mediaType: 'image/png', data: 'aGk=' }])
    expect(result.steps.map((step) => step.warnings)).toEqual([warnings, warnings])
    expect(result.warnings).toEqual(warnings)
  })

  test('are equal in another process, after the end and while the run waits', async () => {
    const journal = memoryJournal()
    const parts = [warned, url, image]
    const model = scriptedModel([
      {
        parts,
        calls: [
          { tool: 'add', input: { a: 1, b: 2 } },
          { tool: 'pay', input: { amount: 5 } },
        ],
      },
      'Paid.',
    ])
    const run = agent({ model, tools: [add, draw, pay], journal }).start('go', { thread: 't' })
    const waiting = await run.result()
    expect(await elsewhere(journal)).toEqual(waiting)
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    const ended = await run.result()
    expect(ended).toMatchObject({ status: 'done', steps: [{ calls: [{ output: 3 }, { output: 'paid 5' }] }, {}] })
    expect(await elsewhere(journal)).toEqual(ended)
  })

  test('are made when they are looked at, once, and read nothing', async () => {
    let reads = 0
    const journal = memoryJournal()
    const counting: Journal = {
      ...journal,
      read(...range) {
        reads += 1
        return journal.read(...range)
      },
    }
    const result = await agent({ model: scriptedModel([{ calls: [{ tool: 'draw' }] }, 'ok']), tools: [draw], journal: counting }).run('go')
    const before = reads
    expect(Object.getOwnPropertyDescriptor(result, 'steps')).toMatchObject({ enumerable: true, get: expect.any(Function) })
    expect(result.steps).toBe(result.steps)
    expect(result.steps).toHaveLength(2)
    expect(reads).toBe(before)
  })

  test('are there when a result is printed, copied or becomes JSON', async () => {
    const result = await agent({ model: scriptedModel('Hello.') }).run('Hi')
    expect(inspect(result)).toContain("text: 'Hello.'")
    expect(inspect(result)).not.toContain('Getter')
    for (const copy of [{ ...result }, structuredClone({ ...result }), JSON.parse(JSON.stringify(result)) as Result]) {
      expect(copy.steps).toMatchObject([{ turn: 1, text: 'Hello.' }])
    }
  })

  test('warnings of a model of an older specification have the same form', async () => {
    const older = { type: 'stream-start', warnings: [{ type: 'unsupported-setting', setting: 'seed', details: 'It is ignored.' }] }
    const result = await agent({ model: scriptedModel({ text: 'ok', parts: [older as never] }) }).run('go')
    expect(result.warnings).toEqual([{ type: 'unsupported', feature: 'seed', message: 'It is ignored.' }])
  })
})

describe('a reply that is not whole is not a plain done', () => {
  test.each([
    ['length', 'length', /cut before it was complete\. Raise settings\.maxOutputTokens/],
    ['content-filter', 'filtered', /filter withheld the reply/],
  ] as const)('%s stops the run, with the text so far and what to do', async (finish, kind, reason) => {
    const journal = memoryJournal()
    const worker = agent({ model: scriptedModel([{ text: 'Once upon a', finish }, ' time.']), journal })
    const result = await worker.run('Tell me a story', { thread: 't' })
    expect(result).toMatchObject({ status: 'stopped', kind, finish: kind, text: 'Once upon a', reason: expect.stringMatching(reason) })
    expect(() => done(result)).toThrow(reason)
    expect(await elsewhere(journal)).toEqual(result)
    expect((await eventsOf(worker, 't')).at(-1)).toMatchObject({ type: 'run.stopped', v: 2, data: { kind } })
    expect(await worker.run('Go on.', { thread: 't' })).toMatchObject({ status: 'done', text: ' time.' })
  })

  test('a cut reply that calls tools goes on: the model reads the results', async () => {
    const model = scriptedModel([{ text: 'I will', calls: [{ tool: 'draw' }], finish: 'length' }, 'Drawn.'])
    const result = await agent({ model, tools: [draw] }).run('go')
    expect(result).toMatchObject({ status: 'done', finish: 'stop', steps: [{ finish: 'length' }, { finish: 'stop' }] })
  })

  test('an answer that fits its schema is done, also where the reply was cut behind it; one that is cut off is repaired first, and then stops', async () => {
    const output = z.object({ n: z.number() })
    const whole = await agent({ model: scriptedModel({ text: '{"n":1}', finish: 'length' }), output }).run('go')
    expect(whole).toMatchObject({ status: 'done', output: { n: 1 }, finish: 'length' })
    const cut = { text: '{"n":', finish: 'length' } as const
    const repaired = await agent({ model: scriptedModel([cut, '{"n":2}']), output }).run('go')
    expect(repaired).toMatchObject({ status: 'done', output: { n: 2 } })
    expect(await agent({ model: scriptedModel([cut, cut, cut]), output }).run('go')).toMatchObject({ status: 'stopped', kind: 'length', turns: 3 })
  })

  test('an answer that fits its schema after a filter has taken a part of it is not done (found: it was)', async () => {
    const filtered = scriptedModel({ text: '{"n":1}', finish: 'content-filter' })
    const result = await agent({ model: filtered, output: z.object({ n: z.number() }) }).run('go')
    expect(result).toMatchObject({ status: 'stopped', kind: 'filtered', text: '{"n":1}' })
  })

  test('a child whose reply was cut or filtered is not done for its parent', async () => {
    const child = agent({ name: 'child', model: scriptedModel({ text: 'Half', finish: 'content-filter' }) })
    const model = scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'I see.'])
    const result = await agent({ model, tools: [child] }).run('go')
    expect(result.steps[0]?.calls[0]?.output).toMatch(/^Half\n\(The agent child stopped before it was done: .*filter/)
  })

  test('a reply of which the provider says nothing else is done', async () => {
    expect(await agent({ model: scriptedModel({ text: 'Hi', finish: 'other' }) }).run('go')).toMatchObject({ status: 'done', finish: 'other' })
  })
})

test.each([
  ['of some text', 'Half', {}],
  ['without text', '', {}],
  ['that must have a form', '{"a":', { output: z.object({ a: z.number() }), behaviour: { repairs: 0 } }],
])('a cut reply %s says only what helps (found: "it has the reply so far" of none)', async (_, text, options) => {
  const result = await agent({ model: scriptedModel({ text, finish: 'length' }), ...options }).run('go')
  expect(result).toMatchObject({
    status: 'stopped',
    kind: 'length',
    reason: expect.stringMatching(/Raise settings\.maxOutputTokens, or ask for less/),
  })
  expect(result.status === 'stopped' && result.reason).not.toMatch(/so far|Go on/)
})
