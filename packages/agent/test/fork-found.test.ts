/** What was found wrong with forks from outside: each finding is a test. */
import {
  type AgentOptions,
  agent,
  approve,
  createAgentFactory,
  type ForkOptions,
  memoryJournal,
  type Question,
  type Result,
  reject,
  respond,
  steer,
  suspend,
  tool,
} from '@loom-agent/agent'
import type { ForkEffects, Journal } from '@loom-agent/kernel'
import { assertHistory, mortalJournal, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { abandoned, eventsOf, factsOf } from './journals.ts'

type Reply = string | { readonly calls: readonly { readonly tool: string; readonly input?: unknown }[] }
const calls = (...tools: readonly string[]): Reply => ({ calls: tools.map((name) => ({ tool: name, input: { prompt: 'Go.' } })) })

/** Says what its script has for the number of replies in the prompt: the same in any process and in any fork. */
const replying = (script: readonly Reply[], modelId = 'own'): ScriptedModel =>
  scriptedModel(({ prompt }) => script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Nothing more to say.', { modelId })

const limits = { tokens: 1_000_000 }
const seqOf = async (journal: Journal, type: string, which = 0): Promise<number> =>
  (await eventsOf({ journal }, 't')).filter((event) => event.type === type)[which]?.seq ?? 0
const promptsOf = ({ questions }: Result<unknown>): readonly string[] => questions.map(({ call, prompt }: Question) => call?.tool ?? prompt)

describe('the effects of a fork hold in its children: after one approval a mail went out unasked', () => {
  /** A chief whose courier sends mail, directly or through a courier of its own; and the mails that went out. */
  function setUp(journal = memoryJournal(), sent: string[] = []) {
    const mail = tool({ name: 'mail', run: (_, { thread }) => void sent.push(thread) })
    const courier = agent({ name: 'courier', model: replying([calls('mail'), 'Sent.']), tools: [mail] })
    const office = agent({ name: 'office', model: replying([calls('courier'), 'Passed on.']), tools: [courier] })
    const relay = tool({ name: 'relay', effect: 'read', durable: true, run: async (_, ctx) => (await ctx.run(courier, 'Send it.')).text })
    const chief = (called: string, on: Journal = journal) =>
      agent({ name: 'chief', journal: on, model: replying([calls(called), 'Done.']), tools: [courier, office, relay] })
    return { journal, sent, chief }
  }

  /** Forks before the call, and goes on with it. */
  async function forked(called: string, effects: ForkEffects) {
    const { journal, sent, chief } = setUp()
    await chief(called).run('go', { thread: 't' })
    expect(sent.length).toBe(1)
    const fork = await chief(called).fork(`t@${await seqOf(journal, 'run.started')}`, { thread: 'f', effects, limits })
    return { journal, sent, chief, run: fork.resume() }
  }

  test.each(['courier', 'office', 'relay'])('the mail of %s is asked about, also where its call was approved', async (called) => {
    const { sent, run, journal } = await forked(called, 'ask')
    const asked: string[] = []
    for (let result = await run.result(); result.status === 'waiting'; result = await run.result()) {
      expect(sent.length).toBe(1)
      asked.push(...promptsOf(result))
      for (const { id } of result.questions) await run.answer(id, approve())
    }
    expect(asked.at(-1)).toBe('mail')
    expect(sent.length).toBe(2)
    for (const { thread } of await journal.threads()) assertHistory(await eventsOf({ journal }, thread))
  })

  test.each(['courier', 'office', 'relay'])('no mail of %s goes out where effects are left out, and the run ends', async (called) => {
    const { sent, run } = await forked(called, 'stub')
    expect((await run.result()).status).toBe('done')
    expect(sent.length).toBe(1)
  })

  test.each(['courier', 'relay'])('the mail of %s goes out where effects are live', async (called) => {
    const { sent, run } = await forked(called, 'live')
    expect((await run.result()).status).toBe('done')
    expect(sent.length).toBe(2)
  })

  test('after a crash in the child, another process asks as well', async () => {
    const { journal, sent, chief } = setUp()
    await chief('relay').run('go', { thread: 't' })
    const mortal = mortalJournal(journal)
    const dying = chief('relay', {
      ...mortal.journal,
      async append(thread, batch) {
        if (batch.events.some(({ type }) => type === 'question.asked')) mortal.kill()
        return mortal.journal.append(thread, batch)
      },
    })
    const fork = await dying.fork(`t@${await seqOf(journal, 'run.started')}`, { thread: 'f', limits })
    void fork
      .resume()
      .result()
      .catch(() => {})
    await mortal.died
    const other = setUp(abandoned(journal), sent).chief('relay')
    const [recovered] = await other.recover()
    expect(recovered).toMatchObject({ thread: 'f', status: 'waiting' })
    expect(promptsOf(await other.resume('f').result())).toEqual(['mail'])
    expect(sent.length).toBe(1)
  })

  test('a step that changes the world in a tool that is declared to read is not run', async () => {
    const done: string[] = []
    const sly = tool({ name: 'sly', effect: 'read', durable: true, run: (_, ctx) => ctx.step('pay', () => done.push('paid'), { effect: 'unsafe' }) })
    const teller = agent({ name: 'teller', model: replying([calls('sly'), 'Done.']), tools: [sly], journal: memoryJournal() })
    await teller.run('go', { thread: 't' })
    const at = `t@${await seqOf(teller.journal, 'run.started')}`
    await (await teller.fork(at, { thread: 'f', limits })).resume().result()
    expect(done).toEqual(['paid'])
    const [refused] = await factsOf(teller, 'f', 'tool.finished')
    expect(refused?.data.output.value).toContain(
      'The step pay is unsafe, but its tool sly is declared read: a fork with the effects "ask" does not run it. Declare the tool unsafe.',
    )
    const live = await teller.fork(at, { effects: 'live', limits })
    expect(live.plan.unsafe.map(({ tool: name }) => name)).toEqual(['sly'])
    await live.resume().result()
    expect(done).toEqual(['paid', 'paid'])
  })
})

/** A teller who looks, and then pays; the calls of `pay`. */
function setUp(options: Partial<AgentOptions> = {}, script: readonly Reply[] = [calls('look'), calls('pay'), 'Paid.']) {
  const paid: string[] = []
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const pay = tool({ name: 'pay', run: (_, { thread }) => paid.push(thread) && 'paid' })
  const model = replying(script)
  const journal = memoryJournal()
  return {
    paid,
    model,
    journal,
    look,
    pay,
    teller: agent({ name: 'teller', instructions: 'Be kind.', model, tools: [look, pay], journal, ...options }),
  }
}

describe('recover leaves forks alone that nobody has resumed', () => {
  test.each<readonly [string, ForkOptions]>([
    ['without edits', { limits }],
    ['with another input', { limits, edit: { kind: 'input', input: 'Again.' } }],
    ['with another result', { limits, edit: { kind: 'result', call: '1.0', result: 'nothing' } }],
    ['without limits', {}],
  ])('%s', async (_, options) => {
    const { teller, model, journal } = setUp()
    await teller.run('go', { thread: 't' })
    await teller.fork(`t@${await seqOf(journal, 'turn.entered', 1)}`, { thread: 'f', ...options })
    const before = [await eventsOf(teller, 'f'), model.requests.length]
    expect(await teller.recover()).toEqual([])
    expect([await eventsOf(teller, 'f'), model.requests.length]).toEqual(before)
    expect((await journal.head('f'))?.epoch).toBe(0)
    expect((await teller.resume('f').result()).status).not.toBe('failed')
  })

  test('and drives one on that was resumed, and whose process died', async () => {
    const { teller, journal, model, look, pay } = setUp()
    await teller.run('go', { thread: 't' })
    // The first append makes the fork.
    const mortal = mortalJournal(journal, { append: 3, when: 'after' })
    const dying = agent({ name: 'teller', model, tools: [look, pay], journal: mortal.journal })
    const fork = await dying.fork(`t@${await seqOf(journal, 'run.started')}`, { thread: 'f', effects: 'live', limits })
    void fork.resume().result()
    await mortal.died
    const other = agent({ name: 'teller', model, tools: [look, pay], journal: abandoned(journal) })
    expect(await other.recover()).toMatchObject([{ thread: 'f', status: 'done' }])
  })

  test('and drives one on to which a caller has sent a message, an input or a budget', async () => {
    const { teller, journal } = setUp()
    await teller.run('go', { thread: 't' })
    const at = `t@${await seqOf(journal, 'run.started')}`
    const message = { role: 'user', parts: [{ type: 'text', text: 'Hurry.' }] } as const
    for (const [thread, event] of [
      ['steered', { type: 'message.steered', data: { message } }],
      ['raised', { type: 'limit.raised', data: { limits } }],
    ] as const) {
      await teller.fork(at, { thread, effects: 'live', limits })
      const head = await journal.head(thread)
      const batch = { id: thread, incarnation: head?.incarnation ?? '', expected: head?.seq ?? 0, time: 1, run: 'r1', events: [event] }
      await journal.append(thread, { ...batch, summary: { status: 'running', agent: 'teller' } })
      expect(await teller.recover()).toMatchObject([{ thread, status: 'done' }])
    }
  })
})

describe('the instructions of a fork always apply', () => {
  const rude = { kind: 'instructions', text: 'Be rude.' } as const
  const systems = ({ requests }: ScriptedModel, from: number): ReadonlySet<unknown> =>
    new Set(requests.slice(from).map(({ prompt }) => prompt[0]?.content))

  test('wherever the thread is cut: before the first assembly, between assembly and reply, at the end', async () => {
    const { teller, model, journal } = setUp()
    await teller.run('go', { thread: 't' })
    for (const { seq, type } of await eventsOf(teller, 't')) {
      const from = model.requests.length
      const fork = await teller.fork(`t@${seq}`, { edit: rude, effects: 'stub', limits })
      const again = seq === 1 || type === 'run.finished'
      await (again ? teller.run('again', { thread: fork.thread }) : fork.resume().result())
      expect([seq, type, [...systems(model, from)]]).toEqual([seq, type, model.requests.length > from ? ['Be rude.'] : []])
      assertHistory(await eventsOf(teller, fork.thread))
    }
    expect((await journal.threads()).length).toBeGreaterThan(20)
  })

  test('in later runs, in a fork of the fork, and in another process with other instructions', async () => {
    const { teller, model, journal, look, pay } = setUp()
    await teller.run('go', { thread: 't' })
    const from = model.requests.length
    const fork = await teller.fork(`t@${await seqOf(journal, 'turn.entered', 1)}`, { thread: 'f', edit: rude, effects: 'stub', limits })
    await fork.resume().result()
    await teller.run('again', { thread: 'f' })
    const other = agent({ name: 'teller', instructions: () => 'Be late.', model, tools: [look, pay], journal })
    await other.run('and again', { thread: 'f' })
    const end = (await eventsOf(teller, 'f')).length
    await (await other.fork(`f@${end}`, { thread: 'g', edit: { kind: 'input', input: 'more' }, limits })).resume().result()
    expect([...systems(model, from)]).toEqual(['Be rude.'])
    for (const thread of ['f', 'g']) assertHistory(await eventsOf(teller, thread))
  })

  test('last: over those that a hook gives, and beside another input', async () => {
    const { teller, model, journal } = setUp({ hooks: [{ name: 'polite', afterContextAssembly: () => ({ instructions: 'Be polite.' }) }] })
    await teller.run('go', { thread: 't' })
    const from = model.requests.length
    const at = `t@${await seqOf(journal, 'turn.entered', 1)}`
    await (await teller.fork(at, { edit: [rude, { kind: 'input', input: 'Other words.' }], effects: 'stub', limits })).resume().result()
    expect([...systems(model, from)]).toEqual(['Be rude.'])
  })
})

describe('the model of a fork is known to every process', () => {
  const forkWith = async () => {
    const made = setUp()
    await made.teller.run('go', { thread: 't' })
    const other = replying(['Another story.', 'Another story.'], 'other')
    const at = `t@${await seqOf(made.journal, 'turn.entered', 1)}`
    const fork = await made.teller.fork(at, { thread: 'f', edit: { kind: 'model', model: other }, effects: 'stub', limits })
    return { ...made, fork, other, tools: [made.look, made.pay] }
  }

  test('in the process that has made it, however the fork is gone on with, and in its later runs', async () => {
    const { teller, fork, other } = await forkWith()
    expect((await teller.resume('f').result()).text).toBe('Another story.')
    await teller.run('again', { thread: 'f' })
    expect(other.requests.length).toBe(2)
    expect((await factsOf(teller, 'f', 'run.started')).at(-1)?.data).toMatchObject({ request: { model: 'scripted/other' } })
    expect(fork.thread).toBe('f')
  })

  test('in a process that resolves its id', async () => {
    const { journal, tools, other, model } = await forkWith()
    const resolving = createAgentFactory({ resolveModel: (id) => (id === 'scripted/other' ? other : model) })
    const elsewhere = resolving({ name: 'teller', model: 'scripted/own', tools, journal })
    const before = model.requests.length
    expect((await elsewhere.resume('f').result()).text).toBe('Another story.')
    expect(model.requests.length).toBe(before)
  })

  test.each([
    ['without a resolver', agent, ''],
    [
      'whose resolver does not know it',
      createAgentFactory({
        resolveModel: (id) => {
          throw new Error(`There is no provider called "${id.split('/')[0]}"`)
        },
      }),
      'There is no provider called "scripted". ',
    ],
  ])('and a process %s says how to give it, and leaves the run as it is', async (_, make, why) => {
    const { journal, tools, model, other } = await forkWith()
    const elsewhere = make({ name: 'teller', model, tools, journal })
    await expect(elsewhere.resume('f').result()).rejects.toMatchObject({
      code: 'LOOM_MODEL_UNRESOLVED',
      message: `The fork f goes on with the model scripted/other, which this process does not have. ${why}Give it: resume('f', { model }).`,
    })
    await steer(journal, 'f', 'Hurry.')
    for (let looks = 0; looks < 9; looks += 1)
      expect(await elsewhere.recover()).toMatchObject([{ thread: 'f', status: 'refused', error: { code: 'LOOM_MODEL_UNRESOLVED' } }])
    expect(await journal.head('f')).toMatchObject({ epoch: 0 })
    expect((await elsewhere.resume('f', { model: other }).result()).status).toBe('done')
    expect(other.requests.length).toBeGreaterThan(0)
  })

  test('also where the attempt of the model before had failed', async () => {
    const failing = scriptedModel(() => {
      throw Object.assign(new Error('no'), { statusCode: 400, isRetryable: false })
    })
    const teller = agent({ name: 'teller', model: failing, journal: memoryJournal() })
    await teller.run('go', { thread: 't' })
    const other = replying(['Fine.'], 'other')
    for (const type of ['model.failed', 'run.failed']) {
      const fork = await teller.fork(`t@${await seqOf(teller.journal, type)}`, { edit: { kind: 'model', model: other }, limits })
      expect((await fork.resume().result()).text).toBe('Fine.')
      assertHistory(await eventsOf(teller, fork.thread))
    }
  })
})

describe('recorded effects reuse what people decided', () => {
  const ponder = tool({
    name: 'ponder',
    effect: 'read',
    durable: true,
    run: async (_, ctx) => `${(await ctx.ask('First?', { name: 'a' })).kind}, ${(await ctx.ask('Second?', { name: 'b' })).kind}`,
  })
  /** A thread that waits with its second question; the first was answered. */
  const waiting = async (options: Partial<AgentOptions> = {}) => {
    const made = setUp({ tools: [ponder], ...options }, [calls('ponder'), 'Done.'])
    const onQuestion = ({ prompt }: Question) => (prompt === 'Second?' ? undefined : respond('yes', { by: 'ann' }))
    const onApproval = ({ kind, prompt }: Question) => (kind === 'approval' ? approve({ by: 'ann' }) : onQuestion({ prompt } as Question))
    expect((await made.teller.run('go', { thread: 't', onQuestion: onApproval })).status).toBe('waiting')
    const fork = await made.teller.fork(`t@${await seqOf(made.journal, 'run.started')}`, { thread: 'f', effects: 'recorded', limits })
    return { ...made, fork }
  }

  test('an answer inside a durable body, and only the question that is open in the parent is asked', async () => {
    const { fork, teller } = await waiting()
    const result = await fork.resume().result()
    expect(promptsOf(result)).toEqual(['ponder'])
    expect(result.questions[0]?.prompt).toBe('Second?')
    const [reused] = await factsOf(teller, 'f', 'question.answered')
    expect(reused).toMatchObject({ v: 2, data: { answer: { kind: 'respond', value: 'yes' }, by: 'ann', recorded: expect.stringMatching(/^t@\d+$/) } })
    await teller.answer(result.questions[0]?.id ?? '', reject('no'))
    await teller.resume('f').result()
    expect((await factsOf(teller, 'f', 'tool.finished'))[0]?.data.output.value).toBe('respond, reject')
    assertHistory(await eventsOf(teller, 'f'))
  })

  test('an approval of a call that only reads and has no result yet', async () => {
    const { fork, teller } = await waiting({ permissions: { ponder: 'ask' } })
    expect(fork.plan.calls).toMatchObject([{ tool: 'ponder', fate: 'runs' }])
    expect((await fork.resume().result()).questions.map(({ prompt }) => prompt)).toEqual(['Second?'])
    expect((await factsOf(teller, 'f', 'question.answered')).every(({ data }) => data.recorded !== undefined)).toBe(true)
  })

  test('no approval of a call that changes the world: it was given for the parent', async () => {
    const trip = tool({ name: 'trip', durable: true, run: async (_, ctx) => (await ctx.ask('Second?')).kind })
    const made = setUp({ tools: [trip], permissions: { trip: 'ask' } }, [calls('trip'), 'Done.'])
    await made.teller.run('go', { thread: 't', onQuestion: ({ kind }) => (kind === 'approval' ? approve() : undefined) })
    const fork = await made.teller.fork(`t@${await seqOf(made.journal, 'run.started')}`, { thread: 'f', effects: 'recorded', limits })
    expect(fork.plan.calls).toMatchObject([{ tool: 'trip', fate: 'asked' }])
    expect(await fork.resume().result()).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval' }] })
  })

  test('what a hook was answered', async () => {
    const hook = { name: 'guard', beforeModelCall: ({ answer }: { answer?: unknown }) => (answer ? undefined : suspend('May it go on?')) }
    const { teller, journal } = setUp({ hooks: [hook as never] }, ['Done.'])
    await teller.run('go', { thread: 't', onQuestion: () => approve({ by: 'ann' }) })
    const at = `t@${await seqOf(journal, 'run.started')}`
    expect((await (await teller.fork(at, { effects: 'recorded', limits })).resume().result()).status).toBe('done')
    expect((await (await teller.fork(at, { effects: 'stub', limits })).resume().result()).status).toBe('waiting')
  })
})

describe('the plan', () => {
  const permissions = { pay: 'deny', look: 'ask' } as const

  test.each(['ask', 'recorded', 'stub', 'live'] as const)('knows the permissions of the agent (%s)', async (effects) => {
    const { teller, journal, model, look, pay } = setUp()
    await teller.run('go', { thread: 't' })
    const strict = agent({ name: 'teller', model, tools: [look, pay], journal, permissions })
    const plan = await strict.planFork(`t@${await seqOf(journal, 'run.started')}`, { effects })
    expect(plan.calls.map(({ tool: name, fate }) => [name, fate])).toEqual(
      effects === 'recorded'
        ? [
            ['look', 'recorded'],
            ['pay', 'recorded'],
          ]
        : [
            ['look', 'asked'],
            ['pay', 'denied'],
          ],
    )
    expect(plan.unsafe).toEqual([])
  })

  test('does not reopen calls that another input ends, and follows a run that had failed', async () => {
    const { teller, journal } = setUp()
    await teller.run('go', { thread: 't' })
    const at = `t@${await seqOf(journal, 'tool.started', 1)}`
    expect((await teller.planFork(at)).reopened).toEqual(['2.0'])
    expect(await teller.planFork(at, { edit: { kind: 'input', input: 'other' } })).toMatchObject({ reopened: [], calls: [] })
    let fails = true
    const model = scriptedModel(() => {
      if (!fails) return 'Fine.'
      fails = false
      throw Object.assign(new Error('no'), { statusCode: 400, isRetryable: false })
    })
    const failing = agent({ name: 'teller', model, journal: memoryJournal() })
    await failing.run('go', { thread: 't' })
    await failing.resume('t').result()
    expect((await failing.planFork(`t@${await seqOf(failing.journal, 'run.failed')}`)).estimate.tokens).toBe(15)
  })

  test('is made of the record where the dependencies of the run are not there', async () => {
    const { journal, model, look, pay } = setUp()
    const when = ({ deps }: { deps: unknown }): boolean => (deps as { isStrict: boolean }).isStrict
    const rules = [{ tool: 'pay', verdict: 'ask', when } as const]
    const teller = agent({ name: 'teller', model, tools: [look, pay], journal, permissions: { rules, default: 'allow' } })
    await teller.run('go', { thread: 't', deps: { isStrict: true }, onQuestion: () => approve() })
    const plan = await teller.planFork(`t@${await seqOf(journal, 'run.started')}`, { effects: 'live' })
    expect(plan.calls.map(({ fate }) => fate)).toEqual(['runs', 'asked'])
  })

  test('has no cost where the price of a child is unknown, never 0', async () => {
    const child = agent({ name: 'child', model: replying(['Fine.'], 'unpriced') })
    const { teller, journal } = setUp({ tools: [child], ports: { price: (id) => (id.endsWith('unpriced') ? undefined : 7) } }, [
      calls('child'),
      'Done.',
    ])
    await teller.run('go', { thread: 't' })
    const { reused, estimate } = await teller.planFork(`t@${await seqOf(journal, 'tool.finished')}`)
    expect([reused.cost, estimate.cost]).toEqual([undefined, 7])
  })
})

test('a call that a policy denies stays denied where effects are left out, and nobody is asked about one that is left out', async () => {
  const erase = tool({ name: 'erase', permission: 'deny', run: () => 'erased' })
  const send = tool({ name: 'send', permission: 'ask', run: () => 'sent' })
  const { teller, journal } = setUp({ tools: [erase, send] }, [calls('erase', 'send'), 'Done.'])
  await teller.run('go', { thread: 't', onQuestion: () => reject() })
  const fork = await teller.fork(`t@${await seqOf(journal, 'run.started')}`, { thread: 'f', effects: 'stub', limits })
  expect(fork.plan.calls.map(({ fate }) => fate)).toEqual(['denied', 'stubbed'])
  expect((await fork.resume().result()).status).toBe('done')
  expect((await factsOf(teller, 'f', 'tool.denied')).map(({ data }) => data.call)).toEqual(['1.0'])
  expect((await factsOf(teller, 'f', 'tool.finished')).map(({ data }) => [data.call, data.meta])).toEqual([['1.1', { stubbed: true }]])
})

test.each<readonly [ForkOptions['edit'], string]>([
  [{ kind: 'result', call: '9.9', result: 1 }, 'A fork at t@9 cannot change the result of the call 9.9: it had none.'],
  [{ kind: 'deny', call: '9.9' }, 'A fork at t@9 cannot deny the call 9.9: it had not been judged.'],
  [{ kind: 'remove-turn', turn: 9 }, 'A fork at t@9 cannot remove the turn 9: it had not begun.'],
])('an edit of what is not there is refused in plain words (%o)', async (edit, message) => {
  const { teller } = setUp()
  await teller.run('go', { thread: 't' })
  await expect(teller.fork('t@9', { ...(edit && { edit }) })).rejects.toMatchObject({
    code: 'LOOM_OPTION_INVALID',
    message: `${message} turnsOf(journal, thread) lists turns and calls.`,
  })
})
