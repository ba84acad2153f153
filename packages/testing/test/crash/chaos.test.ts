import { agent, tool } from '@loom-agent/agent'
import { describe, expect, test } from 'vitest'
import { assertChaos, chaos, chaosText } from '../../src/crash/chaos.ts'
import { steadyModel } from '../../src/double/steady-model.ts'
import { bad, good } from './chaos-agents.ts'

describe('chaos is silent about an agent that', () => {
  for (const { name, make, options } of good) {
    test(name, async () => {
      const report = await assertChaos(make, options)
      expect(report.trials).toBeGreaterThan(10)
      expect(chaosText(report)).toContain('Nothing is wrong.')
    })
  }
})

describe('chaos finds', () => {
  for (const { name, make, options, fault } of bad) {
    test(name, async () => {
      const { found } = await chaos(make, options)
      expect(found.map(({ kind }) => kind)).toContain(fault)
    })
  }
})

test('a report names the tool, the moment and the crash that showed it', async () => {
  const world = () => {
    const charge = (): string => {
      bank.charges += 1
      return `charge ${bank.charges}`
    }
    const bank = { charges: 0, charge }
    return bank
  }
  const failing = assertChaos(
    ({ world: bank, journal }) => {
      const charge = tool({ effect: 'read', run: () => bank.charge() })
      return agent({ model: steadyModel([{ calls: [{ tool: 'charge' }] }, 'Done.']), tools: { charge }, journal })
    },
    { inputs: ['Go.'], world, pairs: 0 },
  )
  await expect(failing).rejects.toThrow(/^The agent does not survive crashes\.\n\d+ crash points, \d+ trials with crashes, 0 of them with a question/)
  await expect(failing).rejects.toThrow(/duplicate at t@\d+: .*charge\(\) 2 times, uninterrupted 1 times by charge \(read\) at t@\d+/)
  await expect(failing).rejects.toThrow(/first: crash at point \d+ \(after world charge\)/)
})
