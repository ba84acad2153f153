/** Summaries that save too little to be shown: COMPRESS-2 and COMPRESS-3. */
import { agent, compact, compress, memoryJournal, tool } from '@loom-agent/agent'
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'

/** Four characters are taken for a token. */
const ports = { countTokens: (text: string): number => text.length / 4 }
const turns = 40

const sections = [
  'background_context',
  'key_decisions',
  'tool_usage_log',
  'user_intent_evolution',
  'execution_results',
  'open_issues',
  'future_plans',
]

/** A model that writes summaries which are as long as what they stand for. */
const verbose = (): ScriptedModel => scriptedModel(() => sections.map((name) => `## ${name}\n${'- We talked at length.\n'.repeat(20)}`).join('\n'))

/** A run that asks for a shorter context after its first call, and whose summaries never save anything. */
async function lived(writer: ScriptedModel) {
  let calls = 0
  const look = tool({
    name: 'look',
    effect: 'read',
    async run(_, { thread }) {
      calls += 1
      if (calls === 1) await worker.compact(thread)
      return `page ${calls} ${'stone river '.repeat(10)}`
    },
  })
  const model = scriptedModel((_, number) => (number < turns ? { calls: [{ tool: 'look' }] } : 'Done.'))
  const context = compress({ max: 8000, model: writer })
  // Instructions cannot be compressed: beside them a summary has room to be as long as what it stands for.
  const instructions = 'Be exact. '.repeat(600)
  const worker = agent({ name: 'reader', instructions, ports, model, tools: [look], context, limits: { turns: 100, loop: false } })
  const { usage } = await worker.run('Look around.', { thread: 't' })
  return { worker, usage, events: await eventsOf(worker.journal, 't') }
}

describe('a summary that saves too little to be shown', () => {
  test('is recorded with what it has used, and that counts', async () => {
    const writer = verbose()
    const { usage, events } = await lived(writer)
    const summaries = events.filter((event) => event.type === 'context.compressed')
    expect(writer.requests.length).toBeGreaterThan(0)
    expect(summaries.map(({ data }) => data.by)).toEqual(writer.requests.map(() => 'model'))
    const shown = JSON.stringify(events.filter(({ type }) => type === 'context.assembled'))
    expect(summaries.filter((_, number) => !shown.includes(`"as":"summary","summary":${number}`))).not.toEqual([])
    const used = events.flatMap((event) =>
      event.type === 'model.replied' || event.type === 'context.compressed' ? [event.data.usage?.input ?? 0] : [],
    )
    expect(usage.input).toBe(used.reduce((sum, input) => sum + input, 0))
  })

  test('is followed by another one when there is twice as much to summarize, not in every turn', async () => {
    const writer = verbose()
    await lived(writer)
    expect(writer.requests.length).toBeLessThanOrEqual(Math.ceil(Math.log2(turns)))
  })

  test('is found by a replay, which differs nowhere', async () => {
    const { worker } = await lived(verbose())
    const { divergence, totals } = await worker.replay('t')
    expect(divergence).toBeUndefined()
    expect(totals.tokens.replayed).toBe(totals.tokens.recorded)
  })
})

test('no summary is made where it could save next to nothing', async () => {
  const writer = scriptedModel(() => '## key_decisions\n- Nothing.')
  const model = scriptedModel((_, number) => (number === 1 ? { calls: [{ tool: 'look' }] } : 'Done.'))
  const journal = memoryJournal()
  const look = tool({ name: 'look', effect: 'read', run: (_, { thread }) => compact(journal, thread) })
  const instructions = 'Read. '.repeat(2000)
  const worker = agent({ name: 'reader', journal, instructions, ports, model, tools: [look], context: compress({ max: 8000, model: writer }) })
  await worker.run('Look.', { thread: 't' })
  await worker.run('Look again.', { thread: 't' })
  expect(writer.requests).toEqual([])
})

describe('what a summary has cost', () => {
  const price = (model: string, { input, output }: { readonly input: number; readonly output: number }): number => {
    if (model.endsWith('unknown')) throw new Error('This model has no price.')
    return (input + output) * (model.endsWith('cheap') ? 1 : 100)
  }
  const long = tool({ name: 'look', effect: 'read', run: () => 'stone river '.repeat(300) })

  /** A run over its window, whose summaries this model writes. */
  async function costs(writer: ScriptedModel, limits = {}) {
    const model = scriptedModel((_, number) => (number < 12 ? { calls: [{ tool: 'look' }] } : 'Done.'), { modelId: 'dear' })
    const context = compress({ max: 6000, model: writer })
    const worker = agent({ name: 'reader', ports: { ...ports, price }, model, tools: [long], context, limits: { loop: false, ...limits } })
    const result = await worker.run('Look around.', { thread: 't' })
    const events = await eventsOf(worker.journal, 't')
    return { result, events, summaries: events.flatMap((event) => (event.type === 'context.compressed' ? [event.data] : [])) }
  }

  test('is by the price of the model that wrote it', async () => {
    const { summaries, result, events } = await costs(scriptedModel(() => '## key_decisions\n- Nothing.', { modelId: 'cheap' }))
    expect(summaries.length).toBeGreaterThan(0)
    for (const { usage, cost } of summaries) expect(cost).toBe((usage?.input ?? 0) + (usage?.output ?? 0))
    const replies = events.flatMap((event) => (event.type === 'model.replied' ? [event.data.cost ?? 0] : []))
    expect(result.cost).toBe([...replies, ...summaries.map(({ cost = 0 }) => cost)].reduce((sum, one) => sum + one, 0))
  })

  test('counts also where nothing that was written can be read, and sentences are extracted', async () => {
    const { summaries } = await costs(scriptedModel(() => 'I would rather not.', { modelId: 'cheap' }))
    expect(summaries.length).toBeGreaterThan(0)
    for (const { by, cost, model } of summaries)
      expect({ by, model, paid: (cost ?? 0) > 0 }).toEqual({ by: 'extract', model: expect.stringContaining('cheap'), paid: true })
  })

  test('must be known where the run has a limit of cost: no other model is asked', async () => {
    const writer = scriptedModel(() => '## key_decisions\n- Nothing.', { modelId: 'unknown' })
    const { summaries, events } = await costs(writer, { cost: 1e12 })
    expect(writer.requests).toEqual([])
    expect(summaries.length).toBeGreaterThan(0)
    expect(JSON.stringify(events.filter(({ type }) => type === 'context.compression-failed'))).toContain('limits.unpriced')
    const allowed = await costs(writer, { cost: 1e12, unpriced: 'allow' })
    expect(allowed.summaries.map(({ by }) => by)).toContain('model')
  })
})
