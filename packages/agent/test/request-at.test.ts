import { agent, approve, type Model, requestAt, suspend, tool } from '@loom-agent/agent'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import type { Journal } from '@loom-agent/kernel'
import { type ScriptedModel, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventsOf, factsOf } from './journals.ts'

const look = tool({ name: 'look', description: 'Looks.', input: z.object({ at: z.string() }), effect: 'read', run: () => 'seen' })
const pay = tool({ name: 'pay', permission: 'deny', run: () => 'paid' })
const looks = { calls: [{ tool: 'look', input: { at: 'it' } }] }
const retried = { throws: Object.assign(new Error('later'), { isRetryable: true }) }

/** The same model under another version of the specification. Streams of the versions are alike as far as these scripts go. */
const asVersion = (model: ScriptedModel, specificationVersion: 'v2' | 'v3'): Model => ({ ...model, specificationVersion }) as never

/** What a model was handed, as it was when it was handed over. */
const handed = (request: LanguageModelV4CallOptions): object => ({ ...request, abortSignal: undefined })

/** Compares every request of a thread with what its model was handed. */
async function compare(
  clerk: { readonly journal: Journal },
  requests: readonly LanguageModelV4CallOptions[],
  given: Parameters<typeof requestAt>[2] = {},
) {
  const events = await factsOf(clerk, 't', 'model.requested')
  expect(events.length).toBe(requests.length)
  for (const [index, { seq, data }] of events.entries()) {
    const sent = await requestAt(clerk.journal, `t@${seq}`, given)
    expect(sent).toMatchObject({ at: `t@${seq}`, model: 'scripted/script', attempt: data.attempt, isVerified: true })
    expect(handed(sent.request)).toEqual(handed(requests[index] as LanguageModelV4CallOptions))
  }
}

const image = { type: 'image', image: new Uint8Array([1, 2, 3]), mediaType: 'image/png' } as const
const link = { type: 'file', data: new URL('https://example.com/a.pdf'), mediaType: 'application/pdf' } as const

describe('requestAt returns exactly what the model was sent', () => {
  test.each<[string, Parameters<typeof agent>[0], readonly ScriptStep[]]>([
    [
      'by an agent with tools and settings',
      { instructions: 'Be exact.', tools: [look], settings: { temperature: 0.5, maxOutputTokens: 99 } },
      [looks, looks, 'ok'],
    ],
    ['after attempts that failed', { tools: [look], ports: { random: () => 0 } }, [retried, looks, retried, 'ok']],
    ['with a choice of tool', { tools: [look], settings: { toolChoice: { type: 'required' } } }, [looks, 'ok']],
    ['with a schema for the answer', { output: z.object({ n: z.number() }) }, ['{"n":1}']],
    [
      'with a schema that vendors cannot enforce',
      { output: z.record(z.string(), z.number()), settings: { providerOptions: { a: { b: 1 } } } },
      ['no', '{"n":1}'],
    ],
    ['within a budget of tokens', { tools: [look], limits: { tokens: 1000 } }, [looks, 'ok']],
    ['with results that were denied', { tools: [pay] }, [{ calls: [{ tool: 'pay' }] }, 'ok']],
    [
      'with what hooks changed',
      {
        tools: [look],
        hooks: [
          {
            beforeModelCall: (_context, { messages, settings }) => ({
              messages: [...messages, { role: 'user', content: [{ type: 'text', text: 'Hurry.' }] }],
              settings: { ...settings, topK: 3 },
            }),
          },
        ],
      },
      [looks, 'ok'],
    ],
  ])('%s', async (_, options, script) => {
    const model = scriptedModel(script)
    const clerk = agent({ ...options, model } as never)
    await clerk.run('go', { thread: 't' })
    await compare(clerk, model.requests)
  })

  test.each(['v2', 'v3'] as const)('to a model of specification %s: the digest shows which version it was', async (version) => {
    const model = scriptedModel([{ calls: [{ tool: 'pay' }] }, 'ok'])
    const clerk = agent({ model: asVersion(model, version), tools: [pay] })
    await clerk.run([image, link, { type: 'text', text: 'What is it?' }], { thread: 't' })
    await compare(clerk, model.requests)
  })

  test('over several runs, with messages that came meanwhile, other settings and other instructions', async () => {
    const model = scriptedModel([looks, 'One.', looks, 'Two.'])
    const clerk = agent({ model, tools: [look] })
    await clerk.run([image, { type: 'text', text: 'first' }], { thread: 't' })
    await clerk.with({ instructions: 'Be brief.' }).run('second', { thread: 't', settings: { temperature: 1 } })
    await compare(clerk, model.requests)
  })

  test('within a budget of money, for the price that the agent has', async () => {
    const price = (): number => 1
    const dear = (_: string, { output }: { output: number }): number => output * 10
    for (const own of [price, dear]) {
      const model = scriptedModel([looks, 'ok'])
      const clerk = agent({ model, tools: [look], limits: { cost: 1000 }, ports: { price: own } })
      await clerk.run('go', { thread: 't' })
      await compare(clerk, model.requests, { price: own })
    }
  })

  test('in a fork, also of what was sent before the cut', async () => {
    const model = scriptedModel([looks, 'One.', 'Another.'])
    const clerk = agent({ model, tools: [look] })
    await clerk.run('go', { thread: 't' })
    const [, second] = await factsOf(clerk, 't', 'model.requested')
    const fork = await clerk.fork(`t@${(second?.seq ?? 0) - 1}`, { thread: 'f', limits: { tokens: 100_000 } })
    await fork.resume().result()
    const seqs = (await factsOf(clerk, 'f', 'model.requested')).map(({ seq }) => seq)
    const sent = await Promise.all(seqs.map((seq) => requestAt(clerk.journal, `f@${seq}`)))
    expect(sent.map(({ isVerified }) => isVerified)).toEqual([true, true])
    expect(sent.map(({ request }) => request.prompt)).toEqual([model.requests[0]?.prompt, model.requests[2]?.prompt])
  })
})

describe('a moment', () => {
  test('after a request has that request, until the next one is made', async () => {
    const model = scriptedModel([looks, 'ok'])
    const clerk = agent({ model, tools: [look] })
    await clerk.run('go', { thread: 't' })
    const [first, second] = (await factsOf(clerk, 't', 'model.requested')).map(({ seq }) => seq) as [number, number]
    const { length } = await eventsOf(clerk, 't')
    for (let seq = first; seq <= length; seq += 1) {
      expect((await requestAt(clerk.journal, `t@${seq}`)).at).toBe(`t@${seq < second ? first : second}`)
    }
  })

  test('before the first request, after the end, or of no thread is a mistake that names what there is', async () => {
    const clerk = agent({ model: scriptedModel([looks, 'ok']), tools: [look] })
    await clerk.run('go', { thread: 't' })
    const [first] = await factsOf(clerk, 't', 'model.requested')
    const { length } = await eventsOf(clerk, 't')
    const problem = (at: string) =>
      requestAt(clerk.journal, at).then(
        () => undefined,
        ({ code, message }) => `${code} ${message}`,
      )
    expect(await problem('t@1')).toMatch(new RegExp(`^LOOM_OPTION_INVALID .*The first request is t@${first?.seq}\\.`))
    expect(await problem('t@999')).toMatch(new RegExp(`^LOOM_OPTION_INVALID .*ends at t@${length}\\.`))
    expect(await problem('s@1')).toMatch(/^LOOM_THREAD_NOT_FOUND/)
    expect(await problem('t')).toMatch(/^LOOM_THREAD_INVALID/)
  })

  test('of a run that made no request says so', async () => {
    const clerk = agent({
      model: scriptedModel('never asked'),
      hooks: [{ beforeModelCall: () => suspend('Not now.') }],
    })
    const { length } = await clerk.run('go', { thread: 't' }).then(() => eventsOf(clerk, 't'))
    await expect(requestAt(clerk.journal, `t@${length}`)).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })

  test('of a request that another version rendered otherwise is rendered, and not verified', async () => {
    const clerk = agent({ model: scriptedModel('ok') })
    await clerk.run('go', { thread: 't' })
    const [requested] = await factsOf(clerk, 't', 'model.requested')
    const read: typeof clerk.journal.read = async (thread, range) =>
      (await clerk.journal.read(thread, range)).map((event) =>
        event.type === 'model.requested' ? { ...event, data: { ...event.data, digest: 'another' } } : event,
      )
    const sent = await requestAt({ ...clerk.journal, read }, `t@${requested?.seq}`)
    expect(sent).toMatchObject({ isVerified: false, request: { prompt: [{ role: 'user' }] } })
  })
})

test('the request of an approval shows the result of the call after it', async () => {
  const ask = tool({ name: 'ask', permission: 'ask', run: () => 'asked' })
  const model = scriptedModel([{ calls: [{ tool: 'ask' }] }, 'ok'])
  const clerk = agent({ model, tools: [ask], onQuestion: async () => approve() })
  await clerk.run('go', { thread: 't' })
  await compare(clerk, model.requests)
})
