import {
  agent,
  answerWith,
  approve,
  edit,
  explainPermission,
  type Policy,
  type Question,
  type Rule,
  reject,
  respond,
  safeMode,
  tool,
  type Verdict,
} from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf, typesOf } from './journals.ts'
import { remembering, strictest, type Trial, trial } from './verdicts.ts'

const verdicts = ['allow', 'ask', 'deny'] as const
const verdictOf = async (options: Trial): Promise<Verdict> => (await trial(options)).verdict

/** A tool that pays and remembers it. */
function payer(permission?: Verdict) {
  const paid: unknown[] = []
  const schema = z.object({ amount: z.number(), to: z.string().optional() })
  return { paid, pay: remembering({ name: 'pay', schema, ...(permission && { permission }) }, paid) }
}
const payment = (amount: number, to?: string) => ({ calls: [{ tool: 'pay', input: { amount, ...(to !== undefined && { to }) } }] })
const idOf = (questions: readonly Question[]): string => questions[0]?.id ?? ''

describe('in shadow mode', () => {
  test.each(verdicts)('a policy that says %s is recorded and not enforced', async (verdict) => {
    const { verdict: got, allowedBy } = await trial({ permissions: { rules: [{ tool: 'act', verdict }], shadow: true } })
    expect(got).toBe('allow')
    if (verdict !== 'allow') expect(allowedBy).toBe(`shadow ${verdict} by rules[0] act`)
  })

  test('a default is recorded, too, and a `when` that has to be waited for', async () => {
    expect((await trial({ permissions: { rules: [], shadow: true } })).allowedBy).toBe('shadow deny by default')
    const rules: readonly Rule[] = [{ tool: 'act', verdict: 'ask', when: async () => true }]
    expect((await trial({ permissions: { rules, shadow: true } })).allowedBy).toBe('shadow ask by rules[0] act')
  })

  test.each(verdicts)('a tool that says %s of itself is judged as if there were no policy', async (permission) => {
    for (const verdict of verdicts) {
      expect(await verdictOf({ permission, permissions: { rules: [{ tool: 'act', verdict }], shadow: true } })).toBe(permission)
      expect(await verdictOf({ permission, permissions: { rules: [], default: verdict, shadow: true } })).toBe(permission)
    }
  })

  test('a rule that throws does no harm', async () => {
    const when = () => Promise.reject(new Error('boom'))
    expect(await verdictOf({ permissions: { rules: [{ tool: 'act', verdict: 'deny', when }], shadow: true } })).toBe('allow')
  })

  test.each(verdicts)('beside an ancestor’s policy in force, that policy alone decides: %s', async (verdict) => {
    const { paid, pay } = payer()
    const permissions: Policy = { rules: [{ tool: 'pay', verdict: 'deny' }], shadow: true }
    const child = agent({ name: 'child', model: scriptedModel([payment(1), 'ok']), tools: [pay], permissions })
    const model = scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'pay' } }] }, 'ok'])
    const { status } = await agent({ model, tools: [child], permissions: { pay: verdict, child: 'allow' } }).run('go')
    expect({ status, paid: paid.length }).toEqual({ status: verdict === 'ask' ? 'waiting' : 'done', paid: verdict === 'allow' ? 1 : 0 })
  })

  test('explaining says what it would have been, and that it is only a shadow', async () => {
    expect(await explainPermission({ rules: [], shadow: true }, { tool: 'act' })).toMatchObject({ verdict: 'deny', shadow: true })
  })
})

describe('what is judged is what runs', () => {
  const guarded: Policy = { rules: [{ tool: 'act', input: { path: '/etc/*' }, verdict: 'deny' }], default: 'allow' }

  test('a default, a trim or another transform of the schema is no way round a rule', async () => {
    const transforms: readonly (readonly [z.ZodType, object])[] = [
      [z.object({ path: z.string().default('/etc/passwd') }), {}],
      [z.object({ path: z.string().trim() }), { path: '  /etc/passwd' }],
      [z.object({ path: z.string().toLowerCase() }), { path: '/ETC/passwd' }],
      [z.object({ file: z.string() }).transform(({ file }) => ({ path: file })), { file: '/etc/passwd' }],
    ]
    for (const [schema, input] of transforms) {
      const { verdict, given } = await trial({ permissions: guarded, schema, input })
      expect({ verdict, given }).toEqual({ verdict: 'deny', given: [] })
    }
  })

  test('a human is shown the arguments as they would be used', async () => {
    const pay = tool({ name: 'pay', input: z.object({ amount: z.number().default(500) }), permission: 'ask', run: ({ amount }) => amount })
    const { questions } = await agent({ model: scriptedModel([{ calls: [{ tool: 'pay', input: {} }] }]), tools: [pay] }).run('go')
    expect(questions[0]?.call?.input).toEqual({ amount: 500 })
    expect(questions[0]?.show).toEqual({ tool: 'pay', input: { amount: 500 }, proposed: {} })
  })

  test('arguments that JSON cannot hold are judged as JSON would show them, and the tool gets them as they are', async () => {
    const schema = z.object({ path: z.string(), at: z.number() }).transform(({ path, at }) => ({ path: path.trim(), at: new Date(at) }))
    const { verdict } = await trial({ permissions: guarded, schema, input: { path: ' /etc/passwd', at: 0 } })
    expect(verdict).toBe('deny')
    const { given } = await trial({ permissions: guarded, schema, input: { path: ' /tmp/a', at: 0 } })
    expect(given).toEqual([{ path: '/tmp/a', at: new Date(0) }])
  })

  test('a rule that changes what it is shown changes nothing', async () => {
    const when: NonNullable<Rule['when']> = ({ input }) => {
      Object.assign(input as object, { path: '/etc/passwd' })
      return true
    }
    const { given } = await trial({ permissions: { rules: [{ tool: 'act', verdict: 'allow', when }] }, input: { path: '/tmp/a' } })
    expect(given).toEqual([{ path: '/tmp/a' }])
  })

  test('arguments that a hook changed are judged as it left them', async () => {
    const hooks = [{ beforeToolExecution: () => ({ input: { path: '/etc/passwd' } }) }]
    expect(await verdictOf({ permissions: guarded, hooks, input: { path: '/tmp/a' } })).toBe('deny')
  })

  test('a stand-in is given only where the arguments that it stands in for would be permitted', async () => {
    const known = { beforeToolExecution: () => answerWith({ type: 'text', value: 'root:x:0:0' }) }
    const hooks = [{ beforeToolExecution: () => ({ input: { path: '/etc/passwd' } }) }, known]
    const { verdict, shown } = await trial({ permissions: guarded, hooks, input: { path: '/tmp/a' } })
    expect(verdict).toBe('deny')
    expect(shown).not.toContain('root')
  })

  test('arguments that a human edited are judged as they are now', async () => {
    const { paid, pay } = payer()
    const rules: readonly Rule[] = [
      { tool: 'pay', verdict: 'ask' },
      { tool: 'pay', verdict: 'deny', when: ({ input }) => (input as { amount: number }).amount > 100 },
    ]
    const model = scriptedModel([payment(5), 'ok'])
    const run = agent({ model, tools: [pay], permissions: { rules } }).start('go')
    await run.answer(idOf((await run.result()).questions), edit({ amount: 500 }))
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([])
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('not permitted')
  })

  test('a tool that does not exist is not permitted or denied: the model is shown an error, and no question is asked', async () => {
    for (const permissions of [{ '*': 'ask' }, { '*': 'allow' }, { '*': 'deny' }, safeMode()] as const satisfies readonly Policy[]) {
      const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'nobody' }] }, 'ok']), permissions })
      expect((await worker.run('go', { thread: 't' })).status).toBe('done')
      expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data.errorType).toBe('not-found')
      expect(await typesOf(worker, 't')).not.toContain('question.asked')
    }
  })

  test('tools that are given with a run are judged by the agent’s policy', async () => {
    const { paid, pay } = payer()
    const clerk = agent({ model: scriptedModel([payment(1), 'ok']), permissions: { pay: 'deny' } })
    expect((await clerk.run('go', { tools: [pay] })).status).toBe('done')
    expect(paid).toEqual([])
  })
})

describe('an approval', () => {
  const rule = (more: Partial<Rule> = {}): Rule => ({ tool: 'pay', verdict: 'ask', ...more })
  /** Asks under one policy, is approved, and goes on under another in a process of its own. */
  const approvedUnder = async (before: Rule, after: Rule) => {
    const { paid, pay } = payer()
    const first = agent({ model: scriptedModel([payment(1)]), tools: [pay], permissions: { rules: [before] } })
    const { questions } = await first.run('go', { thread: 't' })
    const second = agent({ model: scriptedModel('ok'), tools: [pay], permissions: { rules: [after] }, journal: first.journal })
    await second.answer(idOf(questions), approve({ by: 'ann' }))
    return { paid, status: (await second.resume('t').result()).status }
  }

  test('given under a rule that is still the same runs the call', async () => {
    expect(await approvedUnder(rule({ reason: 'x' }), rule({ reason: 'x' }))).toMatchObject({ status: 'done', paid: [{ amount: 1 }] })
  })

  test.each([
    ['that has become stricter about approvers', rule(), rule({ approvers: 2 })],
    ['that now asks for another reason', rule({ reason: 'small' }), rule({ reason: 'large' })],
    ['that now looks at arguments', rule(), rule({ input: { amount: 1 } })],
  ])('given under a rule %s is asked for again', async (_, before, after) => {
    expect(await approvedUnder(before, after)).toEqual({ status: 'waiting', paid: [] })
  })

  /** A payment that two people must approve, waiting for them. */
  const forTwo = async () => {
    const { paid, pay } = payer()
    const clerk = agent({ model: scriptedModel([payment(1), 'ok']), tools: [pay], permissions: { rules: [rule({ approvers: 2 })] } })
    const run = clerk.start('go', { thread: 't' })
    return { paid, run, id: idOf((await run.result()).questions) }
  }

  test('that two people must give is not given by one who edits', async () => {
    const { paid, run, id } = await forTwo()
    await run.answer(id, edit({ amount: 500 }, { by: 'ann' }))
    expect((await run.result()).status).toBe('waiting')
    expect(paid).toEqual([])
  })

  test('that two people must give, edited by one of them, is asked of both for the new arguments', async () => {
    const { paid, run, id } = await forTwo()
    await run.answer(id, approve({ by: 'bob' }))
    await run.answer(id, edit({ amount: 500 }, { by: 'ann' }))
    const { questions } = await run.result()
    const former = { kind: 'edit', input: { amount: 500 } }
    expect(questions).toMatchObject([{ call: { input: { amount: 500 } }, approvers: 2, approvals: 0, show: { former } }])
    for (const by of ['ann', 'bob']) {
      expect((await run.result()).status).toBe('waiting')
      await run.answer(idOf(questions), approve({ by }))
    }
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([{ amount: 500 }])
  })

  test('that two people must give is not given by one who does not sign, twice', async () => {
    const { paid, run, id } = await forTwo()
    const unsigned = [approve(), approve(), approve({ by: '' }), approve({ by: ' ' })]
    for (const answer of unsigned) await expect(run.answer(id, answer)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await run.answer(id, approve({ by: 'ann' }))
    await expect(run.answer(id, approve())).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ approvals: 1 }] })
    expect(paid).toEqual([])
  })

  test('that two people must give is not given by one for the whole thread, nor is its result', async () => {
    const { paid, run, id } = await forTwo()
    await run.answer(id, approve({ by: 'ann' }))
    for (const answer of [approve({ by: 'bob', scope: 'thread' }), respond('paid by hand', { by: 'bob' })])
      await expect(run.answer(id, answer)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ approvals: 1 }] })
    await run.answer(id, reject('no', { by: 'bob' }))
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([])
  })

  test('with edited arguments holds for the rules it was given under, and for no others', async () => {
    const { paid, pay } = payer()
    const large = rule({ when: ({ input }) => (input as { amount: number }).amount > 100, reason: 'large' })
    const clerk = agent({ model: scriptedModel([payment(1), 'ok']), tools: [pay], permissions: { rules: [rule(), large] } })
    const run = clerk.start('go')
    await run.answer(idOf((await run.result()).questions), edit({ amount: 500 }))
    const asked = await run.result()
    expect(asked).toMatchObject({ status: 'waiting', questions: [{ prompt: expect.stringContaining('large'), call: { input: { amount: 500 } } }] })
    expect(paid).toEqual([])
    await run.answer(idOf(asked.questions), edit({ amount: 400 }))
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([{ amount: 400 }])
  })

  test('given under rules that stand in another place, or beside others that do not decide, holds', async () => {
    const { paid, pay } = payer()
    const first = agent({ model: scriptedModel([payment(1)]), tools: [pay], permissions: { rules: [rule({ reason: 'x' })] } })
    const { questions } = await first.run('go', { thread: 't' })
    const rules: readonly Rule[] = [{ tool: 'other', verdict: 'deny' }, { tool: '*', verdict: 'allow' }, rule({ reason: 'x' })]
    const second = agent({ model: scriptedModel('ok'), tools: [pay], permissions: { rules }, journal: first.journal })
    await second.answer(idOf(questions), approve())
    expect((await second.resume('t').result()).status).toBe('done')
    expect(paid).toEqual([{ amount: 1 }])
  })

  test.each([
    ['nothing', undefined],
    ['yes', true],
    ['an answer without a signature', { kind: 'approve' }],
    ['an answer of no kind', { answer: { kind: 'yes' } }],
    ['a scope that is none', { answer: { kind: 'approve', scope: 'call' } }],
    ['limits that are none', { answer: { kind: 'approve', limits: { tokens: Number.NaN } } }],
    ['somebody who is no text', { answer: { kind: 'approve' }, by: 7 }],
  ])('that is %s is refused, and changes nothing', async (_, answer) => {
    const { paid, pay } = payer('ask')
    const clerk = agent({ model: scriptedModel([payment(1), 'ok']), tools: [pay] })
    const run = clerk.start('go', { thread: 't' })
    const id = idOf((await run.result()).questions)
    await expect(run.answer(id, answer as never)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await expect(clerk.answer(id, answer as never)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    expect(await typesOf(clerk, 't')).not.toContain('question.answered')
    expect(paid).toEqual([])
  })

  test('where questions are denied is denied, and what is allowed runs', async () => {
    for (const verdict of verdicts) {
      const { paid, pay } = payer()
      const clerk = agent({
        model: scriptedModel([payment(1), 'ok']),
        tools: [pay],
        permissions: { pay: verdict },
        behaviour: { unattended: 'deny' },
      })
      expect(await clerk.run('go')).toMatchObject({ status: 'done', questions: [] })
      expect(paid).toEqual(verdict === 'allow' ? [{ amount: 1 }] : [])
    }
  })
})

describe('safe mode', () => {
  test.each([
    ['pure', 'allow'],
    ['read', 'allow'],
    ['idempotent', 'ask'],
    ['reconcilable', 'ask'],
    ['unsafe', 'ask'],
  ] as const)('with a %s tool: %s', async (effect, verdict) => {
    expect(await verdictOf({ permissions: safeMode(), effect })).toBe(verdict)
    expect((await explainPermission(safeMode(), { tool: 'act', effect })).verdict).toBe(verdict)
  })

  test.each(['read', 'unsafe'] as const)('never loosens the own denial of a %s tool', async (effect) => {
    expect(await verdictOf({ permissions: safeMode(), effect, permission: 'deny' })).toBe('deny')
    expect((await explainPermission(safeMode(), { tool: 'act', effect, permission: 'deny' })).verdict).toBe('deny')
  })

  test('a grant for the thread covers this tool with any arguments, in later runs and in another process; no other tool, no other thread', async () => {
    const { paid, pay } = payer()
    const other = tool({ name: 'other', run: () => paid.push('other') && 'done' })
    const options = { tools: [pay, other], permissions: safeMode() }
    const first = agent({ ...options, model: scriptedModel([payment(1), 'ok', payment(2, 'ann'), 'ok']) })
    const run = first.start('go', { thread: 't' })
    await run.answer(idOf((await run.result()).questions), approve({ scope: 'thread' }))
    expect((await run.result()).status).toBe('done')
    expect((await first.run('again', { thread: 't' })).status).toBe('done')
    const second = agent({ ...options, journal: first.journal, model: scriptedModel([payment(3), 'ok', { calls: [{ tool: 'other' }] }, payment(4)]) })
    expect((await second.run('again', { thread: 't' })).status).toBe('done')
    expect(paid).toEqual([{ amount: 1 }, { amount: 2, to: 'ann' }, { amount: 3 }])
    expect((await second.run('another tool', { thread: 't' })).status).toBe('waiting')
    expect((await second.run('another thread', { thread: 'u' })).status).toBe('waiting')
    expect(paid).toHaveLength(3)
  })

  test('a grant does not survive a change of the tool it was given for', async () => {
    const { pay } = payer()
    const first = agent({ tools: [pay], permissions: safeMode(), model: scriptedModel([payment(1), 'ok']) })
    const run = first.start('go', { thread: 't' })
    await run.answer(idOf((await run.result()).questions), approve({ scope: 'thread' }))
    await run.result()
    const paid: unknown[] = []
    const changed = remembering({ name: 'pay', schema: z.object({ amount: z.number(), currency: z.string().optional() }) }, paid)
    const second = agent({ tools: [changed], permissions: safeMode(), model: scriptedModel([payment(2)]), journal: first.journal })
    expect((await second.run('go', { thread: 't' })).status).toBe('waiting')
    expect(paid).toEqual([])
  })

  test('a denial beside a grant is a denial', async () => {
    const { paid, pay } = payer()
    const first = agent({ tools: [pay], permissions: safeMode(), model: scriptedModel([payment(1), 'ok']) })
    const run = first.start('go', { thread: 't' })
    await run.answer(idOf((await run.result()).questions), approve({ scope: 'thread' }))
    await run.result()
    const stricter = agent({ tools: [pay], permissions: { pay: 'deny' }, model: scriptedModel([payment(2), 'ok']), journal: first.journal })
    expect((await stricter.run('go', { thread: 't' })).status).toBe('done')
    expect(paid).toEqual([{ amount: 1 }])
  })
})

describe('a child', () => {
  const anyPolicy: fc.Arbitrary<Policy | undefined> = fc.option(
    fc
      .record({
        rules: fc.array(
          fc.record({
            tool: fc.constantFrom('act', 'a*', '*t', 'other'),
            verdict: fc.constantFrom(...verdicts),
            effect: fc.constantFrom<readonly ['unsafe'] | readonly ['read']>(['unsafe'], ['read']),
            when: fc.constantFrom(
              () => true,
              async () => true,
              async () => false,
            ),
          }),
          { maxLength: 3 },
        ),
        default: fc.constantFrom(...verdicts),
      })
      // The way down is open; what is judged is the call at the bottom.
      .map((policy) => ({ ...policy, rules: [{ tool: 'down*', verdict: 'allow' as const }, ...policy.rules] })),
    { nil: undefined },
  )
  const says = async (policy: Policy | undefined): Promise<Verdict> => (policy ? (await explainPermission(policy, { tool: 'act' })).verdict : 'allow')

  test('is allowed only what every ancestor is allowed, at any depth, and asks where the strictest of them asks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPolicy, { minLength: 2, maxLength: 4 }), fc.constantFrom(undefined, ...verdicts), async (policies, permission) => {
        const given: unknown[] = []
        const act = remembering({ ...(permission && { permission }) }, given)
        const policyOf = (level: number) => {
          const permissions = policies[level]
          return permissions ? { permissions } : {}
        }
        let level = policies.length - 1
        let next = agent({ name: `down${level}`, model: scriptedModel([{ calls: [{ tool: 'act' }] }, 'ok']), tools: [act], ...policyOf(level) })
        for (level -= 1; level >= 0; level -= 1) {
          const model = scriptedModel([{ calls: [{ tool: next.name, input: { prompt: 'go' } }] }, 'ok'])
          next = agent({ name: `down${level}`, model, tools: [next], ...policyOf(level) })
        }
        const { status } = await next.run('go')
        const own = policies.at(-1)
        // Whether a rule of the child's own policy matches: if so, it stands in for what the tool says of itself.
        const judged = own && (await explainPermission(own, { tool: 'act' }))
        const lowest = judged && judged.decidedBy[0] !== 'default' ? judged.verdict : (permission ?? judged?.verdict ?? 'allow')
        const above = await Promise.all(policies.slice(0, -1).map(says))
        const expected = strictest([lowest, ...above])
        expect({ status, ran: given.length }).toEqual({
          status: expected === 'ask' ? 'waiting' : 'done',
          ran: expected === 'allow' ? 1 : 0,
        })
        if (given.length > 0) expect(above.every((verdict) => verdict === 'allow')).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('needs as many approvers as the strictest of its ancestors asks for, in the shortest time, for all their reasons', async () => {
    const { paid, pay } = payer()
    const policy = (more: Partial<Rule>): Policy => ({ rules: [{ tool: 'pay', verdict: 'ask', ...more }], default: 'allow' })
    const ports = { clock: manualClock() }
    const child = agent({
      name: 'child',
      model: scriptedModel([payment(1), 'ok']),
      tools: [pay],
      permissions: policy({ reason: 'mine', expires: 1e9 }),
      ports,
    })
    const model = scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'pay' } }] }, 'ok'])
    const permissions = policy({ reason: 'yours', approvers: 2, expires: 1e6 })
    const run = agent({ model, tools: [child], permissions, ports }).start('go')
    const { questions } = await run.result()
    expect(questions).toMatchObject([{ approvers: 2, prompt: expect.stringContaining('mine; yours'), expires: ports.clock.now() + 1e6 }])
    await run.answer(idOf(questions), approve({ by: 'ann' }))
    expect((await run.result()).status).toBe('waiting')
    expect(paid).toEqual([])
    await run.answer(idOf(questions), approve({ by: 'bob' }))
    expect((await run.result()).status).toBe('done')
    expect(paid).toEqual([{ amount: 1 }])
  })

  test('cannot use what was granted to its parent, nor its parent what was granted to it', async () => {
    const { paid, pay } = payer()
    const child = agent({ name: 'child', model: scriptedModel([payment(1), payment(2), 'ok']), tools: [pay] })
    const model = scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'pay' } }] }, payment(3), 'ok'])
    const permissions: Policy = { rules: [{ tool: 'pay', verdict: 'ask' }], default: 'allow' }
    const run = agent({ model, tools: [child, pay], permissions }).start('go', { thread: 't' })
    const first = await run.result()
    await run.answer(idOf(first.questions), approve({ scope: 'thread' }))
    const second = await run.result()
    expect(paid).toEqual([{ amount: 1 }, { amount: 2 }])
    expect(second).toMatchObject({ status: 'waiting', questions: [{ thread: 't', call: { tool: 'pay', input: { amount: 3 } } }] })
  })

  test('of an unattended parent is unattended too', async () => {
    const { paid, pay } = payer('ask')
    const child = agent({ name: 'child', model: scriptedModel([payment(1), 'ok']), tools: [pay] })
    const boss = agent({
      model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'x' } }] }, 'ok']),
      tools: [child],
      behaviour: { unattended: 'deny' },
    })
    expect((await boss.run('go')).status).toBe('done')
    expect(paid).toEqual([])
  })
})
