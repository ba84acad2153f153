/** A reconcilable call whose performer was lost, and a check that does not say what it should: nothing is guessed. */
import { type AgentOptions, agent, type Checked, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { abandoned, factsOf } from './journals.ts'

/** Loses the performer of a call, and lets another agent object look whether it happened. */
async function lose(check: () => Checked | Promise<Checked>, behaviour: AgentOptions['behaviour'] = {}) {
  let times = 0
  const act = tool({ name: 'act', effect: 'reconcilable', check, run: () => ++times && new Promise(() => {}) })
  const first = agent({ model: scriptedModel([{ calls: [{ tool: 'act', input: { n: 7 } }] }]), tools: [act], behaviour })
  void first.run('go', { thread: 't' })
  while (times === 0) await new Promise((resolve) => setImmediate(resolve))
  const model = scriptedModel('ok')
  const second = agent({ model, tools: [act], journal: abandoned(first.journal), behaviour })
  return { result: await second.resume('t').result(), second, model, times }
}

describe('a check that', () => {
  test.each<[string, () => Checked | Promise<Checked>]>([
    [
      'throws',
      () => {
        throw new Error('the ledger is down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the ledger is down'))],
    ['says nothing', () => undefined as never],
  ])('%s cannot tell: a human is asked, and the call is not run again', async (_, check) => {
    const { result, times } = await lose(check)
    expect(result).toMatchObject({ status: 'waiting', questions: [{ kind: 'in-doubt', call: { tool: 'act', input: { n: 7 } } }] })
    expect(times).toBe(1)
  })

  test('cannot tell, and questions are denied: the model reads that the outcome is unknown', async () => {
    const { result, second, model, times } = await lose(() => ({ status: 'unknown' }), { unattended: 'deny' })
    expect(result.status).toBe('done')
    expect(times).toBe(1)
    expect(await factsOf(second, 't', 'tool.in-doubt')).toHaveLength(1)
    expect((await factsOf(second, 't', 'tool.finished'))[0]?.data.errorType).toBe('outcome-unknown')
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('its check cannot tell whether it happened')
  })
})
