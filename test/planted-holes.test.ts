/** The attacks notice holes in the guards. `npm run attack` plants all of them, one by one; this plants one of each part, in one run of the attacks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allHoles, firstHoles, plant } from '../tools/attack/plant.ts'
import { root } from '../tools/workspace.ts'
import { holes } from './attacks/holes/holes.ts'

test('the passage of every hole stands once in its file, so that it can be planted', () => {
  const timesOf = (file: string, passage: string): number => readFileSync(join(root, 'packages', file), 'utf8').split(passage).length - 1
  const misplaced = allHoles.filter(({ hole }) => timesOf(hole.file, hole.passage) !== 1)
  expect(misplaced.map(({ id, hole }) => `${id}: ${hole.what}`)).toEqual([])
})

test('a hole in a guard of each part is noticed by the attacks that it names', async () => {
  expect(firstHoles).toHaveLength(Object.keys(holes).length)
  expect(await plant(firstHoles)).toEqual([])
}, 240_000)

test('a hole that no attack looks for is reported', async () => {
  const [first] = firstHoles
  const unnoticed = firstHoles.slice(0, 1).map(({ id, hole }) => ({ id, hole: { ...hole, foundBy: 'test/attacks/text-calls.test.ts' } }))
  expect(await plant(unnoticed)).toEqual([expect.stringMatching(/^not (?:planted|noticed): /)])
  expect(first?.hole.foundBy).not.toBe('test/attacks/text-calls.test.ts')
}, 240_000)
