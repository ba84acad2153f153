/** Random worlds with everything that can go wrong, from seeds: all laws hold when the dust has settled. */
import { describe, expect, test } from 'vitest'
import { type SimFault, simFaults } from '../../src/crash/sim-faults.ts'
import { assertSimulation, simulate } from '../../src/crash/simulate.ts'

const runs = Number(process.env['LOOM_SIM_RUNS'] ?? 200)
const from = Number(process.env['LOOM_SIM_SEED'] ?? 1)

describe('in a simulated world', () => {
  test('all laws hold, whoever dies, freezes, loses a reply or a day', async () => {
    const struck: Partial<Record<SimFault, number>> = {}
    for (let seed = from; seed < from + runs; seed += 1) {
      const simulation = await simulate({ seed })
      assertSimulation(simulation)
      for (const fault of simFaults) struck[fault] = (struck[fault] ?? 0) + simulation.struck[fault]
    }
    expect(simFaults.filter((fault) => runs > 100 && !struck[fault])).toEqual([])
  })

  test('a seed makes the same world again, step by step', async () => {
    const [first, again] = [await simulate({ seed: 42 }), await simulate({ seed: 42 })]
    expect(again.trail).toEqual(first.trail)
    expect(again.digest).toBe(first.digest)
    expect((await simulate({ seed: 43 })).digest).not.toBe(first.digest)
  })

  test('a law that is broken is told with its seed and what came before', () => {
    const broken = {
      seed: 9,
      found: [{ kind: 'stuck', message: 'nothing moves' }] as const,
      struck: noFaults,
      events: 1,
      trail: ['p0 dies'],
      digest: 0,
    }
    expect(() => assertSimulation(broken)).toThrow(
      'The world of seed 9 breaks a law; simulate({ seed: 9 }) shows it again:\n  stuck: nothing moves\np0 dies',
    )
  })
})

const noFaults = { crash: 0, freeze: 0, fail: 0, lose: 0, resend: 0, delay: 0, jump: 0 }
