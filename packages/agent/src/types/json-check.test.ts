import { validate } from '@cfworker/json-schema'
import type { JsonObject } from '@loom-agent/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonCheck } from './json-check.ts'

const plain = fc.constantFrom(0, 1, 2.5, 0.3, -3, 'a', 'ab', 'abc', '', true, null)
const names = fc.constantFrom('a', 'b', 'c', 'aa', 'x/y', 'constructor')
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, plain, fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(names, tie('value'), { maxKeys: 4 })),
}))
const simple: readonly (boolean | JsonObject)[] = [
  true,
  false,
  { type: 'string' },
  { type: 'integer' },
  { type: ['object', 'array'] },
  { const: [1] },
  { enum: ['a', [1], { a: 1 }, 0] },
  { minimum: 0, exclusiveMaximum: 2 },
  { maximum: 1, exclusiveMinimum: -3 },
  { multipleOf: 0.1 },
  { minLength: 1, maxLength: 2 },
  { pattern: 'b$' },
  { format: 'date' },
  { uniqueItems: true },
  { minItems: 1, maxItems: 2 },
  { minProperties: 1, maxProperties: 2 },
  { required: ['a'] },
  { $ref: '#/$defs/text' },
]
const { schema } = fc.letrec((tie) => {
  const one = tie('schema')
  const part = fc.oneof(
    fc.record({ properties: fc.record({ a: one, b: one }) }),
    fc.record({ properties: fc.record({ a: one }), patternProperties: fc.record({ '^a': one }), additionalProperties: one }),
    fc.record({ items: one }),
    fc.record({ items: fc.tuple(one, one), additionalItems: one }),
    fc.record({ prefixItems: fc.tuple(one), items: one }),
    fc.record({ contains: one }),
    fc.record({ contains: one, minContains: fc.constantFrom(0, 1, 2), maxContains: fc.constant(2) }),
    fc.record({ anyOf: fc.tuple(one, one) }),
    fc.record({ allOf: fc.tuple(one, one) }),
    fc.record({ oneOf: fc.tuple(one, one) }),
    fc.record({ not: one }),
    fc.record(Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, one]))),
    fc.record({ propertyNames: one }),
    fc.record({ dependencies: fc.record({ a: fc.constant(['b']), b: one }) }),
    fc.record({ dependentRequired: fc.constant({ a: ['c'] }), dependentSchemas: fc.record({ b: one }) }),
  )
  const joined = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => Object.assign({}, ...parts))
  return { schema: fc.oneof({ maxDepth: 3 }, fc.constantFrom(...simple), joined) }
})

describe('the check of a JSON Schema', () => {
  it('lets through what the library lets through', () => {
    let valid = 0
    let invalid = 0
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 3, maxLength: 6 }), (made, values) => {
        const json = { allOf: [made], $defs: { text: { type: 'string', pattern: 'a' } } } as unknown
        const check = createJsonCheck(json as JsonObject)
        for (const each of values) {
          const expected = validate(each, structuredClone(json) as object, '7', undefined, false).valid
          expect([each, check(each).issues === undefined]).toEqual([each, expected])
          if (expected) valid += 1
          else invalid += 1
        }
      }),
      { numRuns: 3_000, seed: 12 },
    )
    expect(Math.min(valid, invalid)).toBeGreaterThan(1_000)
  })

  it('names the place of each problem', () => {
    const check = createJsonCheck({ properties: { a: { items: { type: 'string' } }, 'x/y': { const: 1 } }, required: ['b'] })
    expect(check({ a: ['ok', 2], 'x/y': 2 }).issues).toEqual([
      { message: 'Instance does not have required property "b".', path: [] },
      { message: 'Instance type "number" is invalid. Expected "string".', path: ['a', 1] },
      { message: 'Instance does not match 1.', path: ['x/y'] },
    ])
  })

  it('counts for unevaluated names those that other schemas have spoken of', () => {
    const check = createJsonCheck({ allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false })
    expect(check({ a: 1, b: 1 }).issues).toBeUndefined()
    expect(check({ a: 1, c: 1 }).issues).toHaveLength(2)
  })

  it('takes a frozen schema with references', () => {
    const json = Object.freeze({ $ref: '#/$defs/a', $defs: Object.freeze({ a: Object.freeze({ $ref: '#/$defs/b' }), b: { type: 'string' } }) })
    expect(createJsonCheck(json)('x').issues).toBeUndefined()
    expect(createJsonCheck(json)(1).issues).toBeDefined()
  })

  it('ignores names that every object inherits', () => {
    expect(createJsonCheck({ required: ['constructor'] })({}).issues).toHaveLength(1)
    expect(createJsonCheck(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'))(JSON.parse('{"__proto__":1}')).issues).toHaveLength(1)
  })
})
