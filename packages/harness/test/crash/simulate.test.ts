/** Random simulations with everything that can go wrong, from seeds: all laws hold in the end. */
import { describe, expect, test } from 'vitest'
import { type SimFault, simFaults } from '../../src/simulate/faults.ts'
import { assertSimulation, simulate } from '../../src/simulate/simulate.ts'

const runs = Number(process.env['LOOM_SIM_RUNS'] ?? 200)
const from = Number(process.env['LOOM_SIM_SEED'] ?? 1)

describe('in a simulation', () => {
  test('all laws hold, whichever worker dies, freezes, or loses a reply', async () => {
    const struck: Partial<Record<SimFault, number>> = {}
    for (let seed = from; seed < from + runs; seed += 1) {
      const simulation = await simulate({ seed })
      assertSimulation(simulation)
      for (const fault of simFaults) struck[fault] = (struck[fault] ?? 0) + simulation.struck[fault]
    }
    expect(simFaults.filter((fault) => runs > 100 && !struck[fault])).toEqual([])
  })

  test('a seed makes the same simulation again, step by step', async () => {
    const [first, again] = [await simulate({ seed: 42 }), await simulate({ seed: 42 })]
    expect(again.trail).toEqual(first.trail)
    expect(again.digest).toBe(first.digest)
    expect((await simulate({ seed: 43 })).digest).not.toBe(first.digest)
  })

  test('a broken law is reported with its seed and what came before', () => {
    const broken = {
      seed: 9,
      found: [{ kind: 'stuck', message: 'no progress' }] as const,
      struck: noFaults,
      events: 1,
      trail: ['p0 dies'],
      digest: 0,
    }
    expect(() => assertSimulation(broken)).toThrow(
      'The simulation of seed 9 breaks a law; simulate({ seed: 9 }) shows it again:\n  stuck: no progress\np0 dies',
    )
  })
})

const noFaults = { crash: 0, freeze: 0, fail: 0, lose: 0, resend: 0, delay: 0, release: 0, jump: 0, drain: 0 }
