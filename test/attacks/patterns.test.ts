/** Rules on arguments: what a pattern cannot judge is denied or asked about, and never allowed by it. */
import { agent, explainPermission, jsonSchema, type Policy, type Rule, tool, type Verdict } from '@loom-agent/agent'
import { canonicalJson, type Json, type JsonObject } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const guarded = (input: JsonObject, verdict: Verdict = 'deny'): Policy => ({ rules: [{ tool: 'act', verdict, input }], default: 'allow' })
const allowing = (input: JsonObject): Policy => ({ rules: [{ tool: 'act', verdict: 'allow', input }], default: 'deny' })
const verdictOf = async (policy: Policy, input: Json): Promise<Verdict> => (await explainPermission(policy, { tool: 'act', input })).verdict

/** Runs the call under a policy, with a real tool, and returns what its body was given. */
async function given(policy: Policy, input: object, options: { schema?: z.ZodType; json?: JsonObject; hook?: (input: Json) => Json } = {}) {
  const seen: unknown[] = []
  const { schema = options.json ? jsonSchema(options.json) : undefined, hook } = options
  const act = tool({ name: 'act', ...(schema && { input: schema }), run: (value) => void seen.push(value) })
  const hooks = hook ? [{ beforeToolExecution: (_: unknown, { input: proposed }: { input: Json }) => ({ input: hook(proposed) }) }] : []
  await agent({ model: scriptedModel([{ calls: [{ tool: 'act', input }] }, 'ok']), tools: [act], permissions: policy, hooks }).run('go')
  return seen
}

const secrets = { path: '/etc/*' }
const others: readonly (readonly [string, Json])[] = [
  ['a list', ['/etc/passwd']],
  ['a list in a list', [['/etc/passwd']]],
  ['an object', { path: '/etc/passwd' }],
  ['an object that imitates a text', { 0: '/', 1: 'e', length: 2, toString: '/etc/passwd' }],
  ['a number', 7],
  ['a flag', true],
]

describe('a pattern for a text', () => {
  it.each(others)('that denies is met by %s', async (_, path) => {
    expect(await verdictOf(guarded(secrets), { path })).toBe('deny')
    expect(await given(guarded(secrets), { path })).toEqual([])
  })

  it.each(others)('that asks is met by %s', async (_, path) => {
    expect(await verdictOf(guarded(secrets, 'ask'), { path })).toBe('ask')
  })

  it.each(others)('that allows is never met by %s', async (_, path) => {
    expect(await verdictOf(allowing({ path: '*' }), { path })).toBe('deny')
  })

  it('that denies is not met by another text, by a missing argument, or by null', async () => {
    for (const input of [{ path: '/tmp/a' }, {}, { path: null }, { file: '/etc/passwd' }])
      expect(await verdictOf(guarded(secrets), input)).toBe('allow')
  })

  it('that denies is met by a list that a hook put there', async () => {
    expect(await given(guarded(secrets), { path: '/tmp/a' }, { hook: () => ({ path: ['/etc/passwd'] }) })).toEqual([])
  })

  it('that denies is met by a set or a map that the schema made', async () => {
    const schema = z.object({ path: z.array(z.string()).transform((paths) => new Set(paths)) })
    expect(await given(guarded(secrets), { path: ['/etc/passwd'] }, { schema })).toEqual([])
  })

  it('that denies is met by arguments that are no object', async () => {
    const schema = z.object({ path: z.string() }).transform(({ path }) => [path])
    expect(await given(guarded(secrets), { path: '/etc/passwd' }, { schema })).toEqual([])
    expect(await verdictOf(guarded(secrets), '/etc/passwd')).toBe('deny')
    expect(await verdictOf(guarded(secrets), ['/etc/passwd'])).toBe('deny')
  })

  it('that denies is met by the default of a schema where the argument is missing', async () => {
    const schema = z.object({ path: z.string().default('/etc/passwd') })
    expect(await given(guarded(secrets), {}, { schema })).toEqual([])
  })

  it('that denies is met by the default that a JSON Schema declares where the argument is missing', async () => {
    const json: JsonObject = { type: 'object', properties: { path: { type: 'string', default: '/etc/passwd' } } }
    expect(await given(guarded(secrets), {}, { json })).toEqual([])
    expect(await given(guarded(secrets), { path: '/tmp/a' }, { json })).toHaveLength(1)
  })

  it('that denies in a parent is met by the list that a child’s model passes', async () => {
    const seen: unknown[] = []
    const act = tool({ name: 'act', run: (value) => void seen.push(value) })
    const child = agent({
      name: 'child',
      description: 'c',
      model: scriptedModel([{ calls: [{ tool: 'act', input: { path: ['/etc/passwd'] } }] }, 'ok']),
      tools: [act],
    })
    const model = scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'ok'])
    await agent({ model, tools: { child }, permissions: guarded(secrets) }).run('go')
    expect(seen).toEqual([])
  })

  it.each([
    ['full-width letters', '／ｅｔｃ／passwd'],
    ['an invisible character', '/e\u200btc/passwd'],
    ['a joiner of graphemes', '/e\u034ftc/passwd'],
    ['a filler of Hangul', '/etc\u3164/passwd'],
    ['a vowel of Khmer that is not shown', '/e\u17b4tc/passwd'],
    ['a code that is reserved and not shown', '/e\u2065tc/passwd'],
    ['a control character', '/e\u0007tc/passwd'],
    ['a soft hyphen', '/etc\u00ad/passwd'],
    ['a mark of direction', '\u202a/etc/passwd'],
    ['a byte order mark', '\ufeff/etc/passwd'],
  ])('that denies is met by %s, and such a text is never allowed by its look', async (_, path) => {
    expect(await verdictOf(guarded(secrets), { path })).toBe('deny')
    expect(await verdictOf(allowing({ path: '/etc/*' }), { path })).toBe('deny')
  })

  it('that denies is met by letters that are composed in another way', async () => {
    expect(await verdictOf(guarded({ path: '/caf\u00e9/*' }), { path: '/cafe\u0301/menu' })).toBe('deny')
  })
})

describe('a value that must be equal', () => {
  const cases: readonly (readonly [string, JsonObject, Json])[] = [
    ['a flag as a word', { force: true }, { force: 'true' }],
    ['a flag as a number', { force: true }, { force: 1 }],
    ['a flag in a list', { force: true }, { force: [true] }],
    ['a number as digits', { level: 5 }, { level: '5' }],
    ['an object with one more key', { options: { recursive: true } }, { options: { recursive: true, x: 1 } }],
    ['an object with the flag as a word', { options: { recursive: true } }, { options: { recursive: 'true' } }],
    ['an object deep inside', { a: { b: { c: 'x' } } }, { a: { b: { c: ['x'] } } }],
    ['a list that is longer', { tags: ['a'] }, { tags: ['a', 'b'] }],
    ['a list as its only item', { tags: ['a'] }, { tags: 'a' }],
  ]

  it.each(cases)('denies %s', async (_, pattern, input) => {
    expect(await verdictOf(guarded(pattern), input)).toBe('deny')
    expect(await verdictOf(guarded(pattern, 'ask'), input)).toBe('ask')
    expect(await verdictOf(allowing(pattern), input)).toBe('deny')
  })

  it('denies nothing that is of its shape and not equal', async () => {
    const unequal: readonly (readonly [JsonObject, Json])[] = [
      [{ force: true }, { force: false }],
      [{ level: 5 }, { level: 6 }],
      [{ options: { recursive: true } }, { options: { recursive: false, x: 1 } }],
      [{ options: { recursive: true } }, { options: {} }],
      [{ tags: ['a'] }, { tags: ['b'] }],
      [{ level: null }, {}],
    ]
    for (const [pattern, input] of unequal) expect(await verdictOf(guarded(pattern), input)).toBe('allow')
  })
})

describe('thirty thousand random rules and calls', () => {
  const leaf = fc.constantFrom<Json>('/etc/a', '/tmp/a', '', 'x', 1, 2, true, false, null)
  const value = fc.oneof(
    { weight: 3, arbitrary: leaf },
    fc.array(leaf, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('k', 'l'), leaf, { maxKeys: 2 }),
  )
  const pattern = fc.oneof(fc.constantFrom<Json>('/etc/*', '*', '/tmp/a', '*a'), value)
  const fields = <T>(of: fc.Arbitrary<T>) => fc.dictionary(fc.constantFrom('a', 'b'), of, { maxKeys: 2 })
  const verdict = fc.constantFrom<Verdict>('allow', 'ask', 'deny')
  const rule: fc.Arbitrary<Rule> = fc.record({
    tool: fc.constantFrom('act', 'a*', 'other'),
    verdict,
    input: fields(pattern) as fc.Arbitrary<JsonObject>,
  })

  /** Whether a text fits a pattern, said in another way. */
  const fits = (text: string, starred: string): boolean =>
    new RegExp(
      `^${starred
        .split('*')
        .map((piece) => piece.replace(/[^a-z0-9]/gi, '\\$&'))
        .join('[\\s\\S]*')}$`,
    ).test(text)
  const isExact = (wanted: Json, actual: Json | undefined): boolean =>
    actual !== undefined &&
    (typeof wanted === 'string' ? typeof actual === 'string' && fits(actual, wanted) : canonicalJson(actual) === canonicalJson(wanted))
  /** Whether a value is one that the pattern was written for. */
  const kindOf = (of: Json): string => (of === null ? 'null' : Array.isArray(of) ? `list of ${of.length}` : typeof of)

  it('end with the strictest verdict: exact matches always count, and a deny or ask never misses a value of another shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 3 }), fields(value), verdict, async (rules, input, fallback) => {
        const found = await verdictOf({ rules, default: fallback }, input as JsonObject)
        const named = rules.filter(({ tool: name }) => name !== 'other')
        const order: readonly Verdict[] = ['allow', 'ask', 'deny']
        const matches = ({ verdict: kind, input: patterns = {} }: Rule): boolean =>
          Object.entries(patterns).every(([key, wanted]) => {
            const actual = (input as JsonObject)[key]
            if (isExact(wanted as Json, actual)) return true
            if (kind === 'allow' || actual === undefined || actual === null) return false
            return kindOf(actual) !== kindOf(wanted as Json)
          })
        const met = named.filter(matches).map(({ verdict: kind }) => order.indexOf(kind))
        const least = met.length > 0 ? Math.max(...met) : undefined
        const reached = order.indexOf(found)
        // Inside objects of the same kind a deny may be met by more than equal values: it is never met by less.
        if (least !== undefined) expect(reached).toBeGreaterThanOrEqual(least)
        const isNested = named.some(({ input: patterns = {} }) =>
          Object.values(patterns).some((wanted) => typeof wanted === 'object' && wanted !== null),
        )
        if (!isNested) expect(found).toBe(least === undefined ? fallback : order[least])
      }),
      { numRuns: 30_000 },
    )
  })
})
