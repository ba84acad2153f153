/** A driver that stands still while another takes its thread, and then goes on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OutsideServer, startOutside, type ZombieOptions, type ZombieReport, zombie } from '../../src/kill/index.ts'

let outside: OutsideServer
let folder: string
beforeAll(async () => {
  outside = await startOutside()
  folder = await mkdtemp(join(tmpdir(), 'loom-zombie-'))
})
afterAll(async () => {
  await outside.end()
  await rm(folder, { recursive: true })
})

let number = 0
const stopped = (options: Pick<ZombieOptions, 'tool' | 'at' | 'faults'>): Promise<ZombieReport> => {
  number += 1
  return zombie({ name: `zombie-${number}`, outside, folder, ...options })
}
/** The lease decided who tries; the zombie wrote nothing, and whoever waited for the run in either process has its answer. */
const fenced = { held: true, freed: true, appended: 0, endings: ['done', 'done'] }

describe('a driver that goes on after it has lost its thread', () => {
  test('appends nothing, and what it had done before it stood still is done once', async () => {
    expect(await stopped({ tool: 'send', at: 'after' })).toEqual({ ...fenced, requests: 1, keys: 1, findings: [] })
  })

  test('is fenced when its result is on the way to the journal', async () => {
    expect(await stopped({ tool: 'send', at: 'append' })).toEqual({ ...fenced, requests: 1, keys: 1, findings: [] })
  })

  test('completes what it had begun, and the key makes it one effect', async () => {
    expect(await stopped({ tool: 'put', at: 'before' })).toEqual({ ...fenced, requests: 2, keys: 1, findings: [] })
  })

  test('completes what it had begun also without a key: the journal is protected, the world is not', async () => {
    const { findings, ...report } = await stopped({ tool: 'send', at: 'before' })
    expect(report).toMatchObject({ ...fenced, requests: 2 })
    expect(findings.map(({ verdict }) => verdict)).toEqual(['doubled'])
  })

  test('is found out when nothing fences it', async () => {
    const { appended, findings } = await stopped({ tool: 'send', at: 'append', faults: ['unfenced'] })
    expect(appended).toBe(1)
    expect(findings.map(({ verdict }) => verdict)).toEqual(['history'])
  })
})
