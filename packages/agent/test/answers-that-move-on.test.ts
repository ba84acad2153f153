/** GRANT-1, RESOLVE-3: an answer that would lead to the same question again is refused, and a resolver that gives it is not asked for ever. */
import { type Agent, agent, answer, approve, memoryJournal, type Question, suspend, tool } from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })

/** Uses 15 tokens in its first turn, and would use 15 more in its second. */
const spender = (limits: object, onQuestion?: (question: Question) => ReturnType<typeof approve> | undefined) =>
  agent({
    model: scriptedModel([
      { calls: [{ tool: 'look' }], usage: { input: 10, output: 5 } },
      { text: 'Done.', usage: { input: 10, output: 5 } },
    ]),
    tools: [look],
    limits,
    ...(onQuestion && { onQuestion }),
  })

describe('an approval of a limit', () => {
  test.each([
    ['less than what is used', 14],
    ['exactly what is used', 15],
    ['nothing', 0],
  ])('that sets it to %s is refused, and says how much is used', async (_, tokens) => {
    const clerk = spender({ tokens: 12 })
    const { questions } = await clerk.run('go', { thread: 't' })
    const refused = clerk.answer(questions[0]?.id ?? '', approve({ limits: { tokens } }))
    await expect(refused).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await expect(refused).rejects.toThrow(
      `A limit of ${tokens} tokens is too low to go on: 15 tokens used. Give more, such as approve({ limits: { tokens: 27 } }).`,
    )
    expect(await factsOf(clerk, 't', 'question.answered')).toEqual([])
    await clerk.answer(questions[0]?.id ?? '', approve({ limits: { tokens: 27 } }))
    expect(await clerk.resume('t').result()).toMatchObject({ status: 'done', text: 'Done.' })
  })

  test('that sets another budget to no more than what is used is refused as well', async () => {
    const clerk = spender({ tokens: 12 })
    const { questions } = await clerk.run('go', { thread: 't' })
    await expect(clerk.answer(questions[0]?.id ?? '', approve({ limits: { tokens: 100, cost: 0 } }))).rejects.toThrow('A limit of 0 money units')
  })

  test('that names no amount adds as much again to what is used, however far the limit was overshot', async () => {
    const clerk = spender({ tokens: 2 })
    const { questions } = await clerk.run('go', { thread: 't' })
    await clerk.answer(questions[0]?.id ?? '', approve())
    expect(await clerk.resume('t').result()).toMatchObject({ status: 'done' })
    expect(await factsOf(clerk, 't', 'question.asked')).toHaveLength(1)
    expect((await factsOf(clerk, 't', 'limit.raised'))[0]?.data).toEqual({ limits: { tokens: 17 } })
    assertHistory(await eventsOf(clerk, 't'))
    await expect(clerk.answer(questions[0]?.id ?? '', approve())).resolves.toBeUndefined()
  })

  test('of a child must be enough for its next call', async () => {
    const child = agent({ name: 'child', model: scriptedModel('Done.'), limits: { tokens: 3 } })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'x' } }] }, 'Done.']), tools: [child] })
    const { questions } = await boss.run('go', { thread: 't' })
    const [question] = questions
    expect(question).toMatchObject({ kind: 'limit', show: { left: 3 } })
    const { needed = 0 } = (question?.show ?? {}) as { needed?: number }
    await expect(boss.answer(question?.id ?? '', approve({ limits: { tokens: needed - 1 } }))).rejects.toThrow(
      `A limit of ${needed - 1} tokens is too low to go on: 0 tokens used, and the next call of the model may take ${needed} tokens.`,
    )
    await boss.answer(question?.id ?? '', approve())
    expect(await boss.resume('t').result()).toMatchObject({ status: 'done' })
  })

  test.each([
    ['tokens', { tokens: 12 }],
    ['cost', { cost: 12 }],
  ] as const)('of a child that was given nothing of %s must be enough for its next call too', async (limit, limits) => {
    const child = agent({ name: 'child', model: scriptedModel('Done.') })
    const model = scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'x' } }], usage: { input: 10, output: 5 } }, 'Done.'])
    const price = ({ input, output }: { input: number; output: number }) => input + output
    const boss = agent({ model, tools: [child], limits, ports: { price: (_, usage) => price(usage) } })
    const { questions } = await boss.run('go', { thread: 't' })
    const [question] = questions
    expect(question).toMatchObject({ kind: 'limit', prompt: expect.stringMatching(/^The limit of 0 .* is reached/), show: { left: 0 } })
    const { needed = 0 } = (question?.show ?? {}) as { needed?: number }
    expect(needed).toBeGreaterThan(16)
    await expect(boss.answer(question?.id ?? '', approve({ limits: { [limit]: needed - 1 } }))).rejects.toThrow('the next call of the model may take')
    await boss.answer(question?.id ?? '', approve({ limits: { [limit]: needed } }))
    await boss.resume('t').result()
    expect(await factsOf(boss, 't', 'child.finished')).toHaveLength(1)
  })

  test('that names no amount gives a child that was given nothing a first amount', async () => {
    const child = agent({ name: 'child', model: scriptedModel('Done.'), limits: { tokens: 0 } })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'x' } }] }, 'Done.']), tools: [child] })
    const { questions } = await boss.run('go', { thread: 't' })
    expect(questions).toMatchObject([{ prompt: expect.stringContaining('Approve to add 10000 tokens') }])
    await boss.answer(questions[0]?.id ?? '', approve())
    expect(await boss.resume('t').result()).toMatchObject({ status: 'done' })
  })
})

/** Runs to a rest and says how often the resolver was asked. */
async function askedBy(make: (onQuestion: () => ReturnType<typeof approve>) => Agent, answer = approve()) {
  let asked = 0
  const result = await make(() => {
    asked += 1
    return answer
  }).run('go', { thread: 't' })
  return { asked, result }
}

describe('a resolver with one answer for all questions leaves the run waiting with an error', () => {
  test('where its limit is reached again (found: asked for ever)', async () => {
    const always = (onQuestion: () => ReturnType<typeof approve>): Agent => spender({ tokens: 12 }, onQuestion)
    const { asked, result } = await askedBy(always, approve({ limits: { tokens: 14 } }))
    expect(asked).toBe(1)
    expect(result).toMatchObject({ status: 'waiting', error: { code: 'LOOM_ANSWER_INVALID' }, questions: [{ kind: 'limit' }] })
  })

  test('where a hook suspends whatever the answer is', async () => {
    const hook = { name: 'strict', beforeModelCall: () => suspend('Ready?') }
    const { asked, result } = await askedBy((onQuestion) => agent({ model: scriptedModel('Done.'), hooks: [hook], onQuestion }))
    expect(asked).toBe(2)
    expect(result).toMatchObject({ status: 'waiting', error: { code: 'LOOM_ANSWER_INVALID' }, questions: [{ prompt: 'Ready?' }] })
  })

  test('where the tool of a call is gone and is looked for again', async () => {
    const journal = memoryJournal()
    const asks = tool({ name: 'asks', durable: true, run: async (_, ctx) => (await ctx.ask('Next?')).kind })
    const before = agent({ name: 'x', model: scriptedModel([{ calls: [{ tool: 'asks' }] }]), tools: [asks], journal })
    const { questions } = await before.run('go', { thread: 't' })
    await answer(journal, questions[0]?.id ?? '', approve())
    let asked = 0
    const onQuestion = () => {
      asked += 1
      return approve()
    }
    const after = agent({ name: 'x', model: scriptedModel('Done.'), tools: [look], journal, onQuestion })
    const result = await after.resume('t').result()
    expect(result).toMatchObject({ status: 'waiting', error: { code: 'LOOM_ANSWER_INVALID' }, questions: [{ kind: 'incompatible' }] })
    expect(asked).toBe(2)
  })

  test('and answers the same question again once the run has got further', async () => {
    const calls = { calls: [{ tool: 'look' }], usage: { input: 10, output: 5 } }
    const clerk = (onQuestion: () => ReturnType<typeof approve>): Agent =>
      agent({ model: scriptedModel([calls, calls, calls, 'Done.']), tools: [look], limits: { tokens: 12 }, onQuestion })
    expect(await askedBy(clerk)).toMatchObject({ result: { status: 'done' } })
  })
})
