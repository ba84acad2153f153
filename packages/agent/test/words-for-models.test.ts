/** What a model reads says what the model can do; what only a developer can do is in the result, the log and the errors. */
import { type AgentOptions, agent, skip, tool } from '@loom-agent/agent'
import { type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf } from './journals.ts'

const ports = { development: false, random: () => 0 }
const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const once = (name: string) => scriptedModel([{ calls: [{ tool: name, input: { prompt: 'Tell a story.' } }] }, 'ok'])
/** Advice that no model can follow. */
const forDevelopers = /resume|limits\.|settings|Go on|thread|hook "|approve|maxOutputTokens/

describe('a hook that throws at a call', () => {
  test.each([
    ['beforeToolExecution', 'look was not run, because a hook failed before it: boom. Try another way, or go on without it.'],
    ['afterToolExecution', 'look has run, and its result is withheld, because a hook failed after it: boom. Do not run it again to see the result.'],
  ] as const)('gives the model what it threw, and the call the kind "hook": %s', async (point, says) => {
    const hooks = [{ name: 'guard', [point]: () => Promise.reject(new Error('boom')) }]
    const model = once('look')
    const result = await agent({ model, tools: [look], hooks, ports }).run('go')
    expect(result).toMatchObject({ status: 'done', steps: [{ calls: [{ status: 'error', errorType: 'hook', output: says }] }, {}] })
    expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain(says)
    expect(says).not.toMatch(forDevelopers)
  })

  test('says to resume only where the run has failed', async () => {
    const of = async (point: string): Promise<string> => {
      const errors: unknown[] = []
      const hooks = [{ name: 'guard', [point]: () => skip('x') }]
      const result = await agent({ model: once('look'), tools: [look], hooks, ports }).run('go')
      for (const { calls } of result.steps) for (const call of calls) if (call.status === 'error') errors.push(call.output)
      return result.status === 'failed' ? result.error.message : String(errors)
    }
    expect(await of('beforeModelCall')).toMatch(/Fix the hook and resume the thread\.$/)
    expect(await of('afterToolExecution')).not.toMatch(forDevelopers)
  })
})

describe('a child that stopped before it was done', () => {
  const stops: readonly (readonly [string, ScriptStep | readonly ScriptStep[], Partial<AgentOptions>, RegExp])[] = [
    ['was cut', { text: 'Once upon', finish: 'length' }, {}, /too long\. Ask for less at a time/],
    ['was filtered', { text: 'Once upon', finish: 'content-filter' }, {}, /withheld by a filter/],
    ['has used its turns', [{ text: 'Once upon', calls: [{ tool: 'look' }] }, 'never'], { limits: { turns: 1 } }, /used up/],
    ['has used its tokens', [{ text: 'Once upon', calls: [{ tool: 'look' }] }, 'never'], { limits: { tokens: 1, onReached: 'stop' } }, /used up/],
    [
      'repeats itself',
      Array.from({ length: 9 }, () => ({ text: 'Once upon', calls: [{ tool: 'look' }] })),
      { limits: { loop: { warn: 1, nudge: 1, stop: 2 } } },
      /same call again and again/,
    ],
  ]
  test.each(stops)('because it %s tells the model above what that one can do (found: "run Go on.")', async (_, script, options, says) => {
    const child = agent({ name: 'teller', model: scriptedModel(script as ScriptStep[]), tools: [look], ...options })
    const boss = agent({ model: once('teller'), tools: [child], ports })
    const result = await boss.run('go', { thread: 't' })
    const output = String(result.steps[0]?.calls[0]?.output)
    expect(output).toMatch(says)
    expect(output).not.toMatch(forDevelopers)
    // What a developer can do is in the record of the child.
    const [started] = await factsOf(boss, 't', 'child.started')
    expect((await factsOf(boss, started?.data.child ?? '', 'run.stopped'))[0]?.data.reason).toBeTruthy()
  })
})
