import { agent, approve, reject, respond, tool } from '@loom-agent/agent'
import type { EffectClass } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { abandoned, factsOf } from './journals.ts'

/** Runs until the tool has begun, then lets another agent object find the thread. */
async function lose(effect: EffectClass, check?: 'done' | 'not-done' | 'unknown', unattended: 'wait' | 'deny' = 'wait') {
  const keys: string[] = []
  let hangs = true
  const act = tool({
    name: 'act',
    effect,
    run: (_, { key }) => {
      keys.push(key)
      return hangs ? new Promise(() => {}) : 'acted'
    },
    ...(check && { check: () => (check === 'done' ? { status: 'done', result: 'it happened' } : { status: check }) }),
  })
  const behaviour = { unattended }
  const first = agent({ model: scriptedModel([{ calls: [{ tool: 'act' }] }]), tools: [act], behaviour })
  void first.run('go', { thread: 't' })
  await until(() => keys.length > 0)
  hangs = false
  const model = scriptedModel('ok')
  const second = agent({ model, tools: [act], journal: abandoned(first.journal), behaviour })
  return { run: second.resume('t'), second, model, keys }
}

test('a step whose performer was lost is named in words', async () => {
  let entered = 0
  const errand = tool({
    name: 'errand',
    durable: true,
    run: (_, ctx) =>
      ctx.step('pay', () => {
        entered += 1
        return new Promise<void>(() => {})
      }),
  })
  const first = agent({ model: scriptedModel([{ calls: [{ tool: 'errand' }] }]), tools: [errand] })
  void first.run('go', { thread: 't' })
  await until(() => entered > 0)
  const second = agent({ model: scriptedModel('ok'), tools: [errand], journal: abandoned(first.journal) })
  const { questions } = await second.resume('t').result()
  expect(questions[0]?.prompt).toMatch(
    /^The process was lost while step pay #1 of call 1\.0 \(errand\) ran: it may or may not have happened\. Respond/,
  )
  expect(entered).toBe(1)
})

describe('a call whose performer was lost', () => {
  test('runs again when it is pure or only reads', async () => {
    for (const effect of ['pure', 'read'] as const) {
      const { run, keys } = await lose(effect)
      expect((await run.result()).status).toBe('done')
      expect(keys).toHaveLength(2)
    }
  })

  test('runs again with the same key when it is idempotent', async () => {
    const { run, keys } = await lose('idempotent')
    expect((await run.result()).status).toBe('done')
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(2)
  })

  test('is believed when its check says that it happened', async () => {
    const { run, keys, model } = await lose('reconcilable', 'done')
    expect((await run.result()).status).toBe('done')
    expect(keys).toHaveLength(1)
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('it happened')
  })

  test('runs when its check says that it did not', async () => {
    const { run, keys } = await lose('reconcilable', 'not-done')
    expect((await run.result()).status).toBe('done')
    expect(keys).toHaveLength(2)
  })

  test('asks when its check cannot tell', async () => {
    const { run, keys } = await lose('reconcilable', 'unknown')
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ kind: 'in-doubt' }] })
    expect(keys).toHaveLength(1)
  })

  test('asks when it is unsafe, and is never run again by itself', async () => {
    const { run, keys } = await lose('unsafe')
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ kind: 'in-doubt', call: { tool: 'act' } }] })
    expect(keys).toHaveLength(1)
  })

  test('has the result that a human gives, runs when a human says it did not happen, or is an error when rejected', async () => {
    const answers = [
      { answer: respond('done at 5'), times: 1, seen: 'done at 5' },
      { answer: approve(), times: 2, seen: 'acted' },
      { answer: reject('forget it'), times: 1, seen: 'forget it' },
    ]
    for (const { answer, times, seen } of answers) {
      const { run, keys, model } = await lose('unsafe')
      await run.answer((await run.result()).questions[0]?.id ?? '', answer)
      expect((await run.result()).status).toBe('done')
      expect(keys).toHaveLength(times)
      expect(JSON.stringify(model.requests[0]?.prompt)).toContain(seen)
    }
  })

  test('is an unknown outcome for the model where questions are denied', async () => {
    const { run, keys, second } = await lose('unsafe', undefined, 'deny')
    expect((await run.result()).status).toBe('done')
    expect(keys).toHaveLength(1)
    expect((await factsOf(second, 't', 'tool.finished'))[0]?.data.errorType).toBe('outcome-unknown')
    expect(await factsOf(second, 't', 'tool.in-doubt')).toHaveLength(1)
  })
})
