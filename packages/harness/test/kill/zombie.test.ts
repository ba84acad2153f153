/** A driver that is frozen while another takes its thread, and then continues. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type WorldServer, type ZombieOptions, type ZombieReport, zombie } from '../../src/kill/index.ts'

let world: WorldServer
let folder: string
beforeAll(async () => {
  world = await startWorld()
  folder = await mkdtemp(join(tmpdir(), 'loom-zombie-'))
})
afterAll(async () => {
  await world.end()
  await rm(folder, { recursive: true })
})

let number = 0
const stopped = (options: Pick<ZombieOptions, 'call' | 'at' | 'faults'>): Promise<ZombieReport> => {
  number += 1
  return zombie({ name: `zombie-${number}`, world, folder, ...options })
}
/** The thread was held until the lease expired; the zombie wrote nothing, and the callers of both processes have the result. */
const fenced = { held: true, freed: true, appended: 0, endings: ['done', 'done'] }

describe('a driver that continues after it has lost its thread', { timeout: 120_000 }, () => {
  test('appends nothing, and what it had done before it froze is done once', async () => {
    expect(await stopped({ call: 'unsafe', at: 'after' })).toEqual({ ...fenced, requests: 1, keys: 1, findings: [] })
  })

  test('is fenced when its result is on the way to the journal', async () => {
    expect(await stopped({ call: 'unsafe', at: 'append' })).toEqual({ ...fenced, requests: 1, keys: 1, findings: [] })
  })

  test('completes what it had started, and the key makes it one effect', async () => {
    expect(await stopped({ call: 'idempotent', at: 'before' })).toEqual({ ...fenced, requests: 2, keys: 1, findings: [] })
  })

  test('completes what it had started also without a key: the journal is protected, the world is not', async () => {
    const { findings, ...report } = await stopped({ call: 'unsafe', at: 'before' })
    expect(report).toMatchObject({ ...fenced, requests: 2 })
    expect(new Set(findings.map(({ kind }) => kind))).toEqual(new Set(['duplicate']))
  })

  test('is reported when nothing fences it', async () => {
    const { appended, findings } = await stopped({ call: 'unsafe', at: 'append', faults: ['unfenced'] })
    expect(appended).toBeGreaterThan(0)
    expect(findings.map(({ kind }) => kind)).toContain('history')
  })
})
