/** The liveness law is judged: each fault that made runs stand still, planted back into the sources, must be reported by random lives. */
import { describe, expect, test } from 'vitest'
import { findFault } from '../../src/simulate/find-fault.ts'
import { livenessFaults, sourceFaults } from '../../src/source-faults/source-fault.ts'

/** Lives that are tried at most. */
const lives = 400

describe('a fault in the sources is reported', () => {
  for (const fault of livenessFaults) {
    test(`${fault}: ${sourceFaults[fault].what}`, { timeout: 300_000 }, async () => {
      const { found } = await findFault(fault, { from: 1, lives })
      expect(found.length).toBeGreaterThan(0)
    })
  }
})
