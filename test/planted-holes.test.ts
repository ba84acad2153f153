/** The attacks notice holes in the guards. `npm run attacks` plants all of them, one by one; this plants one of each part, in one run of the attacks. */
import { expect, test } from 'vitest'
import { firstHoles, plant } from '../tools/attacks/plant.ts'
import { holes } from './attacks/holes/holes.ts'

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
