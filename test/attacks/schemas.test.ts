/** Arguments and answers that take long to check: against schemas with many ways to the same place, against lists of unique items, and to write out. */
import { agent, jsonSchema, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import { callsEach } from './till.ts'

/** An ordinary filter: `and` and `or` take filters, and both are called the same. */
const joined = (op: string) => ({
  type: 'object',
  properties: { op: { const: op }, of: { type: 'array', items: { $ref: '#/$defs/filter' } } },
  required: ['op', 'of'],
})
const field = { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] }
const filters = { $ref: '#/$defs/filter', $defs: { filter: { anyOf: [joined('and'), joined('or'), field] } } }

type Filter = { field: string } | { op: string; of: readonly Filter[] }
const nested = (depth: number): Filter => (depth === 0 ? { field: 'a' } : { op: 'and', of: [nested(depth - 1)] })

const check = (json: Parameters<typeof jsonSchema>[0], value: unknown) => jsonSchema(json)['~standard'].validate(value)
const refused = async (json: Parameters<typeof jsonSchema>[0], value: unknown) => (await check(json, value)).issues !== undefined

describe('a reference that leads back to where it came from', () => {
  it('is not followed twice as often for each level of the arguments', async () => {
    const ran: unknown[] = []
    const model = scriptedModel([{ calls: [{ tool: 'find', input: { filter: nested(17) } }] }, 'end'])
    const input = jsonSchema({ type: 'object', properties: { filter: { $ref: '#/$defs/filter' } }, $defs: filters.$defs })
    const find = tool({ name: 'find', input, run: (given) => ran.push(given) })
    const { steps } = await agent({ model, tools: [find] }).run('go')
    expect(steps[0]?.calls).toMatchObject([{ status: 'error', errorType: 'validation', output: expect.stringContaining('nested too deeply') }])
    expect(ran).toEqual([])
  })

  it('is not followed so in an answer', async () => {
    const model = scriptedModel([JSON.stringify(nested(17)), JSON.stringify(nested(3))])
    expect(await agent({ model, output: jsonSchema(filters) }).run('go')).toMatchObject({ status: 'done', turns: 2 })
  })

  it('is followed as often as a large value needs it', async () => {
    const wide = { op: 'or', of: Array.from({ length: 1_500 }, () => nested(2)) }
    expect(await refused(filters, wide)).toBe(false)
    expect(await refused(filters, { ...wide, of: [...wide.of, { field: 1 }] })).toBe(true)
  })
})

describe('a long list of unique items', () => {
  const unique = { type: 'array', uniqueItems: true }
  const numbers = (length: number) => Array.from({ length }, (_, index) => ({ index }))

  it('is not compared pair by pair', async () => {
    let reads = 0
    const ownKeys = (item: object): (string | symbol)[] => {
      reads += 1
      return Reflect.ownKeys(item)
    }
    const items = numbers(2_000).map((item) => new Proxy(item, { ownKeys }))
    expect(await refused(unique, items)).toBe(false)
    expect(reads).toBeLessThan(20 * items.length)
  })

  it.each([5, 1_000, 1_001, 3_000])('of %i items is refused when an item is there twice, in whatever order its fields are', async (length) => {
    const two = [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ]
    expect(await refused(unique, [...numbers(length - 2), ...two])).toBe(true)
    expect(await refused(unique, [...numbers(length - 2), { a: 1, b: [2] }, { a: 1, b: [3] }])).toBe(false)
  })

  it('is looked for only where the schema wants one', async () => {
    const schema = { type: 'object', properties: { ids: unique, scores: { type: 'array' }, uniqueItems: true }, additionalProperties: false }
    const scores = [...numbers(2_000), ...numbers(1)]
    expect(await refused(schema, { ids: numbers(2_000), scores, uniqueItems: 1 })).toBe(false)
    expect(await refused(schema, { ids: scores, scores })).toBe(true)
    expect(await refused({ not: unique }, scores)).toBe(false)
    expect(await refused({ not: unique }, numbers(2_000))).toBe(true)
    expect(await refused({ anyOf: [unique, { maxItems: 3 }] }, scores)).toBe(true)
  })
})

describe('a schema of a stranger', () => {
  const long = `${'a'.repeat(50_000)}!`

  it.each(['^(a+)+$', '^(a|a)*$', '(.*)*x', 'a*a*a*a*a*b$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'has the pattern %s, which is asked without end',
    async (pattern) => {
      expect(await refused({ type: 'string', pattern }, long)).toBe(true)
      expect(await refused({ patternProperties: { [pattern]: false }, minProperties: 1 }, { [long]: 1 })).toBe(false)
      expect(await refused({ propertyNames: { pattern } }, { [long]: 1 })).toBe(true)
    },
  )

  it.each([
    ['(a)\\1', 'it refers back'],
    ['(?:){99999999}', 'it has more than'],
    ['(?<=(a+)+)$', 'it looks behind'],
  ])('has the pattern %s, which cannot be asked, and is named', async (pattern, words) => {
    for (const json of [{ pattern }, { patternProperties: { [pattern]: true } }, { properties: { deep: { anyOf: [{ pattern }] } } }])
      await expect((async () => check(json, 'a'))()).rejects.toMatchObject({
        code: 'LOOM_SCHEMA_UNSUPPORTED',
        message: expect.stringContaining(words),
        context: { pattern },
      })
  })

  it.each([
    ['looks ahead from every place', { pattern: '(?:(?=(a+)+$)a)*!$' }, 'a'.repeat(50_000)],
    ['has a thousand patterns', { allOf: Array.from({ length: 1_000 }, (_, index) => ({ pattern: `(a+)+${index}` })) }, 'a'.repeat(100_000)],
    ['counts to more than a text has room for', { pattern: '^a{0,9000}b' }, 'a'.repeat(50_000)],
    [
      'says ten thousand things of each of ten thousand',
      { items: { allOf: Array.from({ length: 10_000 }, () => ({ minimum: 1 })) } },
      Array.from({ length: 10_000 }, (_, index) => index),
    ],
  ])('%s, and the value is refused', async (_, json, value) => {
    await expect((async () => check(json as Parameters<typeof jsonSchema>[0], value))()).rejects.toThrow(/too many steps|too long/)
  })

  it.each(['url', 'uri', 'email', 'hostname', 'uri-template', 'regex', 'duration', 'json-pointer', 'ipv6'])('has the format %s', async (format) => {
    const texts = [
      `http://${'a'.repeat(60_000)}!`,
      `http://${'a-'.repeat(40)}!`,
      `http://${'@a:'.repeat(5_000)}`,
      `"${'\\a'.repeat(20_000)}`,
      '/'.repeat(65_000),
    ]
    for (const text of [...texts, `{${'a.'.repeat(20_000)}`, '1:'.repeat(20_000), `P${'1'.repeat(60_000)}`, 'a'.repeat(1_000_000)])
      expect((await check({ format }, text)).issues?.length ?? 0).toBeLessThan(2)
  })

  it('has a list of many objects, which a list of many objects is compared with', async () => {
    let reads = 0
    const counted = (item: object) =>
      new Proxy(item, {
        ownKeys(target) {
          reads += 1
          return Reflect.ownKeys(target)
        },
      })
    const known = Array.from({ length: 3_000 }, (_, index) => ({ index, of: { a: 'x' } }))
    const items = Array.from({ length: 2_000 }, (_, index) => counted({ of: { a: 'x' }, index }))
    expect(await refused({ items: { enum: known } }, items)).toBe(false)
    expect(reads).toBeLessThan(20 * items.length)
    expect(await refused({ items: { enum: known } }, [{ index: 3_001, of: { a: 'x' } }])).toBe(true)
  })
})

it('a result whose parts are shared many times over is not written out', async () => {
  const doubled = (levels: number): unknown => {
    let value: unknown = 'x'
    for (let level = 0; level < levels; level += 1) value = [value, value]
    return value
  }
  const act = tool({ name: 'act', run: () => doubled(23) })
  const { steps } = await agent({ model: callsEach('act'), tools: [act] }).run('go')
  expect(steps[0]?.calls).toMatchObject([{ output: expect.stringMatching(/^\[unreadable value: it has more than \d+ parts\]$/) }])
})
