/** The advice of a divergence names what can have caused it. */
import type { Hook } from '@loom-agent/agent'
import { assertSameRun } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { agentOf, record, runs, type Scenario } from './scenarios.ts'

test('a hook that throws in the replay ends the run differently, and hooks are named', async () => {
  const scenario = (hooks: readonly Hook[]): Scenario => ({ name: 'hooked', says: ['Done.'], options: () => ({ hooks }), play: runs() })
  const fixture = await record(scenario([]))
  const throwing: Hook = {
    afterModelReply: () => {
      throw new Error('boom')
    },
  }
  await expect(assertSameRun(agentOf(scenario([throwing])), fixture)).rejects.toMatchObject({
    message: expect.stringMatching(/LOOM_HOOK_FAILED[\s\S]*look at limits, loop limits, hooks, output schema/) as string,
  })
})
