/** A rebase is the moment when earlier bytes may change: it names its cause, and what it leaves is a valid conversation. */

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import {
  type AgentOptions,
  agent,
  type ContextPlan,
  type ContextRequest,
  type ContextStrategy,
  frameAt,
  type Hook,
  tool,
  type UserMessages,
} from '@loom-agent/agent'
import { definitionOf, toolDefinitionOf } from '@loom-agent/agent/kit'
import { at } from '@loom-agent/kernel'
import { checkPairing, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, type Journaled } from './journals.ts'

const look = tool({ name: 'look', description: 'Looks.', effect: 'read', run: () => 'seen' })
const smell = tool({ name: 'smell', effect: 'read', run: () => 'roses' })
const reasonsOf = async (worker: Journaled): Promise<(string | undefined)[]> =>
  (await factsOf(worker, 't', 'context.assembled')).map(({ data }) => data.rebase?.reason)
const systemOf = ({ prompt }: LanguageModelV4CallOptions): unknown => (prompt[0]?.role === 'system' ? prompt[0].content : undefined)
const wordsOf = ({ prompt }: LanguageModelV4CallOptions): string => JSON.stringify(prompt)

describe('a rebase', () => {
  test('starts a thread, and a thread that changes nothing has no other', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'look' }] }, 'ok', 'ok', 'ok'])
    const first = agent({ instructions: 'Be brief.', model, tools: [look] })
    await first.run('one', { thread: 't' })
    await first.run('two', { thread: 't' })
    const second = agent({ instructions: 'Be brief.', model, tools: [tool({ ...toolDefinitionOf(look) } as never)], journal: first.journal })
    await second.run('three', { thread: 't' })
    expect(await reasonsOf(first)).toEqual(['start', undefined, undefined, undefined])
  })

  const brief = { instructions: 'Be brief.', tools: [look] }
  const closely = tool({ name: 'look', description: 'Looks closely.', effect: 'read', run: () => 1 })
  const changes: readonly [string, AgentOptions, AgentOptions, string][] = [
    ['instructions', brief, { instructions: 'Be long.' }, 'instructions'],
    ['tools', brief, { tools: [look, smell] }, 'tools'],
    ['the description of a tool', brief, { tools: [closely] }, 'tools'],
    ['the order of tools', { ...brief, tools: [look, smell] }, { tools: [smell, look] }, 'tools'],
    ['both', brief, { instructions: 'Be long.', tools: [] }, 'instructions'],
  ]

  test.each(changes)('comes when %s change between two runs, and names it', async (_, before, change, reason) => {
    const model = scriptedModel(() => 'ok')
    const first = agent({ ...before, model })
    await first.run('one', { thread: 't' })
    const changed = agent({ ...before, ...change, model, journal: first.journal })
    await changed.run('two', { thread: 't' })
    expect(await reasonsOf(first)).toEqual(['start', reason])
    const sent = model.requests[1] as LanguageModelV4CallOptions
    expect(systemOf(sent)).toBe(definitionOf(changed).options.instructions)
    expect(sent.tools?.map(({ name }) => name) ?? []).toEqual(definitionOf(changed).toolbox?.specs.map(({ name }) => name))
    expect(wordsOf(sent)).toContain('one')
  })

  test('waits for the next run: one that is resumed by changed code goes on with what it began with', async () => {
    const ask = tool({ name: 'ask', permission: 'ask', run: () => 'x' })
    const first = agent({ instructions: 'Old.', model: scriptedModel([{ calls: [{ tool: 'ask' }] }]), tools: [ask] })
    const { questions } = await first.run('one', { thread: 't' })
    const model = scriptedModel(() => 'ok')
    const second = agent({ instructions: 'New.', model, tools: [ask, look], journal: first.journal })
    await second.answer(questions[0]?.id ?? '', { answer: { kind: 'approve' } })
    await second.resume('t').result()
    await second.run('two', { thread: 't' })
    expect(model.requests.map(systemOf)).toEqual(['Old.', 'New.'])
    expect(await reasonsOf(first)).toEqual(['start', undefined, 'instructions'])
  })

  test('is made by a hook that changes the instructions, and holds until they change again', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'look' }] }, { calls: [{ tool: 'look' }] }, 'ok'])
    const hooks: readonly Hook[] = [{ afterContextAssembly: ({ turn }) => (turn === 2 ? { instructions: 'Hurry.' } : undefined) }]
    const worker = agent({ instructions: 'Be brief.', model, tools: [look], hooks })
    await worker.run('one', { thread: 't' })
    expect(model.requests.map(systemOf)).toEqual(['Be brief.', 'Hurry.', 'Hurry.'])
    expect((await reasonsOf(worker)).filter((reason) => reason !== undefined)).toEqual(['start', 'hook'])
  })

  test.each(['beforeContextAssembly', 'afterContextAssembly'] as const)(
    'by instructions of a hook (%s) shows the tools of today at the start of a run',
    async (point) => {
      const first = agent({ model: scriptedModel(['ok']), tools: [look] })
      await first.run('one', { thread: 't' })
      const model = scriptedModel(() => 'ok')
      const hooks: readonly Hook[] = [{ [point]: () => ({ instructions: 'Hurry.' }) }]
      const second = agent({ model, tools: [look, tool({ name: 'find', run: () => 'found' })], journal: first.journal, hooks })
      await second.run('two', { thread: 't' })
      await second.run('new', { thread: 'u' })
      expect(model.requests.map(systemOf)).toEqual(['Hurry.', 'Hurry.'])
      expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
        ['look', 'find'],
        ['look', 'find'],
      ])
    },
  )

  test('by instructions that are a function is made when what they say changes, and only then', async () => {
    let mood = 'calm'
    const model = scriptedModel(() => 'ok')
    const worker = agent({ instructions: async () => `Be ${mood}.`, model })
    await worker.run('one', { thread: 't' })
    await worker.run('two', { thread: 't' })
    mood = 'quick'
    await worker.run('three', { thread: 't' })
    expect(model.requests.map(systemOf)).toEqual(['Be calm.', 'Be calm.', 'Be quick.'])
    expect(await reasonsOf(worker)).toEqual(['start', undefined, 'instructions'])
  })

  test('asks functions for instructions, tools and dependencies once a run, however often it is woken meanwhile', async () => {
    const asked: string[] = []
    const steered = Promise.withResolvers<void>()
    const slowly = async <T>(name: string, value: T): Promise<T> => {
      asked.push(name)
      await steered.promise
      return value
    }
    const worker = agent({
      deps: () => slowly('deps', {}),
      instructions: () => slowly('instructions', 'x'),
      tools: () => slowly('tools', []),
      model: scriptedModel(['ok', 'ok']),
    })
    const run = worker.start('one', { thread: 't' })
    await until(() => asked.length > 0)
    await run.steer('and this')
    steered.resolve()
    expect((await run.result()).status).toBe('done')
    expect(asked).toEqual(['deps', 'instructions', 'tools'])
  })

  test('functions for instructions and tools are given the thread, the metadata, the dependencies and the frame', async () => {
    const seen: unknown[] = []
    const note = (situation: object): void => void seen.push(Object.keys(situation).toSorted())
    const worker = agent({
      instructions: (situation) => {
        note(situation)
        return 'x'
      },
      tools: (situation) => {
        note(situation)
        return []
      },
      model: scriptedModel('ok'),
    })
    await worker.run('one', { metadata: { a: 1 } })
    expect(new Set(seen.map(String))).toEqual(new Set(['deps,frame,metadata,thread']))
  })
})

describe('the tool list', () => {
  test('keeps the order in which tools were given, in every request, run and process', async () => {
    const names = ['zeta', 'alpha', 'mid', 'beta']
    const make = () => Object.fromEntries(names.map((name) => [name, tool({ effect: 'read', run: () => name })]))
    const model = scriptedModel([{ calls: [{ tool: 'mid' }] }, 'ok', 'ok', 'ok'])
    const first = agent({ model, tools: make() })
    await first.run('one', { thread: 't' })
    await first.run('two', { thread: 't' })
    await agent({ model, tools: make(), journal: first.journal }).run('three', { thread: 't' })
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([names, names, names, names])
    expect(new Set(model.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1)
  })

  test('of no tools is no list, and nothing is said of choosing one', async () => {
    const model = scriptedModel('ok')
    await agent({ model, tools: [] }).run('one')
    expect(model.requests[0]).not.toHaveProperty('tools')
    expect(model.requests[0]).not.toHaveProperty('toolChoice')
  })
})

/** A strategy that compresses once, in the given turn, to the given entry. */
const cutting = (plan: (request: ContextRequest) => ContextPlan): ContextStrategy => ({ name: 'cutting', assemble: plan })

describe('compression by a strategy', () => {
  const imported: UserMessages = [
    { role: 'user', content: 'old question' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: 'old result' } }] },
    { role: 'assistant', content: 'old answer' },
    { role: 'user', content: 'the question' },
  ]

  test('never parts a call from its result and never drops the last input, wherever it wants to cut', async () => {
    const anyCut = fc.integer({ min: -3, max: 30 })
    await fc.assert(
      fc.asyncProperty(fc.array(anyCut, { minLength: 1, maxLength: 6 }), fc.nat(2), async (cuts, earlier) => {
        let spoken = 0
        const model = scriptedModel(() => {
          spoken += 1
          return spoken > earlier && spoken - earlier < cuts.length ? { text: 'hm', calls: [{ tool: 'look' }, { tool: 'look' }] } : 'ok'
        })
        const context = cutting(({ frame }) => {
          const keepFrom = cuts[frame.turn - 1 - earlier]
          return keepFrom === undefined ? {} : { rebase: { reason: 'cut', keepFrom, lead: 'what was before' } }
        })
        const worker = agent({ model, tools: [look], context, limits: { loop: false } })
        for (let n = 0; n < earlier; n += 1) await worker.run(`earlier ${n}`, { thread: 't' })
        expect((await worker.run('the question', { thread: 't' })).status).toBe('done')
        for (const request of model.requests.slice(earlier)) {
          expect(checkPairing(request.prompt)).toEqual([])
          expect(wordsOf(request)).toContain('the question')
        }
      }),
      { numRuns: 120 },
    )
  })

  test('of imported messages keeps an imported call with its result', async () => {
    for (let keepFrom = 0; keepFrom <= 5; keepFrom += 1) {
      const model = scriptedModel('ok')
      await agent({ model, context: cutting(() => ({ rebase: { reason: 'cut', keepFrom } })) }).run(imported)
      const [request] = model.requests as [LanguageModelV4CallOptions]
      expect({ keepFrom, problems: checkPairing(request.prompt) }).toEqual({ keepFrom, problems: [] })
    }
  })

  test('writes a summary over a range of seqs, and the originals stay', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'look' }] }, 'ok', 'ok'])
    const context = cutting(({ frame }) => {
      if (frame.runs < 2) return {}
      const last = at(frame.history, 2)?.seq ?? 0
      return {
        rebase: { reason: 'full', keepFrom: 3, lead: 'They looked.' },
        compressed: { from: 1, to: last, summary: 'They looked.', tokensBefore: 90, tokensAfter: 9 },
      }
    })
    const worker = agent({ instructions: 'Be brief.', model, tools: [look], context })
    await worker.run('one', { thread: 't' })
    await worker.run('two', { thread: 't' })
    expect(model.requests[2]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(wordsOf(model.requests[2] as LanguageModelV4CallOptions)).toContain('They looked.')
    expect(wordsOf(model.requests[2] as LanguageModelV4CallOptions)).not.toContain('"one"')
    expect((await worker.messages('t')).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant'])
    const types = (await eventsOf(worker, 't')).map(({ type }) => type)
    expect(types.indexOf('context.compressed')).toBeLessThan(types.lastIndexOf('context.assembled'))
    expect((await factsOf(worker, 't', 'context.compressed'))[0]?.data).toMatchObject({ tokensBefore: 90, tokensAfter: 9 })
  })

  test('that failed is recorded, and the context is as it was', async () => {
    const error = { code: 'LOOM_COMPRESSION_FAILED', message: 'no summary', recoverable: true }
    const worker = agent({ model: scriptedModel('ok'), context: cutting(() => ({ compressionFailed: error })) })
    expect((await worker.run('one', { thread: 't' })).status).toBe('done')
    expect((await factsOf(worker, 't', 'context.compression-failed'))[0]?.data).toEqual({ error })
  })

  test('leaves its summary in place while the context grows, over later runs and over other rebases', async () => {
    const model = scriptedModel(() => 'ok')
    const context = cutting(({ frame }) => (frame.runs === 2 ? { rebase: { reason: 'cut', keepFrom: 2, lead: 'SUMMARY' } } : {}))
    const first = agent({ instructions: 'Old.', model, context })
    for (const input of ['one', 'two', 'three']) await first.run(input, { thread: 't' })
    const second = agent({ instructions: 'New.', model, context, journal: first.journal })
    await second.run('four', { thread: 't' })
    expect(model.requests.map((request) => wordsOf(request).includes('SUMMARY'))).toEqual([false, true, true, true])
    expect(model.requests.map((request) => wordsOf(request).includes('"one"'))).toEqual([true, false, false, false])
    expect(systemOf(model.requests[3] as LanguageModelV4CallOptions)).toBe('New.')
  })

  test('is not lost by a later rebase that says nothing of the cut: the text that stands in for it stays', async () => {
    const model = scriptedModel(() => 'ok')
    const context = cutting(({ frame }) => {
      if (frame.runs === 2) return { rebase: { reason: 'cut', keepFrom: 2, lead: 'SUMMARY' } }
      return frame.runs === 3 ? { rebase: { reason: 'tidy' } } : {}
    })
    const worker = agent({ model, context })
    for (const input of ['one', 'two', 'three']) await worker.run(input, { thread: 't' })
    const last = wordsOf(model.requests[2] as LanguageModelV4CallOptions)
    expect(last.includes('SUMMARY') || last.includes('"one"')).toBe(true)
  })

  test('is known by the frame: where it cut, and how often', async () => {
    const context = cutting(({ frame }) => (frame.runs === 2 ? { rebase: { reason: 'cut', keepFrom: 2, lead: 'SUMMARY' } } : {}))
    const worker = agent({ model: scriptedModel(() => 'ok'), context })
    for (const input of ['one', 'two']) await worker.run(input, { thread: 't' })
    expect((await frameAt(worker.journal, 't')).context).toMatchObject({
      rebases: 2,
      segments: [{ to: 2, as: 'summary', text: 'SUMMARY' }],
      covered: 3,
    })
  })
})
