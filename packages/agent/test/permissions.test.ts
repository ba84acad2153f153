import { type CallFacts, explainPermission, type Policy, type Rule, testPolicy, tool, type Verdict } from '@loom-agent/agent'
import type { EffectClass } from '@loom-agent/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { strictest, type Trial, trial } from './verdicts.ts'

const verdicts = ['allow', 'ask', 'deny'] as const
const effects: readonly EffectClass[] = ['pure', 'read', 'idempotent', 'reconcilable', 'unsafe']
const verdictOf = async (options: Trial): Promise<Verdict> => (await trial(options)).verdict

/** Ways for a tool to say something about itself, and what it says. */
const ownVerdicts: readonly (readonly [string, Trial['permission'], Verdict | undefined])[] = [
  ['nothing', undefined, undefined],
  ...verdicts.flatMap((verdict) => [
    [verdict, verdict, verdict] as const,
    [`${verdict} from a function`, () => verdict, verdict] as const,
    [`${verdict} from an async function`, async () => verdict, verdict] as const,
  ]),
]

describe('without a policy', () => {
  test.each(ownVerdicts)('a tool that says %s does what it says, and one that says nothing runs', async (_, permission, own) => {
    expect(await verdictOf({ permission })).toBe(own ?? 'allow')
  })

  test.each([
    ['throws', () => Promise.reject(new Error('boom'))],
    [
      'throws at once',
      () => {
        throw new Error('boom')
      },
    ],
  ] as const)('a tool whose permission %s has denied, and the model reads why', async (_, permission) => {
    const { verdict, shown } = await trial({ permission })
    expect(verdict).toBe('deny')
    expect(shown).toContain('boom')
  })

  test.each(['maybe', '', 'ALLOW', true, null, undefined])(
    'a permission function that answers %s has not allowed: what is no verdict denies',
    async (word) => {
      expect(await verdictOf({ permission: () => word as never })).toBe('deny')
      expect(await verdictOf({ permission: async () => word as never })).toBe('deny')
    },
  )

  test('a permission function sees the arguments as the tool gets them, the thread and the dependencies', async () => {
    const seen: unknown[] = []
    const permission: Trial['permission'] = (input, { thread, deps }) => {
      seen.push(input, thread, deps)
      return 'allow'
    }
    await trial({ permission, input: { n: 1 }, deps: { db: 1 } })
    // When the call is proposed, and when it is admitted.
    expect(seen).toEqual([{ n: 1 }, 't', { db: 1 }, { n: 1 }, 't', { db: 1 }])
  })
})

describe('a map of names (defect 5: deny was ignored)', () => {
  const maps = verdicts.flatMap((verdict) => [undefined, ...verdicts].map((fallback) => [verdict, fallback] as const))

  test.each(maps)('act: %s, default: %s', async (verdict, fallback) => {
    const rest = fallback ? { default: fallback } : {}
    for (const [, permission, own] of ownVerdicts) {
      expect(await verdictOf({ permission, permissions: { act: verdict, ...rest } })).toBe(verdict)
      expect(await verdictOf({ permission, permissions: { other: verdict, ...rest } })).toBe(own ?? fallback ?? 'deny')
    }
  })

  test('that is empty denies everything', async () => {
    expect(await verdictOf({ permissions: {} })).toBe('deny')
  })

  test.each([
    ['*', true],
    ['ac*', true],
    ['*ct', true],
    ['a*t', true],
    ['a*c*t', true],
    ['act*', true],
    ['Act', false],
    ['ac', false],
    ['acts', false],
    ['a*a*t', false],
  ] as const)('a name like "%s" matches act: %s', async (pattern, matches) => {
    expect(await verdictOf({ permissions: { [pattern]: 'allow' } })).toBe(matches ? 'allow' : 'deny')
    expect(await verdictOf({ permissions: { [pattern]: 'deny', default: 'allow' } })).toBe(matches ? 'deny' : 'allow')
  })

  test('patterns match as a reader expects: * is any text, everything else is itself', async () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.', '/', '\n', '('), maxLength: 8 })
    const words = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '\n', '('), maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(letters, words, async (pattern, text) => {
        const escaped = pattern.split('*').map((piece) => piece.replace(/[.()/]/g, '\\$&'))
        const expected = new RegExp(`^${escaped.join('[\\s\\S]*')}$`).test(text)
        const policy: Policy = { rules: [{ tool: 'act', input: { text: pattern }, verdict: 'allow' }] }
        expect((await explainPermission(policy, { tool: 'act', input: { text } })).verdict).toBe(expected ? 'allow' : 'deny')
      }),
      { numRuns: 500 },
    )
  })
})

/** A rule, and whether it matches a call of `act` with these facts. */
type Matched = { readonly rule: Rule; readonly matches: (call: { effect: EffectClass; path: string }) => boolean }

const anyRule: fc.Arbitrary<Matched> = fc
  .record({
    tool: fc.constantFrom('act', '*', 'a*', 'other'),
    verdict: fc.constantFrom(...verdicts),
    effect: fc.option(fc.subarray([...effects], { minLength: 1 }), { nil: undefined }),
    path: fc.option(fc.constantFrom('/tmp/*', '/etc/*', '*', '/tmp/a'), { nil: undefined }),
    when: fc.constantFrom('none', 'yes', 'no', 'async yes', 'async no'),
  })
  .map(({ tool, verdict, effect, path, when }) => ({
    rule: {
      tool,
      verdict,
      ...(effect && { effect }),
      ...(path !== undefined && { input: { path } }),
      ...(when !== 'none' && { when: when.startsWith('async') ? async () => when.endsWith('yes') : () => when.endsWith('yes') }),
    },
    matches: (call) => {
      const isPath = path === undefined || path === '*' || (path.endsWith('*') ? call.path.startsWith(path.slice(0, -1)) : call.path === path)
      return tool !== 'other' && (!effect || effect.includes(call.effect)) && isPath && !when.endsWith('no')
    },
  }))

describe('rules', () => {
  const anyCall = fc.record({ effect: fc.constantFrom(...effects), path: fc.constantFrom('/tmp/a', '/tmp/b', '/etc/passwd') })
  const anyDefault = fc.option(fc.constantFrom(...verdicts), { nil: undefined })
  const anyOwn = fc.constantFrom(...ownVerdicts)

  test('the strictest of all that match wins; the tool’s own verdict applies when none does; then the default; then no', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRule, { maxLength: 4 }), anyCall, anyDefault, anyOwn, async (rules, call, fallback, [, permission, own]) => {
        const permissions: Policy = { rules: rules.map(({ rule }) => rule), ...(fallback && { default: fallback }) }
        const matching = rules.filter(({ matches }) => matches(call)).map(({ rule }) => rule.verdict)
        const expected = strictest(matching) ?? own ?? fallback ?? 'deny'
        expect(await verdictOf({ permissions, permission, effect: call.effect, input: { path: call.path } })).toBe(expected)
      }),
      { numRuns: 250 },
    )
  })

  test('their order does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRule, { minLength: 2, maxLength: 4 }), anyCall, fc.nat(), async (rules, call, seed) => {
        const list = rules.map(({ rule }) => rule)
        const turned = [...list.slice(seed % list.length), ...list.slice(0, seed % list.length)].reverse()
        const ask = async (order: readonly Rule[]) =>
          (await explainPermission({ rules: order, default: 'ask' }, { tool: 'act', effect: call.effect, input: { path: call.path } })).verdict
        expect(await ask(turned)).toBe(await ask(list))
      }),
      { numRuns: 150 },
    )
  })

  test('explainPermission and testPolicy say what a run does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRule, { maxLength: 4 }), anyCall, anyDefault, async (rules, call, fallback) => {
        const permissions: Policy = { rules: rules.map(({ rule }) => rule), ...(fallback && { default: fallback }) }
        const imagined = { tool: 'act', effect: call.effect, input: { path: call.path } }
        const ran = await verdictOf({ permissions, effect: call.effect, input: { path: call.path } })
        const explained = await explainPermission(permissions, imagined)
        expect(explained.verdict).toBe(ran)
        expect(await testPolicy(permissions, [{ ...imagined, expect: ran }])).toEqual([])
        const wrong = verdicts.find((verdict) => verdict !== ran) as Verdict
        expect(await testPolicy(permissions, [{ ...imagined, expect: wrong }])).toEqual([{ ...imagined, expect: wrong, got: explained }])
      }),
      { numRuns: 150 },
    )
  })

  test('that decide are named, with the reason, in what the model reads and in what a human is asked', async () => {
    const rules: readonly Rule[] = [
      { tool: '*', verdict: 'allow' },
      { tool: 'act', verdict: 'deny', reason: 'it is dangerous' },
    ]
    expect((await trial({ permissions: { rules } })).shown).toMatch(/not permitted.*it is dangerous.*rules\[1\] act/)
    expect((await trial({ permissions: { rules: [{ tool: 'act', verdict: 'ask', reason: 'it costs money' }] } })).prompt).toContain('it costs money')
    expect((await trial({ permissions: { rules: [{ tool: 'act', verdict: 'allow' }] } })).allowedBy).toBe('rules[0] act')
    expect((await trial({ permissions: { default: 'allow' } })).allowedBy).toBeUndefined()
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ] as const)('whose `when` %s deny, whatever they would have said', async (_, when) => {
    for (const verdict of verdicts) {
      const permissions: Policy = { rules: [{ tool: 'act', verdict, when }], default: 'allow' }
      const { verdict: got, shown } = await trial({ permissions })
      expect(got).toBe('deny')
      expect(shown).toContain('boom')
    }
  })

  test('whose `when` throws are explained as they are enforced', async () => {
    const broken = (): never => {
      throw new Error('boom')
    }
    const permissions: Policy = { rules: [{ tool: 'act', verdict: 'allow', when: broken }], default: 'allow' }
    expect((await explainPermission(permissions, { tool: 'act' })).verdict).toBe('deny')
    expect(await testPolicy(permissions, [{ tool: 'act', expect: 'deny' }])).toEqual([])
  })

  test.each([undefined, null, 1, 'yes', {}])('whose `when` returns %s have not matched and not passed: what is no answer denies', async (answer) => {
    for (const verdict of verdicts) {
      const permissions: Policy = { rules: [{ tool: 'act', verdict, when: () => answer as never }], default: 'allow' }
      expect(await verdictOf({ permissions })).toBe('deny')
      expect((await explainPermission(permissions, { tool: 'act' })).verdict).toBe('deny')
    }
  })

  test('that agree decide together: all of them are named, with all their reasons', async () => {
    const rules: readonly Rule[] = [
      { tool: '*', verdict: 'ask', reason: 'a', approvers: 2, expires: 500 },
      { tool: 'act', verdict: 'ask', reason: 'b', approvers: 3 },
      { tool: 'act', verdict: 'allow', reason: 'c' },
    ]
    const decidedBy = ['rules[0] *', 'rules[1] act']
    expect(await explainPermission({ rules }, { tool: 'act' })).toEqual({ verdict: 'ask', decidedBy, reason: 'a; b', approvers: 3, expires: 500 })
  })

  test('see the call in `when`: name, effect, arguments, thread, dependencies', async () => {
    let seen: unknown
    const when: NonNullable<Rule['when']> = (call) => {
      seen = call
      return true
    }
    await trial({ permissions: { rules: [{ tool: 'act', verdict: 'allow', when }] }, effect: 'read', input: { n: 1 }, deps: { db: 1 } })
    expect(seen).toMatchObject({ tool: 'act', effect: 'read', input: { n: 1 }, thread: 't', deps: { db: 1 } })
    expect([...(seen as CallFacts).calls]).toEqual([])
  })

  test.each([
    [{ n: 1 }, { n: 1 }, true],
    [{ n: 1 }, { n: 2 }, false],
    [{ n: 1 }, { n: '1' }, 'by its look'],
    [{ n: 1 }, {}, false],
    [{ on: true }, { on: true, more: 1 }, true],
    [{ list: [1, 2] }, { list: [1, 2] }, true],
    [{ list: [1, 2] }, { list: [2, 1] }, false],
    [{ at: { a: 1, b: 2 } }, { at: { a: 1, b: 2 } }, true],
    [{ at: { a: 1, b: 2 } }, { at: { b: 2, a: 1 } }, true],
    [{ none: null }, { none: null }, true],
    [{ path: '*' }, { path: 7 }, 'by its look'],
    [{ path: '/tmp/*' }, { path: ['/tmp/a'] }, 'by its look'],
    [{ at: { a: 1 } }, { at: { a: 1, b: 2 } }, 'by its look'],
    [{ path: '/tmp/*' }, { path: '/\u200btmp/a' }, 'by its look'],
    [{ path: '*' }, { path: '' }, true],
    [{ a: 'x', b: 'y' }, { a: 'x', b: 'z' }, false],
  ] as const)('with the arguments %j match the arguments %j: %s', async (pattern, input, matches) => {
    const denying: Policy = { rules: [{ tool: 'act', input: pattern, verdict: 'deny' }], default: 'allow' }
    expect(await verdictOf({ permissions: denying, input })).toBe(matches === false ? 'allow' : 'deny')
    // What only may be meant is denied, and not allowed (PERM-12).
    const allowing: Policy = { rules: [{ tool: 'act', input: pattern, verdict: 'allow' }], default: 'deny' }
    expect(await verdictOf({ permissions: allowing, input })).toBe(matches === true ? 'allow' : 'deny')
  })

  test.each(effects)('of one effect match %s tools, and no others', async (effect) => {
    const permissions: Policy = { rules: [{ tool: '*', effect, verdict: 'allow' }] }
    for (const other of effects) expect(await verdictOf({ permissions, effect: other })).toBe(other === effect ? 'allow' : 'deny')
  })

  test('that are asked again for the same tool with other arguments are judged again', async () => {
    const permissions: Policy = { rules: [{ tool: 'act', input: { path: '/tmp/*' }, verdict: 'allow' }] }
    expect(await verdictOf({ permissions, input: { path: '/tmp/a' } })).toBe('allow')
    expect(await verdictOf({ permissions, input: { path: '/etc/a' } })).toBe('deny')
  })
})

describe('a policy that cannot be meant', () => {
  test.each([
    ['a word', 'deny'],
    ['a list', [{ tool: 'act', verdict: 'deny' }]],
    ['a verdict that is none', { act: 'maybe' }],
    ['a default that is none', { default: 'maybe' }],
    ['a rule with a verdict that is none', { rules: [{ tool: 'act', verdict: 'never' }] }],
    ['a default of rules that is none', { rules: [], default: 'yes' }],
    ['a rule with a field that is none', { rules: [{ tool: 'act', verdict: 'deny', efect: 'read' }] }],
    ['a field beside the rules that is none', { rules: [], shaddow: true }],
    ['a rule without a tool', { rules: [{ verdict: 'deny' }] }],
    ['a rule for an effect that is none', { rules: [{ tool: 'act', effect: 'write', verdict: 'deny' }] }],
    ['a rule for effects one of which is none', { rules: [{ tool: 'act', effect: ['read', 'write'], verdict: 'deny' }] }],
    ['a rule that is none', { rules: ['act'] }],
    ['a rule that is nothing', { rules: [null] }],
    ['a pattern that is no JSON', { rules: [{ tool: 'act', input: { path: /^.etc/ }, verdict: 'deny' }] }],
    ['a pattern that is nothing', { rules: [{ tool: 'act', input: { path: undefined }, verdict: 'deny' }] }],
    ['patterns that are a list', { rules: [{ tool: 'act', input: ['*'], verdict: 'deny' }] }],
    ['a condition that is no function', { rules: [{ tool: 'act', when: true, verdict: 'deny' }] }],
    ['nobody to approve', { rules: [{ tool: 'act', approvers: 0, verdict: 'ask' }] }],
    ['half a person to approve', { rules: [{ tool: 'act', approvers: 1.5, verdict: 'ask' }] }],
    ['a time that is none', { rules: [{ tool: 'act', expires: Number.NaN, verdict: 'ask' }] }],
    ['a shadow that is neither on nor off', { rules: [], shadow: 'yes' }],
  ])('%s is refused when it is given', async (_, policy) => {
    await expect(verdictOf({ permissions: policy as never })).rejects.toMatchObject({ code: expect.stringMatching(/^LOOM_OPTION_/) })
    await expect(explainPermission(policy as never, { tool: 'act' })).rejects.toMatchObject({ code: expect.stringMatching(/^LOOM_OPTION_/) })
  })

  test.each([{ permission: 'never' }, { permission: null }, { available: 'yes' }])('a tool with %j is refused when it is defined', (given) => {
    expect(() => tool({ name: 'act', ...(given as object), run: () => 1 })).toThrowError(expect.objectContaining({ code: 'LOOM_TOOL_INVALID' }))
  })
})
