/** What was shown of a reply when its run was stopped is part of the conversation. */
import { type Agent, type AgentOptions, agent, type RunHandle, tool, turnsOf } from '@loom-agent/agent'
import { assertHistory, checkPairing, type ScriptedModel, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const talker = (model: ScriptedModel, options: Partial<AgentOptions> = {}): Agent =>
  agent({ model, tools: [look], behaviour: { grace: 1 }, ports: { random: () => 0 }, ...options })

/** Waits until a run has shown this text, then stops it. */
async function stopAt(run: RunHandle, text: string): Promise<void> {
  let shown = ''
  for await (const piece of run.text()) {
    shown += piece
    if (shown.endsWith(text)) break
  }
  await run.stop('enough')
  expect((await run.result()).status).toBe('stopped')
}
/** Roles and texts of the last request. */
const sent = ({ requests }: ScriptedModel): readonly string[] =>
  (requests.at(-1)?.prompt ?? []).map(({ role, content }) => {
    const parts = typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : part.type))
    return `${role}: ${parts.join('|')}`
  })

async function stopped(step: ScriptStep, text: string): Promise<{ boss: Agent; model: ScriptedModel }> {
  const model = scriptedModel([step, 'As I said.'])
  const boss = talker(model)
  await stopAt(boss.start('Tell me.', { thread: 't' }), text)
  await boss.run('Go on.', { thread: 't' })
  return { boss, model }
}

describe('after a stop', () => {
  test('the partial text that was shown is in the next request (found: it was left out)', async () => {
    const { boss, model } = await stopped({ text: 'Half of it', stallAfter: 4 }, 'Half of ')
    expect(sent(model)).toEqual(['user: Tell me.', 'assistant: Half of ', 'user: Go on.'])
    expect(await boss.messages('t')).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }, { role: 'assistant' }])
    const [end] = await factsOf(boss, 't', 'run.stopped')
    expect(end).toMatchObject({ v: 2, data: { kind: 'cancelled', partial: true } })
    assertHistory(await eventsOf(boss, 't'))
  })

  test('calls and thoughts that came with the text are dropped, and every call still has its result', async () => {
    const step = { reasoning: 'Hm.', text: 'I look.', calls: [{ tool: 'look' }, { tool: 'look' }], stallAfter: 12 }
    const { model } = await stopped(step, 'I look.')
    expect(sent(model)).toEqual(['user: Tell me.', 'assistant: I look.', 'user: Go on.'])
    for (const { prompt } of model.requests) expect(checkPairing(prompt)).toEqual([])
  })

  test('in a later turn it follows the results of the calls before', async () => {
    const model = scriptedModel([{ text: 'First.', calls: [{ tool: 'look' }] }, { text: 'I saw half', stallAfter: 4 }, 'As I said.'])
    const boss = talker(model)
    await stopAt(boss.start('Tell me.', { thread: 't' }), 'I saw ')
    await boss.run('Go on.', { thread: 't' })
    expect(sent(model)).toEqual(['user: Tell me.', 'assistant: First.|tool-call', 'tool: tool-result', 'assistant: I saw ', 'user: Go on.'])
  })

  test('nothing is added where nothing, or blank text, was shown', async () => {
    const { boss, model } = await stopped({ deltas: ['\n', ' ', 'x'], stallAfter: 4 }, '\n ')
    expect(sent(model)).toEqual(['user: Tell me.', 'user: Go on.'])
    expect((await factsOf(boss, 't', 'run.stopped'))[0]?.data).not.toHaveProperty('partial')
  })

  test('text of a failed attempt is kept while no other attempt has retracted it', async () => {
    const fails = {
      text: 'Wrong start',
      errorAfter: { parts: 3, error: { isRetryable: true, message: 'busy', responseHeaders: { 'retry-after': '50' } } },
    }
    const waiting = await stopped(fails, 'Wrong ')
    expect(sent(waiting.model)).toEqual(['user: Tell me.', 'assistant: Wrong ', 'user: Go on.'])
  })

  test('text that a later attempt has retracted is not kept', async () => {
    const fails = { text: 'Wrong start', errorAfter: { parts: 3, error: { isRetryable: true, message: 'busy' } } }
    const model = scriptedModel([fails, { text: 'never', stallAfter: 0 }, 'As I said.'])
    const boss = talker(model)
    const run = boss.start('Tell me.', { thread: 't' })
    for await (const event of run.events()) if (event.type === 'model.requested' && event.data.attempt === 2) break
    await run.stop('enough')
    await run.result()
    await boss.run('Go on.', { thread: 't' })
    expect(sent(model)).toEqual(['user: Tell me.', 'user: Go on.'])
  })

  test('a reply that was complete is not said twice', async () => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const model = scriptedModel([{ text: 'I pay.', calls: [{ tool: 'pay' }] }, 'As I said.'])
    const boss = talker(model, { tools: [pay] })
    const run = boss.start('Pay.', { thread: 't' })
    expect((await run.result()).questions).toHaveLength(1)
    await run.stop('enough')
    await run.result()
    await boss.run('Go on.', { thread: 't' })
    expect(sent(model)).toEqual(['user: Pay.', 'assistant: I pay.|tool-call', 'tool: tool-result', 'user: Go on.'])
  })
})

describe('the cost of a run that was stopped', () => {
  const price = (_: string, { input, output }: { input: number; output: number }): number => input + output

  test.each([
    ['while its reply came', 4],
    ['before its reply came', 0],
  ])('%s is not known, as that of the step is not (found: 0)', async (_, stallAfter) => {
    const boss = talker(scriptedModel([{ text: 'Half of it', stallAfter }]), { ports: { price } })
    const run = boss.start('go', { thread: 't' })
    if (stallAfter > 0) await stopAt(run, 'Half of ')
    else for await (const { type } of run.events()) if (type === 'model.requested') await run.stop('enough')
    const result = await run.result()
    expect([result.status, result.cost, ...result.steps.map(({ cost }) => cost)]).toEqual([
      'stopped',
      undefined,
      ...result.steps.map(() => undefined),
    ])
    expect((await turnsOf(boss.journal, 't')).map(({ cost }) => cost)).toEqual([undefined])
    expect((await boss.planFork(`t@${(await eventsOf(boss, 't')).length}`, { edit: { kind: 'input', input: 'Again.' } })).reused.cost).toBeUndefined()
  })

  test('between its requests is what they cost', async () => {
    const slow = tool({ name: 'look', effect: 'read', run: (_, { signal }) => new Promise((end) => signal.addEventListener('abort', end)) })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'look' }] }]), tools: [slow], behaviour: { grace: 1 }, ports: { price } })
    const run = boss.start('go')
    for await (const { type } of run.events()) if (type === 'tool.started') await run.stop('enough')
    const result = await run.result()
    expect(result.status).toBe('stopped')
    expect(result.cost).toBe(result.steps[0]?.cost)
    expect(result.cost).toBeGreaterThan(0)
  })

  test('of a child is not known to its parent either', async () => {
    const child = talker(scriptedModel([{ text: 'Half of it', stallAfter: 4 }]), { name: 'child' })
    const boss = talker(scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }]), { tools: [child], ports: { price } })
    const run = boss.start('go')
    for await (const { type } of run.events({ nested: true })) if (type === 'text-delta') await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped', cost: undefined })
  })
})
