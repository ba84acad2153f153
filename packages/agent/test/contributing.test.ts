import {
  type Agent,
  agent,
  answer,
  approve,
  edit,
  memoryJournal,
  pause,
  questions,
  reject,
  respond,
  steer,
  stop,
  threads,
  tool,
} from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { slowTool } from '../../../test/support/slow-tool.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const ran: unknown[] = []
const pay = tool({
  name: 'pay',
  input: z.object({ amount: z.number().refine((amount) => amount < 100, 'too dear') }),
  permission: 'ask',
  run: ({ amount }) => ran.push(amount) && `paid ${amount}`,
})
const pays = { calls: [{ tool: 'pay', input: { amount: 5 } }] }
const ask = (name: string) => ({ calls: [{ tool: name, input: { prompt: 'go' } }] })

/** The number of model calls of an agent whose thread `t` waits for an approval. */
async function waiting(options: object = {}): Promise<{ clerk: Agent; calls(): number; id: string }> {
  const model = scriptedModel([pays, 'Paid.'])
  const clerk = agent({ name: 'clerk', model, tools: [pay], ...options })
  const { questions: open } = await clerk.run('go', { thread: 't' })
  return { clerk, calls: () => model.requests.length, id: open[0]?.id ?? '' }
}

/** An agent that works on the thread `t` until it is let go. */
async function working(): Promise<{ clerk: Agent; go(): void; result(): Promise<unknown>; prompts(): string }> {
  const { slow, started, go } = slowTool()
  const model = scriptedModel([{ calls: [{ tool: 'slow' }] }, 'ok'])
  const clerk = agent({ name: 'clerk', model, tools: [slow] })
  const run = clerk.start('go', { thread: 't' })
  await started
  return { clerk, go, result: () => run.result(), prompts: () => JSON.stringify(model.requests.at(-1)?.prompt) }
}

describe('an answer with the journal alone', () => {
  test('only appends: nothing is driven until a process that has the agent takes note', async () => {
    const { clerk, calls, id } = await waiting()
    const before = await eventsOf(clerk, 't')
    await answer(clerk.journal, id, approve({ by: 'ann' }))
    const after = await eventsOf(clerk, 't')
    expect(after.slice(before.length)).toMatchObject([{ type: 'question.answered', data: { answer: { kind: 'approve' }, by: 'ann' } }])
    expect(calls()).toBe(1)
    expect((await clerk.journal.head('t'))?.summary.status).toBe('running')
    expect(await clerk.recover()).toEqual([{ thread: 't', status: 'done' }])
    expect(calls()).toBe(2)
  })

  test('said again is ignored, a different one is refused', async () => {
    const { clerk, id } = await waiting()
    await answer(clerk.journal, id, approve())
    await answer(clerk.journal, id, approve())
    expect(await factsOf(clerk, 't', 'question.answered')).toHaveLength(1)
    await expect(answer(clerk.journal, id, reject('no'))).rejects.toMatchObject({ code: 'LOOM_QUESTION_SETTLED' })
  })

  test('to a question that has expired is refused, also when no driver has recorded that yet', async () => {
    // A clock of 1970: for the free function, which has that of the platform, the question expired long ago.
    const clock = manualClock()
    const { clerk, id } = await waiting({
      ports: { clock },
      permissions: { rules: [{ tool: 'pay', verdict: 'ask', expires: 120_000 }], default: 'allow' },
    })
    const before = await typesOf(clerk, 't')
    await expect(answer(clerk.journal, id, approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_SETTLED', context: { thread: 't' } })
    await clock.advance(120_000)
    await expect(clerk.answer(id, approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_SETTLED' })
    expect((await typesOf(clerk, 't')).slice(0, before.length)).toEqual(before)
    expect(await factsOf(clerk, 't', 'question.answered')).toEqual([])
  })

  test('must fit the kind of the question, its approvers and its JSON Schema', async () => {
    const rules = [{ tool: 'pay', verdict: 'ask', approvers: 2 }]
    const { clerk, id } = await waiting({ permissions: { rules, default: 'allow' } })
    await expect(answer(clerk.journal, id, approve())).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await expect(answer(clerk.journal, id, { answer: { kind: 'maybe' } } as never)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await answer(clerk.journal, id, approve({ by: 'ann' }))
    await answer(clerk.journal, id, approve({ by: 'ann' }))
    expect(await questions(clerk.journal)).toMatchObject([{ id, approvers: 2, approvals: 1 }])
    await answer(clerk.journal, id, approve({ by: 'bob' }))
    expect(await questions(clerk.journal)).toEqual([])
  })

  test('whose edited arguments do not fit the tool is refused by the driver, and the tool is not run', async () => {
    ran.length = 0
    const { clerk, id } = await waiting()
    await answer(clerk.journal, id, edit({ amount: 500 }))
    await clerk.resume('t').result()
    expect(ran).toEqual([])
    expect(await factsOf(clerk, 't', 'tool.finished')).toMatchObject([{ data: { status: 'error' } }])
  })

  test('to a durable tool is checked by the JSON Schema at once, and by the refinements of the schema in the body', async () => {
    const even = z.number().refine((value) => value % 2 === 0, 'must be even')
    const choose = tool({
      name: 'choose',
      durable: true,
      run: async (_, ctx) => {
        try {
          const given = await ctx.ask('Which?', { name: 'first', schema: even })
          return given.kind === 'respond' ? given.value : 'none'
        } catch (error) {
          return `refused: ${(error as { code: string }).code}`
        }
      },
    })
    const clerk = agent({ model: scriptedModel([{ calls: [{ tool: 'choose' }] }, 'ok']), tools: [choose] })
    const { questions: open } = await clerk.run('go', { thread: 't' })
    const id = open[0]?.id ?? ''
    await expect(answer(clerk.journal, id, respond('three'))).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await answer(clerk.journal, id, respond(3))
    await clerk.resume('t').result()
    expect(JSON.stringify(await factsOf(clerk, 't', 'tool.finished'))).toContain('refused: LOOM_ANSWER_INVALID')
  })

  test('reaches no other thread, and no other incarnation of the thread', async () => {
    const { clerk, id } = await waiting()
    await expect(answer(clerk.journal, 'nonsense', approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    await expect(answer(clerk.journal, 'nobody#1.0#1', approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    await clerk.journal.remove('t')
    const again = agent({ name: 'clerk', model: scriptedModel([pays]), tools: [pay], journal: clerk.journal })
    await again.run('go', { thread: 't' })
    await expect(answer(clerk.journal, id, approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
  })
})

describe('steer, pause and stop with the journal alone', () => {
  test('a message reaches the run that another process drives', async () => {
    const { clerk, go, result, prompts } = await working()
    await steer(clerk.journal, 't', 'Answer in French.', { priority: 2, by: 'ann' })
    go()
    expect(await result()).toMatchObject({ status: 'done' })
    expect(prompts()).toContain('Answer in French.')
  })

  test('a message to a thread at rest drives nothing, and its next run reads it', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    const clerk = agent({ model })
    await clerk.run('first', { thread: 't' })
    await steer(clerk.journal, 't', 'Be brief.')
    expect(model.requests).toHaveLength(1)
    await clerk.run('second', { thread: 't' })
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('Be brief.')
  })

  test('a pause reaches the driver, once', async () => {
    const { clerk, go, result } = await working()
    await pause(clerk.journal, 't', { by: 'ann' })
    await pause(clerk.journal, 't')
    go()
    expect(await result()).toMatchObject({ status: 'waiting', reason: 'paused' })
    expect(await factsOf(clerk, 't', 'run.pause-requested')).toMatchObject([{ data: { by: 'ann' } }])
  })

  test('a stop reaches the driver, once', async () => {
    const { clerk, result } = await working()
    await stop(clerk.journal, 't', 'Enough.', { by: 'ann' })
    await stop(clerk.journal, 't', 'Enough again.')
    expect(await result()).toMatchObject({ status: 'stopped', reason: 'Enough.' })
    expect(await factsOf(clerk, 't', 'run.stop-requested')).toMatchObject([{ data: { reason: 'Enough.', by: 'ann' } }])
  })

  test('a stop of a run that waits without a driver is carried out by recovery, and asks no model', async () => {
    const { clerk, calls } = await waiting()
    await stop(clerk.journal, 't')
    expect(await clerk.recover()).toEqual([{ thread: 't', status: 'stopped' }])
    expect(calls()).toBe(1)
  })

  test('nothing is appended when no run is under way; a thread that is not there is an error', async () => {
    const clerk = agent({ model: scriptedModel('One.') })
    await clerk.run('go', { thread: 't' })
    const before = await eventsOf(clerk, 't')
    await pause(clerk.journal, 't')
    await stop(clerk.journal, 't')
    expect(await eventsOf(clerk, 't')).toEqual(before)
    for (const request of [pause(clerk.journal, 'nobody'), stop(clerk.journal, 'nobody'), steer(clerk.journal, 'nobody', 'x')])
      await expect(request).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(pause({} as never, 't')).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(steer(clerk.journal, 't', 'x', { urgent: true } as never)).rejects.toMatchObject({ code: 'LOOM_OPTION_UNKNOWN' })
  })
})

describe('the open questions of a journal', () => {
  const inbox = async (): Promise<Journal> => {
    const journal = memoryJournal()
    const clerk = agent({ name: 'clerk', model: scriptedModel([pays, pays]), tools: [pay], journal })
    await clerk.run('go', { thread: 'a' })
    await clerk.run('go', { thread: 'b' })
    const child = agent({ name: 'child', model: scriptedModel([pays]), tools: [pay] })
    await agent({ name: 'boss', model: scriptedModel([ask('child')]), tools: [child], journal }).run('go', { thread: 'c' })
    await agent({ name: 'clerk', model: scriptedModel('ok'), journal }).run('go', { thread: 'd' })
    return journal
  }

  test('are those of all threads, of an agent, or of a thread, with those of children', async () => {
    const journal = await inbox()
    const all = await questions(journal)
    expect(all.map(({ kind, call }) => `${kind} ${call?.tool}`)).toEqual(Array(3).fill('approval pay'))
    expect((await questions(journal, { agent: 'clerk' })).map(({ thread }) => thread)).toEqual(['a', 'b'])
    const [nested] = await questions(journal, { agent: 'boss' })
    expect(nested?.thread).toMatch(/^child-/)
    expect(await questions(journal, { thread: 'c' })).toEqual([nested])
    expect(await questions(journal, { thread: 'c', agent: 'clerk' })).toEqual([])
    expect(await questions(journal, { thread: 'd' })).toEqual([])
    await expect(questions(journal, { thread: 'nobody' })).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  })

  test('of children are answered like any other', async () => {
    const journal = await inbox()
    const [nested] = await questions(journal, { thread: 'c' })
    await answer(journal, nested?.id ?? '', approve())
    expect(await questions(journal, { thread: 'c' })).toEqual([])
    expect((await journal.head(nested?.thread ?? ''))?.summary.status).toBe('running')
  })

  test('are each listed once, whatever becomes of their threads meanwhile', async () => {
    for (const change of ['a call ends', 'an answer comes'] as const) {
      const stored = memoryJournal()
      const gate = Promise.withResolvers<string>()
      const slow = tool({ name: 'slow', permission: 'ask', schedule: { parallel: true }, run: () => gate.promise })
      const clerk = agent({
        model: scriptedModel([{ calls: [...pays.calls, { tool: 'slow' }] }]),
        tools: [pay, slow],
        journal: stored,
      })
      const { questions: asked } = await clerk.run('go', { thread: 't' })
      const statusIs = async (status: string): Promise<boolean> => (await stored.head('t'))?.summary.status === status
      const begin = async (): Promise<void> => {
        await clerk.answer(asked.find(({ call }) => call?.tool === 'slow')?.id ?? '', approve())
        await until(() => statusIs('running'))
      }
      if (change === 'a call ends') await begin()
      let pages = 0
      const journal: Journal = {
        ...stored,
        async threads(query) {
          pages += 1
          if (pages === 2 && change === 'an answer comes') await begin()
          if (pages === 2 && change === 'a call ends') {
            gate.resolve('x')
            await until(() => statusIs('waiting'))
          }
          return stored.threads(query)
        },
      }
      const found = await questions(journal)
      expect(pages).toBeGreaterThan(1)
      expect(found.filter(({ call }) => call?.tool === 'pay')).toHaveLength(1)
      gate.resolve('x')
    }
  })

  test('are found while the run goes on with other calls', async () => {
    const started = Promise.withResolvers<void>()
    const slow = tool({
      name: 'slow',
      effect: 'read',
      run: (_, { signal }) => {
        started.resolve()
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')))
      },
    })
    const clerk = agent({ model: scriptedModel([{ calls: [...pays.calls, { tool: 'slow' }] }]), tools: [pay, slow] })
    const run = clerk.start('go', { thread: 't' })
    await started.promise
    for await (const event of clerk.watch('t')) if (event.type === 'question.asked') break
    expect(await questions(clerk.journal)).toHaveLength(1)
    await run.stop()
    await run.result()
  })
})

describe('the threads of a journal', () => {
  test('come page by page, in the order of the query, as many as wanted', async () => {
    const journal = memoryJournal()
    const clerk = agent({ name: 'clerk', model: scriptedModel([() => 'ok']), journal })
    const ids = Array.from({ length: 230 }, (_, index) => `t${String(index).padStart(3, '0')}`)
    for (const thread of ids) await clerk.run('go', { thread })
    const found = async (query?: Parameters<typeof threads>[1]) => (await Array.fromAsync(threads(journal, query))).map(({ thread }) => thread)
    expect(await found()).toEqual(ids)
    expect(await found({ agent: 'clerk', limit: 150 })).toEqual(ids.slice(0, 150))
    expect(await found({ status: 'waiting' })).toEqual([])
    expect((await found({ sort: 'latest' })).toSorted()).toEqual(ids)
  })
})
