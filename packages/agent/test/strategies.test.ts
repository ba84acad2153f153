import { agent, aggressive, type CompressOptions, compact, compress, defineStrategy, pipeline, tool, window } from '@loom-agent/agent'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import type { Segment } from '@loom-agent/kernel'
import { checkPairing, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

const wordsOf = (request: LanguageModelV4CallOptions | undefined): string => JSON.stringify(request?.prompt)

/** Sentences without a word of the prompts below; the seed decides which. */
function filler(seed: number, length: number): string {
  const words = ['stone', 'river', 'cloud', 'engine', 'paper', 'green', 'forest', 'yellow', 'winter', 'garden', 'bottle', 'market']
  let state = seed * 7919 + 1
  let text = ''
  while (text.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648
    text += words[state % words.length] + (state % 9 === 0 ? '. ' : ' ')
  }
  return text
}

interface Walk {
  readonly turns: number
  /** Facts by the call whose result has them. */
  readonly facts?: ReadonlyMap<number, string>
  readonly bytes?: number
}

/** A tool whose results are long, and a model that calls it again and again. */
function walk({ turns, facts = new Map(), bytes = 4000 }: Walk): { readonly look: ReturnType<typeof tool>; readonly model: ScriptedModel } {
  let calls = 0
  const look = tool({
    name: 'look',
    effect: 'read',
    run: () => {
      calls += 1
      return `${filler(calls, bytes / 2)} ${facts.get(calls) ?? ''} ${filler(calls + 1000, bytes / 2)}`
    },
  })
  const model = scriptedModel(() => (calls < turns ? { calls: [{ tool: 'look' }] } : 'Done.'))
  return { look, model }
}

const limits = { turns: 1000, loop: false } as const
/** Four characters are taken for a token. */
const ports = { countTokens: (text: string): number => text.length / 4 }
/** No request of these tests may be longer. */
const max = 24_000
const sizeOf = (request: LanguageModelV4CallOptions): number => wordsOf(request).length / 4

describe('compress', () => {
  const names = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon']
  const facts = new Map(names.map((name, index) => [5 + index * 11, `The invoice of customer ${name} has the number ${10_000 + index}.`]))

  test('one prompt and 120 tool turns stay within the budget, and what the prompt asks for stays in sight', async () => {
    const { look, model } = walk({ turns: 120, facts })
    const worker = agent({ ports, model, tools: [look], context: compress({ max }), limits })
    expect((await worker.run('Find the invoice number of every customer.', { thread: 't' })).status).toBe('done')
    for (const request of model.requests) {
      expect(sizeOf(request)).toBeLessThanOrEqual(max)
      expect(checkPairing(request.prompt)).toEqual([])
      expect(wordsOf(request)).toContain('Find the invoice number of every customer.')
    }
    const last = wordsOf(model.requests.at(-1))
    expect([...facts.values()].filter((fact) => last.includes(fact))).toEqual([...facts.values()])
  })

  test('between two rebases the messages of a request are a prefix of the next', async () => {
    const { look, model } = walk({ turns: 60 })
    const worker = agent({ ports, model, tools: [look], context: compress({ max }), limits })
    await worker.run('Go.', { thread: 't' })
    const assembled = await factsOf(worker, 't', 'context.assembled')
    for (const [index, { data }] of assembled.entries()) {
      if (index === 0 || data.rebase) continue
      const [before, now] = [model.requests[index - 1]?.prompt ?? [], model.requests[index]?.prompt ?? []]
      expect(now.slice(0, before.length)).toEqual(before)
    }
    expect(assembled.filter(({ data }) => data.rebase?.reason === 'compress').length).toBeGreaterThan(2)
  })

  test('goes further down when compressions follow each other closely', async () => {
    const { look, model } = walk({ turns: 60 })
    const worker = agent({ ports, model, tools: [look], context: compress({ max }), limits })
    await worker.run('Go.', { thread: 't' })
    const targets = (await factsOf(worker, 't', 'context.compressed')).map(({ data }) => data.target)
    expect(targets[0]).toBe(0.75)
    expect(targets.at(-1)).toBeLessThan(0.75)
  })

  test('names its budget, its range and how it was made', async () => {
    const { look, model } = walk({ turns: 30 })
    const worker = agent({ ports, model, tools: [look], context: compress({ max }), limits })
    await worker.run('Go.', { thread: 't' })
    const [summary] = await factsOf(worker, 't', 'context.compressed')
    expect(summary?.data).toMatchObject({ by: 'extract', turn: summary?.turn })
    expect(summary?.data.summary).toMatch(/^\[Summary of events 2 to \d+ of this conversation, made \S+Z, by extraction\./)
    expect(summary?.data.summary).toContain('## tool_usage_log\n- look was called')
    const rebase = (await factsOf(worker, 't', 'context.assembled')).find(({ data }) => data.rebase?.reason === 'compress')?.data.rebase
    expect(rebase?.budget).toMatchObject({ max })
    expect(rebase?.budget?.after).toBeLessThan(rebase?.budget?.before ?? 0)
    expect(JSON.stringify(rebase?.segments).length).toBeLessThan(300)
  })

  test('shows everything while nothing says how large the window is', async () => {
    const { look, model } = walk({ turns: 40 })
    const worker = agent({ ports, model, tools: [look], context: compress(), limits })
    await worker.run('Go.', { thread: 't' })
    expect((await factsOf(worker, 't', 'context.assembled')).filter(({ data }) => data.rebase)).toHaveLength(1)
  })

  test('makes room after a request that was too long, and on demand, also while nothing says how large the window is', async () => {
    const { look } = walk({ turns: 40 })
    let calls = 0
    const refusing = scriptedModel((request) => {
      if (sizeOf(request) > max) return { throws: Object.assign(new Error('prompt is too long: 9000 tokens > 8000 maximum'), { statusCode: 400 }) }
      return ++calls < 40 ? { calls: [{ tool: 'look' }] } : 'Done.'
    })
    const worker = agent({ ports, model: refusing, tools: [look], context: compress(), limits })
    expect((await worker.run('Go.', { thread: 't' })).status).toBe('done')
    await worker.compact('t')
    await worker.run('And now?', { thread: 't' })
    const reasons = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data }) => data.rebase?.reason ?? [])
    expect([...new Set(reasons)]).toEqual(['start', 'overflow', 'compact'])
  })

  test('on demand compresses before the next model call, however much room there is', async () => {
    const { look, model } = walk({ turns: 5 })
    const worker = agent({ ports, model, tools: [look], context: compress({ max: 100_000, target: 0.05 }), limits })
    await worker.run('Go.', { thread: 't' })
    await compact(worker.journal, 't', { by: 'ann' })
    await worker.compact('t')
    await worker.run('And now?', { thread: 't' })
    expect(await factsOf(worker, 't', 'context.compact-requested')).toMatchObject([{ data: { by: 'ann' } }])
    expect((await factsOf(worker, 't', 'context.assembled')).at(-1)?.data.rebase?.reason).toBe('compact')
    expect(wordsOf(model.requests.at(-1))).toContain('And now?')
  })

  test('on demand goes below what is shown, also of a short thread and with all defaults', async () => {
    const { look, model } = walk({ turns: 8 })
    const worker = agent({ ports, model, tools: [look], context: compress({ max: 1_000_000 }), limits })
    await worker.run('Go.', { thread: 't' })
    await worker.compact('t')
    await worker.run('And now?', { thread: 't' })
    const { rebase } = (await factsOf(worker, 't', 'context.assembled')).at(-1)?.data ?? {}
    expect(rebase?.reason).toBe('compact')
    expect(rebase?.budget?.after).toBeLessThan(0.8 * (rebase?.budget?.before ?? 0))
  })

  test('needs a target below its trigger, and takes one below a trigger that is given alone', async () => {
    expect(() => compress({ trigger: 0.5, target: 0.9 })).toThrow('compress(): target is 0.9. Give a number below the trigger, which is 0.5.')
    expect(() => compress({ target: 0.95 })).toThrow('Give a number below the trigger, which is 0.92.')
    const { look, model } = walk({ turns: 20 })
    const worker = agent({ ports, model, tools: [look], context: compress({ max, trigger: 0.5 }), limits })
    await worker.run('Go.', { thread: 't' })
    const { budget } = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data }) => data.rebase ?? [])[1] ?? {}
    expect(budget?.after).toBeLessThan(0.5 * max)
  })

  test('has room for a usual reply where nobody knows how long replies are', async () => {
    const maxOf = async (size: number): Promise<number | undefined> => {
      const { look, model } = walk({ turns: 12, bytes: 4000 })
      const worker = agent({ ports: { countTokens: (text) => text.length * size }, model, tools: [look], context: compress(), window: size, limits })
      await worker.run('Go.', { thread: 't' })
      return (await factsOf(worker, 't', 'context.assembled')).at(-1)?.data.rebase?.budget?.max
    }
    expect([await maxOf(8000), await maxOf(32_000), await maxOf(200_000)]).toEqual([6000, 32_000 - 4096, 175_000])
  })

  test('keeps pinned inputs', async () => {
    const { look, model } = walk({ turns: 80 })
    const worker = agent({ ports, model: scriptedModel(() => 'Yes.'), tools: [look], context: compress({ max }), limits })
    await worker.run('My allergy is peanuts.', { thread: 't', pin: true })
    await worker.with({ model }).run('Go.', { thread: 't' })
    for (const request of model.requests) expect(wordsOf(request)).toContain('My allergy is peanuts.')
  })

  test('cuts the results of ephemeral tools but the latest', async () => {
    const { look, model } = walk({ turns: 30 })
    const worker = agent({ ports, model, tools: [look], context: compress({ max, ephemeral: { look: 2 } }), limits })
    await worker.run('Go.', { thread: 't' })
    const rebase = (await factsOf(worker, 't', 'context.assembled')).find(({ data }) => data.rebase?.reason === 'compress')?.data.rebase
    expect(rebase?.segments?.some((segment) => segment.as === 'kept' && segment.trims?.[0]?.rule === 'ephemeral')).toBe(true)
    expect(wordsOf(model.requests.at(-1))).toMatch(/characters of the result of call \d+\.0 are left out/)
  })
})

describe('compress by a model', () => {
  const written = ['## key_decisions', '- Use the blue one.', '', '## open_issues', '- Who pays?'].join('\n')
  const options = (model: ScriptedModel): CompressOptions => ({ max, model })

  test('asks it for the eight sections, and counts what it cost', async () => {
    const { look, model } = walk({ turns: 30 })
    const writer = scriptedModel(() => written)
    const worker = agent({ ports, model, tools: [look], context: compress(options(writer)), limits })
    const result = await worker.run('Go.', { thread: 't' })
    const [summary] = await factsOf(worker, 't', 'context.compressed')
    expect(summary?.data).toMatchObject({ by: 'model', usage: { input: expect.any(Number) } })
    expect(summary?.data.summary).toContain('## key_decisions\n- Use the blue one.')
    expect(wordsOf(writer.requests[0])).toContain('## errors_and_solutions: what failed, why, and what helped')
    const replies = await factsOf(worker, 't', 'model.replied')
    const own = replies.reduce((sum, { data }) => sum + data.usage.input + data.usage.output, 0)
    const spent = (await factsOf(worker, 't', 'context.compressed')).reduce(
      (sum, { data }) => sum + (data.usage?.input ?? 0) + (data.usage?.output ?? 0),
      0,
    )
    expect(result.usage.input + result.usage.output).toBe(own + spent)
  })

  test('takes sentences of the conversation when the model fails, and says so', async () => {
    const { look, model } = walk({ turns: 30 })
    const broken = scriptedModel(() => {
      throw new Error('No credit')
    })
    const worker = agent({ ports, model, tools: [look], context: compress(options(broken)), limits })
    expect((await worker.run('Go.', { thread: 't' })).status).toBe('done')
    const [failure] = await factsOf(worker, 't', 'context.compression-failed')
    expect(failure?.data.error).toMatchObject({ code: 'LOOM_COMPRESSION_FAILED' })
    expect(failure?.data.error.message).toMatch(/ No credit\. Sentences were extracted instead\.$/)
    expect((await factsOf(worker, 't', 'context.compressed'))[0]?.data.by).toBe('extract')
  })

  test('does not take what is no summary for one', async () => {
    const { look, model } = walk({ turns: 30 })
    const worker = agent({ ports, model, tools: [look], context: compress(options(scriptedModel(() => 'I cannot do that.'))), limits })
    await worker.run('Go.', { thread: 't' })
    expect((await factsOf(worker, 't', 'context.compressed'))[0]?.data.by).toBe('extract')
  })
})

describe('window', () => {
  test('shows the last turns, and cuts only when twice as many are shown', async () => {
    const { look, model } = walk({ turns: 50 })
    const worker = agent({ ports, model, tools: [look], context: window({ turns: 5 }), limits })
    await worker.run('Go.', { thread: 't' })
    const counts = model.requests.map(({ prompt }) => prompt.filter(({ role }) => role === 'tool').length)
    expect(Math.max(...counts)).toBe(10)
    expect((await factsOf(worker, 't', 'context.assembled')).filter(({ data }) => data.rebase).length).toBeLessThanOrEqual(11)
    for (const request of model.requests) expect(wordsOf(request)).toContain('Go.')
  })

  test('shows the last entries that have so many tokens', async () => {
    const { look, model } = walk({ turns: 50 })
    const worker = agent({ ports, model, tools: [look], context: window({ tokens: 6000 }), limits })
    await worker.run('Go.', { thread: 't' })
    for (const request of model.requests) expect(sizeOf(request)).toBeLessThan(14_000)
  })

  test('takes turns or tokens, and not both', () => {
    expect(() => window({})).toThrow(/turns or tokens/)
    expect(() => window({ turns: 1, tokens: 1 })).toThrow('turns or tokens is {turns, tokens}. Give one of the two, such as { turns: 20 }.')
  })
})

describe('compress without a model, in a long talk', () => {
  test('keeps the rules and decisions that people gave once, whatever is said later', async () => {
    const given = ['We decided to use Postgres 17 for the ledger.', 'I prefer answers in French.', 'The deadline is 14 March.']
    const talker = agent({ ports, model: scriptedModel(() => `I see. ${filler(1, 900)}`), context: compress({ max: 6000, perSection: 256 }), limits })
    for (const input of given) await talker.run(input, { thread: 't' })
    for (let n = 0; n < 80; n += 1) await talker.run(`Then came ${filler(n, 300)}. And number ${n}?`, { thread: 't' })
    const summaries = await factsOf(talker, 't', 'context.compressed')
    expect(summaries.length).toBeGreaterThan(3)
    for (const fact of given) expect(summaries.at(-1)?.data.summary).toContain(`- ${fact}`)
  })
})

describe('the plan of a strategy', () => {
  const planned = async (segments: readonly object[]): Promise<string> => {
    const assemble = () => ({ rebase: { reason: 'too long', segments: segments as readonly Segment[] } })
    const result = await agent({ model: scriptedModel(() => 'Yes.'), context: { name: 'odd', assemble } }).run('Hi')
    return result.status === 'failed' ? result.error.message : result.status
  }

  test('is refused where it drops something and says no rule or reason', async () => {
    const whole = { to: 0, as: 'kept' }
    expect(await planned([whole, { to: 1, as: 'dropped', rule: 'old', reason: '' }])).toMatch(
      /plan\.rebase\.segments\[1\]\.reason is ""\. Give a text that is not blank/,
    )
    expect(await planned([{ to: 1, as: 'dropped', rule: ' ', reason: 'It is old.' }])).toMatch(/plan\.rebase\.segments\[0\]/)
  })

  test('is refused where it shows a summary that was not made', async () => {
    expect(await planned([{ to: 1, as: 'summary', summary: 7 }])).toMatch(
      /segments\[0\]\.summary is 7\. Give the number of a summary: with those of the plan there are 0\./,
    )
  })

  test('is no rebase where it shows what is shown already', async () => {
    const { look, model } = walk({ turns: 12 })
    // Results stay with the calls that are kept, so nothing is left out.
    const results = defineStrategy({
      name: 'results',
      when: () => true,
      judge: ({ message }) => (message.role === 'tool' ? { drop: 'It is old.' } : 'keep'),
    })
    const worker = agent({ ports, model, tools: [look], context: results, limits })
    await worker.run('Go.', { thread: 't' })
    expect((await factsOf(worker, 't', 'context.assembled')).filter(({ data }) => data.rebase)).toHaveLength(1)
  })
})

test('defineStrategy makes a strategy of two functions', async () => {
  const { look, model } = walk({ turns: 12 })
  const context = defineStrategy({
    name: 'short results',
    when: ({ tokens }) => tokens.shown() > 6000,
    judge: ({ message }) => (message.role === 'tool' ? { trim: { over: 300, head: 100, tail: 100 } } : 'keep'),
  })
  const worker = agent({ ports, model, tools: [look], context, limits })
  await worker.run('Go.', { thread: 't' })
  for (const request of model.requests) expect(sizeOf(request)).toBeLessThan(8000)
  const rebase = (await factsOf(worker, 't', 'context.assembled')).find(({ data }) => data.rebase?.reason === 'short results')?.data.rebase
  expect(rebase?.segments).toMatchObject([{ to: 1 }, { as: 'kept', trims: [{ rule: 'short results', over: 300 }] }])
})

test('pipeline asks strategies after each other, and each sees what those before it did', async () => {
  const { look, model } = walk({ turns: 40 })
  const seen: number[] = []
  const counting = {
    name: 'counting',
    assemble({ frame }: { frame: { summaries: { length: number } } }) {
      seen.push(frame.summaries.length)
      return {}
    },
  }
  const worker = agent({ ports, model, tools: [look], context: pipeline(compress({ max, ...aggressive }), counting), limits })
  await worker.run('Go.', { thread: 't' })
  const compressed = await factsOf(worker, 't', 'context.compressed')
  expect(seen.at(-1)).toBe(compressed.length)
  const firstSeen = seen.indexOf(1)
  const events = await eventsOf(worker, 't')
  const turn = events.find(({ type }) => type === 'context.compressed')?.turn
  expect(firstSeen + 1).toBe(turn)
})
