/** A reconcilable call whose performer was lost, and a check that does not say what it should: nothing is guessed. */
import { type AgentOptions, agent, type Checked, type ToolContext, tool } from '@loom-agent/agent'
import { assertHistory, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { abandoned, eventsOf, factsOf } from './journals.ts'

type Check = (key: string, context: ToolContext) => Checked | Promise<Checked>

/** Loses the performer of a call, and lets another agent object look whether it happened. */
async function lose(check: Check, behaviour: AgentOptions['behaviour'] = {}) {
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
  test.each<[string, Check, string]>([
    [
      'throws',
      () => {
        throw new Error('the ledger is down')
      },
      'its check cannot tell whether it happened: the ledger is down. Respond',
    ],
    ['rejects', () => Promise.reject(new Error('no access')), 'its check cannot tell whether it happened: no access. Respond'],
    ['says nothing', () => undefined as never, 'its check cannot tell whether it happened. Respond'],
  ])('%s cannot tell: a human is asked and reads why, and the call is not run again', async (_, check, prompt) => {
    const { result, times } = await lose(check)
    expect(result.questions[0]?.prompt).toContain(prompt)
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

describe('a check that does not end', () => {
  /** The second process checks with a clock that the test moves. */
  async function checking(check: Check) {
    const clock = manualClock()
    const seen = { times: 0, checks: 0 }
    const counted: Check = (...given) => {
      seen.checks += 1
      return check(...given)
    }
    const act = tool({
      name: 'act',
      effect: 'reconcilable',
      schedule: { timeout: 200 },
      check: counted,
      run: () => ++seen.times && new Promise(() => {}),
    })
    const options = { model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'act' }] })), tools: [act] }
    const first = agent(options)
    void first.run('go', { thread: 't' })
    await until(() => seen.times === 1)
    const { journal } = first
    await journal.release('t', { incarnation: '', epoch: 0, ...(await journal.head('t')) })
    const second = agent({ ...options, journal, behaviour: { grace: 100 }, ports: { clock } })
    const run = second.resume('t')
    await until(() => seen.checks === 1)
    return { clock, seen, second, run }
  }
  const never = (): Promise<never> => new Promise(() => {})

  test('within the time of its tool cannot tell: a human is asked (LOST-1)', async () => {
    const { clock, seen, second, run } = await checking(never)
    await clock.advance(200)
    const { questions } = await run.result()
    expect(questions).toMatchObject([{ kind: 'in-doubt', prompt: expect.stringContaining('it did not end within 200 ms.') }])
    expect(seen.times).toBe(1)
    assertHistory(await eventsOf(second, 't'))
  })

  test('within the grace period of a stop leaves an outcome that is unknown, and the run ends (LOST-1)', async () => {
    const { clock, seen, second, run } = await checking(never)
    await run.stop('enough')
    await clock.advance(100)
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    expect((await factsOf(second, 't', 'tool.finished'))[0]?.data).toMatchObject({ errorType: 'outcome-unknown' })
    expect(seen.times).toBe(1)
    assertHistory(await eventsOf(second, 't'))
  })

  test('before a stop is believed after it: what did not happen is not begun any more', async () => {
    const { seen, second, run } = await checking(
      (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ status: 'not-done' }))),
    )
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    expect((await factsOf(second, 't', 'tool.finished'))[0]?.data).toMatchObject({ errorType: 'cancelled' })
    expect(seen.times).toBe(1)
    assertHistory(await eventsOf(second, 't'))
  })
})
