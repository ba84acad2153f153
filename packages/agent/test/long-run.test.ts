/** One prompt and 500 tool turns of 4 kB on a window of 32,000 tokens: what the prompt asks for stays in reach. */

import type { CompressOptions } from '@loom-agent/agent'
import { compress, createAgentFactory } from '@loom-agent/agent'
import { describe, expect, test } from 'vitest'
import { longRun, missingIn, type PlacedFact } from '../../../test/support/long-run.ts'
import { factsOf } from '../../../test/support/threads.ts'

const window = 32_000
const agent = createAgentFactory({ describeModel: () => ({ window, output: 4096 }) })

/** Runs 500 turns, and then reads the results of the calls whose facts are not shown. */
async function walked(seed: number, options: CompressOptions, make = agent) {
  let missing: readonly PlacedFact[] = []
  let shown = ''
  const run = longRun({ seed }, (request) => {
    shown = request
    missing = missingIn(request, run.facts)
    return missing.map(({ call }) => call)
  })
  const worker = make({ model: run.model, tools: { look: run.look }, context: compress(options), limits: { turns: 1000, loop: false } })
  const { status } = await worker.run(run.prompt, { thread: 't' })
  const rebases = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data }) => data.rebase?.reason ?? [])
  return { run, status, missing, shown, rebases }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const named = (shown: string): readonly string[] => /More is in the results of the calls ([\d., ]+)\./.exec(shown)?.[1]?.split(', ') ?? []

test('a run of 500 turns is rebased at most 40 times also where nobody knows how long replies are', async () => {
  const { status, missing, rebases } = await walked(1, {}, createAgentFactory({ describeModel: () => ({ window }) }))
  expect([status, missing]).toEqual(['done', []])
  expect(rebases.length).toBeLessThanOrEqual(40)
})

describe.each([1, 2, 3, 4, 5])('a run of 500 turns (seed %i)', (seed) => {
  test('fits at every turn, is rebased at most 40 times, sends as much at its end as before, and shows what it was asked for', async () => {
    const { run, status, missing, shown, rebases } = await walked(seed, {})
    expect(status).toBe('done')
    expect(Math.max(...run.tokens)).toBeLessThanOrEqual(window)
    expect(rebases.length).toBeLessThanOrEqual(40)
    expect(new Set(rebases)).toEqual(new Set(['start', 'compress']))
    expect(mean(run.tokens.slice(400, 500)) / mean(run.tokens.slice(100, 200))).toBeLessThan(1.1)
    expect(missing.length).toBeLessThanOrEqual(2)
    for (const { call } of missing) expect(named(shown)).toContain(call)
    expect(missingIn(run.lastRequest(), run.facts)).toEqual([])
  })

  test('names the calls of what does not fit into a short summary, and their results can be read', async () => {
    const { run, missing, shown } = await walked(seed, { perSection: 200 })
    expect(missing.length).toBeGreaterThan(2)
    expect(named(shown)).toEqual(expect.arrayContaining(missing.map(({ call }) => call)))
    expect(missingIn(run.lastRequest(), run.facts)).toEqual([])
  })
})
