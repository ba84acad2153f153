/** The packages as users get them: packed, installed outside the repository, compiled, run and bundled. `npm run consumer` is the long form. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quickCheck } from '../tools/consumer/checks.ts'
import { attempt, type Row, tableOf } from '../tools/consumer/row.ts'

let folder = ''
let rows: readonly Row[] = []

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'loom-consumer-')))
  rows = await quickCheck(folder)
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the packed packages, installed outside the repository', () => {
  const of = (area: string): readonly Row[] => rows.filter((row) => row.area === area)
  const failures = (area: string): string => tableOf(of(area).filter(({ passed }) => !passed))

  test.each([
    ['contents', 'carry a README, a licence and source maps that lead to their sources', 6],
    ['types', 'compile under the strictest options, without @types, under both resolutions', 4],
    ['programs', 'do what the programs of users assert', 3],
    ['bundlers', 'are bundled for browser and server without the packages of providers', 2],
  ])('%s: they %s', (area, _, least) => {
    expect(failures(area)).toBe('')
    expect(of(area).length).toBeGreaterThanOrEqual(least)
  })
})

test('a thing that fails is a row that says why, and the table shows it', async () => {
  const row = await attempt('programs', 'hello', () => {
    throw new Error('It printed nothing.')
  })
  expect(row).toEqual({ area: 'programs', what: 'hello', passed: false, note: 'It printed nothing.' })
  expect(tableOf([row])).toBe('programs  hello  FAILED\n\nprograms: hello\nIt printed nothing.')
})
