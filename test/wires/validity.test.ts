/**
 * Validity by generation: random runs of random agents, with deaths, stops, answers, steering, hooks and children, under the model of each
 * vendor. Every request is made by the vendor's own provider package and judged by the rules of its wire; nothing leaves the process.
 *
 * `LOOM_WIRE_RUNS=20000 npx vitest run --silent=true test/wires` is the long form.
 */
import type { Wire } from '@loom-agent/harness/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runPlan } from '../laws/run-plan.ts'
import { createWorld, plans } from '../laws/world.ts'
import { type Refused, vendorModel } from './vendor-model.ts'

const runs = Number(process.env['LOOM_WIRE_RUNS'] ?? 40)
const wires: readonly Wire[] = ['openai-chat', 'openai-responses', 'anthropic', 'google']

describe('every request of a random run', () => {
  test.each(wires)('is one that %s takes', { timeout: 60_000 + runs * 100 }, async (wire) => {
    let requests = 0
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const refused: Refused[] = []
        const world = createWorld(plan, (model) => vendorModel(wire, model, refused))
        await runPlan(world)
        requests += world.models.reduce((sum, model) => sum + model.requests.length, 0)
        expect(refused.map(({ problem }) => `${problem.rule}: ${problem.message}`)).toEqual([])
      }),
      { numRuns: runs },
    )
    console.log(`${wire}: ${requests} requests of ${runs} plans, none refused`)
    expect(requests).toBeGreaterThan(runs / 2)
  })

  test('and one that is not is noticed', async () => {
    const refused: Refused[] = []
    const world = createWorld({ turns: [[{ kind: 'pure', ticks: 0 }]], answers: ['approve'], hooks: 'none', deaths: [] } as never, (model) => {
      const spoiled = {
        ...model,
        doStream: (options: never) => model.doStream(options),
      }
      const vendor = vendorModel('anthropic', spoiled, refused)
      return { ...vendor, doStream: (options) => vendor.doStream({ ...options, prompt: options.prompt.filter(({ role }) => role !== 'tool') }) }
    })
    await runPlan(world)
    expect(refused.length).toBeGreaterThan(0)
  })
})
