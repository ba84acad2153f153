/** Mistakes that would have an effect nobody notices, or a message that says something untrue: each is refused with what happened (OPTION-1). */
import { agent, type DurableContext, frameAt, frameOf, memoryJournal, pause, requestAt, steer, stop, tool } from '@loom-agent/agent'
import { chaos, scriptedModel } from '@loom-agent/testing'
import { beforeAll, describe, expect, test } from 'vitest'

const invalid = 'LOOM_OPTION_INVALID'
const unknown = 'LOOM_OPTION_UNKNOWN'
const missing = 'LOOM_THREAD_NOT_FOUND'
/** What a program without types gives. */
const given = (value: unknown): never => value as never

const worker = agent({ name: 'worker', model: scriptedModel(() => 'ok') })
const { journal } = worker
beforeAll(async () => {
  await worker.run('x', { thread: 't' })
})

type Mistake = readonly [what: string, act: () => unknown, code: string, named: string]

const inOptions: readonly Mistake[] = [
  ['the reason of agent.stop', () => worker.stop('t', undefined, given({ reason: 'x' })), unknown, 'stop has no option "reason"'],
  ['the reason of stop', () => stop(journal, 't', undefined, given({ reason: 'x' })), unknown, 'stop has no option "reason"'],
  ['a reason of pause', () => pause(journal, 't', given({ reason: 'x' })), unknown, 'pause has no option "reason"'],
  ['the agent of chaos', () => chaos(() => worker, given({ inputs: ['x'], agent: 1 })), unknown, 'chaos has no option "agent"'],
]

const moments: readonly Mistake[] = [
  ['frameAt of a negative seq', () => frameAt(journal, 't', -1), invalid, 'frameAt: upTo is -1. Give a whole number of at least 1.'],
  ['frameAt of seq 0', () => frameAt(journal, 't', 0), invalid, 'frameAt: upTo is 0'],
  ['frameAt of a broken seq', () => frameAt(journal, 't', 1.5), invalid, 'frameAt: upTo is 1.5'],
  ['frameAt of a text', () => frameAt(journal, 't', given('3')), invalid, 'frameAt: upTo is "3"'],
  ['frameAt after the end', () => frameAt(journal, 't', 999), invalid, 't@999 is not there yet; the thread ends at t@8.'],
  ['frameAt of a moment', () => frameAt(journal, 't@3'), 'LOOM_THREAD_INVALID', '"t@3" cannot be the id of a thread'],
  ['frameAt of a missing thread', () => frameAt(journal, 'nope'), missing, 'There is no thread nope'],
  ['frameOf of a missing thread', () => frameOf(journal, 'nope@1'), missing, 'There is no thread nope'],
  ['frameOf after the end', () => frameOf(journal, 't@999'), invalid, 't@999 is not there yet; the thread ends at t@8.'],
  ['requestAt after the end', () => requestAt(journal, 't@999'), invalid, 't@999 is not there yet; the thread ends at t@8.'],
  ['a fork after the end', () => worker.fork('t@999'), invalid, 't@999 is not there yet; the thread ends at t@8.'],
  ['threads since a duration', () => journal.threads({ since: 60_000 }), invalid, 'since is 60000. Give a moment in milliseconds since 1970'],
  ['threads before a duration', () => journal.threads({ before: 60_000 }), invalid, 'before is 60000. Give a moment in milliseconds since 1970'],
]

const others: readonly Mistake[] = [
  ['a watch without a function', () => journal.watch('t', given(undefined)), invalid, 'journal.watch: hint is undefined. Give a function.'],
  ['a stop of a missing thread', () => worker.stop('nope'), missing, 'There is no run to stop on the thread nope.'],
  ['a text as a tool', () => agent({ tools: given(['add']) }), 'LOOM_TOOL_INVALID', 'tools[0] ("add") is not a tool. Give tool(...)'],
  ['nothing as a tool', () => agent({ tools: given([null]) }), 'LOOM_TOOL_INVALID', 'tools[0] (null) is not a tool.'],
  ['an empty steering message', () => steer(journal, 't', ''), 'LOOM_INPUT_EMPTY', 'The input is empty.'],
  ['a blank steering message', () => worker.resume('t').steer(' \n'), 'LOOM_INPUT_EMPTY', 'The input is empty.'],
]

const refusals = { 'an argument among the options': inOptions, 'a moment that cannot be meant': moments, 'what would do nothing': others }
describe.each(Object.entries(refusals))('%s is refused', (_, mistakes) => {
  test.each(mistakes)('%s', async (_what, act, code, named) => {
    const error: unknown = await Promise.resolve()
      .then(act)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code, message: expect.stringContaining(named) as string })
  })
})

test('moments of a clock that a test has set to an early time are taken as they are, and so are 0 and dates', async () => {
  const early = memoryJournal({ now: () => 1_000_000 })
  expect(await early.threads({ since: 60_000, before: 2_000_000 })).toEqual([])
  expect(await journal.threads({ since: 0 })).toHaveLength(1)
})

const bodies: readonly (readonly [string, (context: DurableContext) => unknown, string])[] = [
  ['a duration instead of a moment', (ctx) => ctx.waitFor('a', { until: 60_000 }), 'until is 60000. Give a moment in milliseconds since 1970'],
  ['a name instead of an agent', (ctx) => ctx.run(given('kid'), 'x'), 'ctx.run: agent is "kid". Give an agent, as agent() returns it.'],
  ['a copy of an agent', (ctx) => ctx.run({ ...worker }, 'x'), '"worker" is no agent that agent() of this installation has made'],
  ['an input without words', (ctx) => ctx.run(worker, ' '), 'The input is empty.'],
  ['the prompt of a question among its options', (ctx) => ctx.ask('x', given({ prompt: 'y' })), 'ctx.ask has no option "prompt"'],
  ['the body of a step among its options', (ctx) => ctx.step('x', () => 1, given({ run: 1 })), 'ctx.step has no option "run"'],
]
test.each(bodies)('in a durable body, %s is an error that the model reads', async (_, body, named) => {
  const act = tool({ durable: true, effect: 'read', run: (_input, context) => body(context) })
  const caller = agent({ model: scriptedModel([{ calls: [{ tool: 'act' }] }, 'end']), tools: { act } })
  expect(await caller.run('x', { thread: 't' })).toMatchObject({ status: 'done' })
  const outputs = (await caller.journal.read('t')).flatMap((event) => (event.type === 'tool.finished' ? [String(event.data.output.value)] : []))
  expect(outputs).toEqual([expect.stringContaining(named)])
})

test('a wait until a date of long ago has expired', async () => {
  const act = tool({ durable: true, effect: 'read', run: async (_input, context) => (await context.waitFor('a', { until: new Date(0) })).status })
  const caller = agent({ model: scriptedModel([{ calls: [{ tool: 'act' }] }, ({ prompt }) => JSON.stringify(prompt.at(-1))]), tools: { act } })
  expect((await caller.run('x', { thread: 't' })).text).toContain('expired')
})

test('a handle that gets the id of a foreign question names those that are open in its tree', async () => {
  const refund = tool({ permission: 'ask', run: () => 'refunded' })
  const asking = (name: string) => agent({ name, tools: { refund }, model: scriptedModel(() => ({ calls: [{ tool: 'refund' }] })) })
  const foreign = await asking('foreign').run('x', { thread: 'foreign' })
  const boss = agent({ tools: { kid: asking('kid') }, model: scriptedModel([{ calls: [{ tool: 'kid', input: { prompt: 'x' } }] }, 'end']) })
  const handle = boss.start('x', { thread: 'boss' })
  const { questions } = await handle.result()
  const [wanted = '', open = ''] = [foreign.questions[0]?.id, questions[0]?.id]
  const error = await handle.answer(wanted, { answer: { kind: 'approve' } }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND', message: expect.stringContaining(`Open are: ${open}.`) as string })
})

test('the error of the text of a failed run ends each of its sentences', async () => {
  const failing = agent({ model: scriptedModel([{ throws: Object.assign(new Error('bad'), { statusCode: 401 }) }]) })
  const error: unknown = await Array.fromAsync(failing.start('x').text()).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    message: expect.stringMatching(/the run failed\. .*bad\. Resume the thread to go on\.$/) as string,
  })
})
