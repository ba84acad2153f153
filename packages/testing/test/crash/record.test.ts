/** Two trials of one scenario are compared by where things come from, not by ids that differ from trial to trial. */
import { agent, tool } from '@loom-agent/agent'
import { expect, test } from 'vitest'
import { type CrashScenario, externalWorld, judge, memoryStorage, runTrial } from '../../src/crash/index.ts'
import { steadyModel } from '../../src/double/steady-model.ts'

const scenario: CrashScenario = {
  name: 'a child that notes twice',
  world: externalWorld,
  agent({ journal, world }) {
    const note = tool({ name: 'note', effect: 'idempotent', run: (_input, { key }) => world.put('note', key) })
    const notes = { calls: [{ tool: 'note' }, { tool: 'note' }] }
    const child = agent({ name: 'child', model: steadyModel([notes, 'Noted.']), tools: [note] })
    return agent({ name: 'root', model: steadyModel([{ calls: [{ tool: 'child', input: { prompt: 'Go.' } }] }, 'Done.']), tools: [child], journal })
  },
  play: (user) => user.input('Go.'),
}

test('a trial names children by their calls and keys by their places', async () => {
  const trial = await runTrial(scenario, { storage: memoryStorage() })
  const paths = trial.transcripts.map(({ path }) => path).sort()
  expect(paths).toEqual(['t', expect.stringMatching(/^t\/1\.0\//)])
  const places = ['1.0', '1.1'].map((call) => `key of ${paths[1]} ${call}`)
  expect(JSON.parse(trial.world)).toEqual({ done: { note: 2 }, keys: Object.fromEntries(places.map((place) => [place, 'note'])) })
  expect(judge(trial, await runTrial(scenario, { storage: memoryStorage() })).kind).toBe('same')
})
