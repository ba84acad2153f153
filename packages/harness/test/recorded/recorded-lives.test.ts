/** Random lives as recorded tests (LIVES-1). `npm run crash -- --only recorded` does 2,000 of them. */
import { expect, test } from 'vitest'
import { recordLives } from '../../src/recorded/recorded-lives.ts'

const lives = Number(process.env['LOOM_RECORDED_LIVES'] ?? 40)
const from = Number(process.env['LOOM_SIM_SEED'] ?? 1)

test('random lives that are recorded replay with the unchanged agent: hooks that await and skip, deaths beside parallel calls, races of stops', async () => {
  const { findings, counts } = await recordLives({ from, lives })
  expect(findings).toEqual([])
  for (const [what, times] of Object.entries(counts)) expect([what, times > 0]).toEqual([what, true])
})
