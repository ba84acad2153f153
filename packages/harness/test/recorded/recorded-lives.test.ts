/** Random lives as recorded tests (LIVES-1). `npm run crash -- --only recorded` does 2,000 of them. */
import { expect, test } from 'vitest'
import { recordLives } from '../../src/recorded/recorded-lives.ts'

const lives = Number(process.env['LOOM_RECORDED_LIVES'] ?? 40)
const from = Number(process.env['LOOM_SIM_SEED'] ?? 1)

test('random lives that are recorded replay with the unchanged agent: hooks that await and skip, deaths beside parallel calls, races of stops', async () => {
  const { findings, refused, counts } = await recordLives({ from, lives })
  expect([findings, refused]).toEqual([[], []])
  for (const [what, times] of Object.entries(counts)) expect([what, times > 0]).toEqual([what, true])
})

test.each([551, 632, 1000, 1030, 1073, 1249, 1718, 5596, 791778, 792094, 792788, 792908, 793397, 309240])(
  'a life in which a driver learned late of an input, or gave up a body, replays (seed %i)',
  async (seed) => {
    const { findings, refused } = await recordLives({ from: seed, lives: 1 })
    expect([findings, refused]).toEqual([[], []])
  },
)
