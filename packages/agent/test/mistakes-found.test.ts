/** Mistakes of callers whose outcome is decided: a resolver that cannot answer, an answer that only a schema refuses, a plan of a fork with edits. */
import { agent, answer, approve, type Resolver, respond, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const calling = (name: string) =>
  scriptedModel(({ prompt }) => {
    const last = prompt.at(-1)
    return last?.role === 'tool' ? JSON.stringify(last.content) : { calls: [{ tool: name }] }
  })

test.each<[string, Resolver, string]>([
  ['throws', () => Promise.reject(new Error('no database')), 'onQuestion threw for'],
  ['returns true', () => true as never, 'onQuestion: This answer cannot be used.'],
  ['returns an answer that does not fit', () => ({ answer: { kind: 'ok' } }) as never, 'It is not an answer.'],
])('a resolver that %s leaves the question open, and the run can still be answered', async (_, onQuestion, named) => {
  const pay = tool({ permission: 'ask', run: () => 'paid' })
  const clerk = agent({ model: calling('pay'), tools: { pay }, onQuestion })
  const waiting = await clerk.run('x', { thread: 't' })
  expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval' }] })
  expect(waiting.status === 'waiting' && waiting.error?.message).toContain(named)
  const run = agent({ model: calling('pay'), tools: { pay }, journal: clerk.journal }).resume('t')
  await run.answer(waiting.questions[0]?.id ?? '', approve())
  expect(await run.result()).toMatchObject({ status: 'done', text: expect.stringContaining('paid') as string })
})

test('an answer that fits the JSON Schema and not the schema is refused by the body, which may ask again', async () => {
  const schema = z.string().refine((text) => text.startsWith('a'), 'must begin with a')
  const pick = tool({
    durable: true,
    run: async (_, ctx) => {
      const first = await ctx.ask('Which?', { name: 'first', schema }).catch((error: Error) => error.message)
      if (typeof first !== 'string') return first
      const second = await ctx.ask('Which, again?', { name: 'second', schema })
      return { first, second }
    },
  })
  const run = agent({ model: calling('pick'), tools: { pick } }).start('x')
  await run.answer((await run.result()).questions[0]?.id ?? '', respond('b'))
  const again = await run.result()
  expect(again.questions[0]?.prompt).toBe('Which, again?')
  await run.answer(again.questions[0]?.id ?? '', respond('ab'))
  const { text } = await run.result()
  expect(text).toContain('does not fit its schema: must begin with a')
  expect(text).toContain('"value":"ab"')
})

test('the plan of a fork leaves out the calls that its edits decide', async () => {
  const ran: string[] = []
  const mail = tool({ name: 'mail', run: () => `mailed ${ran.push('mail')}` })
  const sender = agent({ model: calling('mail'), tools: [mail] })
  await sender.run('x', { thread: 't' })
  const events = await sender.journal.read('t')
  const at = `t@${events.findLast(({ type }) => type === 'tool.finished')?.seq}`
  const limits = { tokens: 10_000 }
  for (const edit of [
    { kind: 'result', call: '1.0', result: 'bounced' },
    { kind: 'deny', call: '1.0', reason: 'spam' },
  ] as const) {
    expect(await sender.planFork(at, { edit, limits, effects: 'live' })).toMatchObject({ calls: [], unsafe: [], reopened: [] })
    const fork = await sender.fork(at, { edit, limits, effects: 'live' })
    expect((await fork.resume().result()).status).toBe('done')
  }
  expect(ran).toEqual(['mail'])
})

test('an answer to the id that question.asked shows says where the whole id is (found: "There is no thread 1.0")', async () => {
  const pay = tool({ permission: 'ask', run: () => 'paid' })
  const clerk = agent({ model: calling('pay'), tools: { pay } })
  const run = clerk.start('x', { thread: 't' })
  const { questions } = await run.result()
  const whole = {
    code: 'LOOM_QUESTION_NOT_FOUND',
    message: expect.stringMatching(/"1\.0#1" is not the whole id of a question: take it from result\.questions/),
  }
  await expect(clerk.answer('1.0#1', approve())).rejects.toMatchObject(whole)
  await expect(answer(clerk.journal, '1.0#1', approve())).rejects.toMatchObject(whole)
  await expect(run.answer('1.0#1', approve())).rejects.toMatchObject({ message: expect.stringContaining(`Open are: ${questions[0]?.id}`) })
})
