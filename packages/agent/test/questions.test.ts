import { agent, approve, edit, memoryJournal, reject, respond, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf, typesOf } from './journals.ts'

/** A tool that needs approval and remembers what it did. */
function pay() {
  const paid: number[] = []
  const tool_ = tool({
    name: 'pay',
    input: z.object({ amount: z.number() }),
    permission: 'ask',
    run: ({ amount }) => {
      paid.push(amount)
      return `paid ${amount}`
    },
  })
  return { paid, tool: tool_ }
}

const payments = (...amounts: readonly number[]) => ({ calls: amounts.map((amount) => ({ tool: 'pay', input: { amount } })) })

test('an answer that cannot be given names the thread, the id as a caller knows it, and the questions that are open', async () => {
  const { tool: pays } = pay()
  const clerk = agent({ model: scriptedModel([payments(5, 6), 'Paid.']), tools: [pays] })
  const run = clerk.start('pay', { thread: 't' })
  const [first = '', second = ''] = (await run.result()).questions.map(({ id }) => id)
  const unknown = { code: 'LOOM_QUESTION_NOT_FOUND', context: { id: 't#9.9#9', thread: 't', open: [first, second] } }
  await expect(clerk.answer('t#9.9#9', approve())).rejects.toMatchObject(unknown)
  await expect(run.answer('t#9.9#9', approve())).rejects.toThrow(`The thread t has no open question t#9.9#9. Open are: ${first}, ${second}.`)
  await expect(run.answer(first, edit('x'))).resolves.toBeUndefined()
  await expect(run.answer(first, approve())).rejects.toMatchObject({
    code: 'LOOM_QUESTION_SETTLED',
    message: `The question ${first} of the thread t was answered already (edit). The first answer holds.`,
    context: { id: first, thread: 't', given: 'edit' },
  })
  await run.answer(second, approve())
  await run.result()
  await expect(clerk.answer('t#9.9#9', approve())).rejects.toThrow('has no open question t#9.9#9. It has none open')
})

test('an answer that does not fit names the question by the id that its caller knows', async () => {
  const asks = tool({ name: 'asks', durable: true, run: async (_, ctx) => (await ctx.ask('Which?', { schema: z.string() })).kind })
  const run = agent({ model: scriptedModel([{ calls: [{ tool: 'asks' }] }, 'ok']), tools: [asks] }).start('go', { thread: 't' })
  const { id = '' } = (await run.result()).questions[0] ?? {}
  await expect(run.answer(id, respond(7))).rejects.toMatchObject({
    message: `This answer does not fit the question ${id} (choice). The value does not fit: Instance type "number" is invalid. Expected "string".`,
    context: { id, thread: 't', kind: 'choice' },
  })
})

describe('an approval', () => {
  test('stops the run with the name and the arguments, and runs the call once it is given', async () => {
    const { paid, tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(5), 'Paid.']), tools: [pays] })
    const run = clerk.start('pay 5', { thread: 't' })
    const waiting = await run.result()
    expect(waiting).toMatchObject({
      status: 'waiting',
      text: '',
      questions: [{ kind: 'approval', call: { tool: 'pay', input: { amount: 5 } } }],
    })
    expect(paid).toEqual([])
    await run.answer(waiting.questions[0]?.id ?? '', approve({ by: 'ann' }))
    expect(await run.result()).toMatchObject({ status: 'done', text: 'Paid.', questions: [] })
    expect(paid).toEqual([5])
    expect((await factsOf(clerk, 't', 'question.answered'))[0]?.data).toMatchObject({ by: 'ann', answer: { kind: 'approve' } })
  })

  test('can be given by another agent object that has only the journal', async () => {
    const { paid, tool: pays } = pay()
    const first = agent({ model: scriptedModel([payments(5)]), tools: [pays] })
    const { questions } = await first.run('pay 5', { thread: 't' })
    const second = agent({ model: scriptedModel('Paid.'), tools: [pays], journal: first.journal })
    await second.answer(questions[0]?.id ?? '', approve())
    expect(await second.resume('t').result()).toMatchObject({ status: 'done', text: 'Paid.' })
    expect(paid).toEqual([5])
  })

  test('with edited arguments runs those', async () => {
    const { paid, tool: pays } = pay()
    const model = scriptedModel([payments(500), 'ok'])
    const clerk = agent({ model, tools: [pays] })
    const run = clerk.start('pay', { thread: 't' })
    const { questions } = await run.result()
    await run.answer(questions[0]?.id ?? '', edit({ amount: 7 }))
    await run.result()
    expect(paid).toEqual([7])
    expect((await factsOf(clerk, 't', 'tool.started'))[0]?.data.input).toEqual({ amount: 7 })
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('paid 7')
  })

  test('with edited arguments that do not fit shows the model an error', async () => {
    const { paid, tool: pays } = pay()
    const model = scriptedModel([payments(500), 'ok'])
    const run = agent({ model, tools: [pays] }).start('pay')
    await run.answer((await run.result()).questions[0]?.id ?? '', edit({ amount: 'much' }))
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([])
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('do not fit')
  })

  test('that is refused shows the model why, and the model may try again', async () => {
    const { paid, tool: pays } = pay()
    const model = scriptedModel([payments(500), payments(5), 'ok'])
    const run = agent({ model, tools: [pays] }).start('pay')
    await run.answer((await run.result()).questions[0]?.id ?? '', reject('too much'))
    const second = await run.result()
    expect(second.status).toBe('waiting')
    expect(model.requests[1]?.prompt.at(-1)).toMatchObject({
      content: [{ output: { type: 'execution-denied', reason: expect.stringContaining('too much') } }],
    })
    await run.answer(second.questions[0]?.id ?? '', approve())
    await run.result()
    expect(paid).toEqual([5])
  })

  test('can be replaced by a result, and then nothing runs', async () => {
    const { paid, tool: pays } = pay()
    const model = scriptedModel([payments(5), 'ok'])
    const run = agent({ model, tools: [pays] }).start('pay')
    await run.answer((await run.result()).questions[0]?.id ?? '', respond('I paid it by hand.'))
    await run.result()
    expect(paid).toEqual([])
    expect(model.requests[1]?.prompt.at(-1)).toMatchObject({ content: [{ output: { type: 'text', value: 'I paid it by hand.' } }] })
  })

  test('for the whole thread is remembered by the thread, and by no other', async () => {
    const { paid, tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(1), payments(2), 'ok', payments(3), 'ok', payments(4)]), tools: [pays] })
    const run = clerk.start('pay', { thread: 't' })
    await run.answer((await run.result()).questions[0]?.id ?? '', approve({ scope: 'thread' }))
    expect((await run.result()).status).toBe('done')
    expect((await clerk.run('again', { thread: 't' })).status).toBe('done')
    expect(paid).toEqual([1, 2, 3])
    expect((await clerk.run('elsewhere', { thread: 'u' })).status).toBe('waiting')
  })

  test('is asked for all calls of a turn at once, answered one by one in any order', async () => {
    const { paid, tool: pays } = pay()
    const model = scriptedModel([payments(1, 2, 3), 'ok'])
    const run = agent({ model, tools: [pays] }).start('pay')
    const { questions } = await run.result()
    expect(questions.map(({ call }) => call?.input)).toEqual([{ amount: 1 }, { amount: 2 }, { amount: 3 }])
    await run.answer(questions[2]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'waiting' })
    await run.answer(questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ id: questions[1]?.id }] })
    await run.answer(questions[1]?.id ?? '', reject('not this one'))
    expect((await run.result()).status).toBe('done')
    // Serial calls keep their order: the third waits for the second to be settled.
    expect(paid).toEqual([1, 3])
    const shown = model.requests[1]?.prompt.at(-1)
    expect(shown?.role === 'tool' && shown.content.map((part) => part.type === 'tool-result' && part.output.type)).toEqual([
      'text',
      'execution-denied',
      'text',
    ])
  })

  test('needs as many approvers as the rule says, each counted once, and one refusal settles it', async () => {
    const { paid, tool: pays } = pay()
    const permissions = { rules: [{ tool: 'pay', verdict: 'ask', approvers: 2 }], default: 'deny' } as const
    const clerk = agent({ model: scriptedModel([payments(1), payments(2), 'ok']), tools: [pays], permissions })
    const run = clerk.start('pay')
    const first = await run.result()
    expect(first.questions[0]).toMatchObject({ approvers: 2, approvals: 0 })
    await run.answer(first.questions[0]?.id ?? '', approve({ by: 'ann' }))
    await run.answer(first.questions[0]?.id ?? '', approve({ by: 'ann' }))
    const still = await run.result()
    expect(still.questions[0]).toMatchObject({ approvals: 1 })
    await run.answer(first.questions[0]?.id ?? '', approve({ by: 'bob' }))
    const second = await run.result()
    expect(paid).toEqual([1])
    await run.answer(second.questions[0]?.id ?? '', approve({ by: 'ann' }))
    await run.answer(second.questions[0]?.id ?? '', reject('no', { by: 'bob' }))
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([1])
  })

  test('that is not given in time counts as refused', async () => {
    const clock = manualClock()
    const { paid, tool: pays } = pay()
    const permissions = { rules: [{ tool: 'pay', verdict: 'ask', expires: 30_000 }] } as const
    const clerk = agent({ model: scriptedModel([payments(1), 'ok']), tools: [pays], permissions, ports: { clock } })
    expect((await clerk.run('pay', { thread: 't' })).status).toBe('waiting')
    await clock.advance(29_000)
    expect((await clerk.resume('t').result()).status).toBe('waiting')
    expect(await typesOf(clerk, 't')).not.toContain('question.expired')
    await clock.advance(2_000)
    expect((await clerk.resume('t').result()).status).toBe('done')
    expect(paid).toEqual([])
    expect(await typesOf(clerk, 't')).toContain('question.expired')
  })

  test('bound to changed arguments or rules is asked again and shows the old answer', async () => {
    const { paid, tool: pays } = pay()
    const first = agent({ model: scriptedModel([payments(1)]), tools: [pays] })
    const { questions } = await first.run('pay', { thread: 't' })
    const permissions = { rules: [{ tool: 'pay', verdict: 'ask', reason: 'new rule' }] } as const
    const second = agent({ model: scriptedModel('ok'), tools: [pays], permissions, journal: first.journal })
    await second.answer(questions[0]?.id ?? '', approve())
    const again = await second.resume('t').result()
    expect(again).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval', show: { former: { kind: 'approve' } } }] })
    expect(paid).toEqual([])
    const run = second.resume('t')
    await run.answer(again.questions[0]?.id ?? '', approve())
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([1])
  })
})

describe('answers', () => {
  test('given twice alike count once; a different late one is refused', async () => {
    const { paid, tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(1), 'ok']), tools: [pays] })
    const run = clerk.start('pay', { thread: 't' })
    const id = (await run.result()).questions[0]?.id ?? ''
    await run.answer(id, approve())
    await run.result()
    await run.answer(id, approve())
    await expect(run.answer(id, reject('late'))).rejects.toMatchObject({ code: 'LOOM_QUESTION_SETTLED' })
    expect(paid).toEqual([1])
    expect(await factsOf(clerk, 't', 'question.answered')).toHaveLength(1)
  })

  test('to a question that does not exist, or in a form it does not take, are refused', async () => {
    const { tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(1), 'ok']), tools: [pays], limits: { tokens: 15 } })
    const run = clerk.start('pay', { thread: 't' })
    const id = (await run.result()).questions[0]?.id ?? ''
    await expect(run.answer('t#9.9#4', approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    await expect(run.answer('nonsense', approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    await run.answer(id, approve())
    const limited = await run.result()
    expect(limited).toMatchObject({ status: 'waiting', questions: [{ kind: 'limit' }] })
    await expect(run.answer(limited.questions[0]?.id ?? '', edit({}))).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await expect(run.answer(limited.questions[0]?.id ?? '', respond(1))).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
  })

  test('racing each other: exactly one takes effect', async () => {
    const { paid, tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(1), 'ok']), tools: [pays] })
    const { questions } = await clerk.run('pay', { thread: 't' })
    const racers = Array.from({ length: 20 }, () => agent({ model: scriptedModel('ok'), tools: [pays], journal: clerk.journal }))
    const answers = await Promise.allSettled(racers.map((racer, n) => racer.answer(questions[0]?.id ?? '', n % 2 ? approve() : reject('no'))))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    expect(await factsOf(clerk, 't', 'question.answered')).toHaveLength(1)
    await clerk.resume('t').result()
    expect(paid.length).toBeLessThanOrEqual(1)
  })
})

describe('a process without the dependencies of a run', () => {
  const waiting = async () => {
    const { paid, tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(1, 2), 'Paid.']), tools: [pays] })
    const { questions } = await clerk.run('pay', { thread: 't', deps: { db: 1 } })
    const without = agent({ model: scriptedModel('Never sent.'), tools: [pays], journal: clerk.journal })
    const withDeps = agent({ model: scriptedModel('Paid.'), tools: [pays], journal: clerk.journal, deps: () => ({ db: 1 }) })
    return { paid, without, withDeps, ids: questions.map(({ id }) => id) }
  }

  test('stores an answer and leaves the driving to one that has them', async () => {
    const { paid, without, withDeps, ids } = await waiting()
    for (const id of ids) await without.answer(id, approve())
    expect((await typesOf(without, 't')).slice(-2)).toEqual(['question.answered', 'question.answered'])
    expect(await withDeps.recover()).toEqual([{ thread: 't', status: 'done' }])
    expect(paid).toEqual([1, 2])
    expect(await typesOf(without, 't')).not.toContain('run.failed')
  })

  test('does not fail the run that it would have to go on with before its own', async () => {
    const { without, withDeps, ids } = await waiting()
    for (const id of ids) await without.answer(id, approve())
    await expect(without.run('more', { thread: 't' })).rejects.toMatchObject({ code: 'LOOM_DEPS_MISSING' })
    expect(await typesOf(without, 't')).not.toContain('run.failed')
    expect((await withDeps.resume('t').result()).status).toBe('done')
  })
})

describe('a resolver in the process', () => {
  test('is asked and its answer, sync or async, is used', async () => {
    for (const answer of [() => approve(), async () => approve()]) {
      const { paid, tool: pays } = pay()
      const result = await agent({ model: scriptedModel([payments(1), 'ok']), tools: [pays], onQuestion: answer }).run('pay')
      expect(result.status).toBe('done')
      expect(paid).toEqual([1])
    }
  })

  test('that refuses asynchronously refuses (defect 7: an async callback approved everything)', async () => {
    const { paid, tool: pays } = pay()
    const result = await agent({ model: scriptedModel([payments(1), 'ok']), tools: [pays] }).run('pay', {
      onQuestion: async () => reject('no'),
    })
    expect(result.status).toBe('done')
    expect(paid).toEqual([])
  })

  test('that leaves a question open leaves the run waiting', async () => {
    const { tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(1, 2), 'ok']), tools: [pays] })
    const result = await clerk.run('pay', { onQuestion: ({ call }) => (call?.id === '1.0' ? approve() : undefined) })
    expect(result).toMatchObject({ status: 'waiting', questions: [{ call: { id: '1.1' } }] })
  })

  test('that throws leaves the question open, and the result says why', async () => {
    const { paid, tool: pays } = pay()
    const clerk = agent({ model: scriptedModel([payments(1), 'ok']), tools: [pays] })
    const boom = clerk.run('pay', {
      thread: 't',
      onQuestion: () => {
        throw new Error('boom')
      },
    })
    const waiting = await boom
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval' }], error: { code: 'LOOM_HOOK_FAILED' } })
    expect(waiting.status === 'waiting' && waiting.error?.message).toContain('onQuestion threw for t#1.0')
    const run = clerk.resume('t')
    await run.answer((await run.result()).questions[0]?.id ?? '', approve())
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([1])
  })
})

test('where questions are denied, asking means no', async () => {
  const { paid, tool: pays } = pay()
  const model = scriptedModel([payments(1), 'ok'])
  const result = await agent({ model, tools: [pays], behaviour: { unattended: 'deny' } }).run('pay')
  expect(result).toMatchObject({ status: 'done', questions: [] })
  expect(paid).toEqual([])
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain('nobody is there')
})

test.each([
  ['Too dear', 'Too dear. Try'],
  ['Too dear.', 'Too dear. Try'],
  ['太贵了。', '太贵了。 Try'],
])('a rejection because of %j is one sentence for the model', async (reason, sentence) => {
  const model = scriptedModel([{ calls: [{ tool: 'pay' }] }, 'All right.'])
  const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
  await agent({ model, tools: [pay], onQuestion: () => reject(reason) }).run('Go.')
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain(`A human rejected this call: ${sentence}`)
})

test('questions that are open when a run fails can be answered after it was resumed', async () => {
  let isDown = false
  const instructions = async (): Promise<string> => {
    if (isDown) throw new Error('the configuration cannot be read')
    return 'Pay.'
  }
  const paid: unknown[] = []
  const pay = tool({ name: 'pay', permission: 'ask', effect: 'idempotent', run: (input) => paid.push(input) && 'paid' })
  const model = scriptedModel([
    {
      calls: [
        { tool: 'pay', input: { n: 1 } },
        { tool: 'pay', input: { n: 2 } },
      ],
    },
    'Both are paid.',
  ])
  const journal = memoryJournal()
  const teller = (): ReturnType<typeof agent> => agent({ name: 'teller', model, instructions, tools: [pay], journal })
  const { questions } = await teller().run('go', { thread: 't' })
  isDown = true
  await teller().answer(questions[0]?.id ?? '', approve())
  expect(await teller().resume('t').result()).toMatchObject({ status: 'failed' })
  isDown = false
  expect(await teller().resume('t').result()).toMatchObject({ status: 'waiting', questions: [{ id: questions[1]?.id }] })
  await teller().answer(questions[1]?.id ?? '', approve())
  expect(await teller().resume('t').result()).toMatchObject({ status: 'done', text: 'Both are paid.' })
  expect(paid).toEqual([{ n: 1 }, { n: 2 }])
})
