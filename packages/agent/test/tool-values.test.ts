/** What goes into a tool and what comes out of it, in the forms that people and models really use. */
import { agent, jsonSchema, type Schema, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf } from './journals.ts'
import { trial } from './verdicts.ts'

/** Runs one call and gives what the model reads, and what the journal holds of it. */
async function result(tools: Parameters<typeof agent>[0]['tools'], input: unknown = {}, behaviour: { outputLimit?: number } = {}) {
  const model = scriptedModel([{ calls: [{ tool: 'act', input }] }, 'ok'])
  const worker = agent({ model, tools: tools ?? [], behaviour })
  await worker.run('go', { thread: 't' })
  const [finished] = await factsOf(worker, 't', 'tool.finished')
  return { shown: JSON.stringify(model.requests[1]?.prompt.at(-1)), outcome: finished?.data, requests: model.requests }
}

const standard = (validate: (value: unknown) => unknown): object => ({
  version: 1,
  vendor: 'hand-made',
  validate,
  jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
})

describe('tools', () => {
  test('may be plain functions, named by their key or by themselves', async () => {
    const add = ({ a, b }: { a: number; b: number }) => a + b
    expect((await result({ act: add }, { a: 2, b: 3 })).outcome).toMatchObject({ status: 'success', output: { value: 5 } })
    const act = () => 'acted'
    expect((await result([act])).outcome).toMatchObject({ output: { value: 'acted' } })
  })

  test.each([
    ['an object', {}],
    ['an object with an empty name', { name: '' }],
    [
      'a function without a name',
      (
        () => () =>
          1
      )(),
    ],
  ])('in a list must have names: %s has none', (_, value) => {
    expect(() => agent({ tools: [value as never] })).toThrow(expect.objectContaining({ code: 'LOOM_TOOL_NAME_INVALID' }))
  })

  test('that are wrong are refused where they are defined, with or without a name', () => {
    const refused = (context: object) => expect.objectContaining({ code: 'LOOM_TOOL_INVALID', context })
    expect(() => tool({} as never)).toThrow(refused({ what: 'tool()', key: 'run' }))
    for (const timeout of [0, -1, Number.NaN]) {
      expect(() => tool({ name: 'act', schedule: { timeout }, run: () => 1 })).toThrow(refused({ what: 'tool act', key: 'schedule.timeout' }))
    }
  })

  test('with a JSON Schema refuse arguments in sentences: no stop is doubled, and each fault is named once', async () => {
    const schema = { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'number' } } } }, required: ['a', 'c'] }
    const act = tool({ name: 'act', input: jsonSchema(schema), run: () => 1 })
    const { outcome } = await result([act], { a: { b: 'x' } })
    expect(outcome?.output?.value).toBe(
      'The arguments of act do not fit: Instance does not have required property "c"; a.b: Instance type "string" is invalid. Expected "number". Check names and types, and call it again.',
    )
    const throws = standard(() => {
      throw new Error('It broke.')
    })
    const broken = await result([tool({ name: 'act', input: { '~standard': throws } as Schema, run: () => 1 })])
    expect(broken.outcome?.output?.value).toContain('do not fit: It broke. Check')
  })

  test('may say by a function whether they are available now', async () => {
    const act = (available: () => boolean) => [tool({ name: 'act', available, run: () => 'acted' })]
    expect((await result(act(() => true))).outcome).toMatchObject({ status: 'success' })
    expect((await result(act(() => false))).outcome).toMatchObject({ errorType: 'unavailable' })
  })
})

describe('arguments', () => {
  test('that are no object reach a tool without a schema as they are', async () => {
    const given: unknown[] = []
    const act = tool({ name: 'act', run: (value) => void given.push(value) })
    for (const input of ['"a word"', '[1,"two",{"three":3}]', '7', 'true']) await result([act], input)
    expect(given).toEqual(['a word', [1, 'two', { three: 3 }], 7, true])
  })

  test('of which a text alone is too long are refused', async () => {
    const { outcome } = await result([tool({ name: 'act', run: () => 1 })], JSON.stringify('x'.repeat(300_000)))
    expect(outcome).toMatchObject({ errorType: 'validation', output: { value: expect.stringContaining('Send less.') } })
  })

  test('that are not JSON are shown to the model, cut', async () => {
    const { shown } = await result([tool({ name: 'act', run: () => 1 })], `{"a": ${'x'.repeat(500)}`)
    expect(shown).toContain(`${'x'.repeat(190)}`)
    expect(shown).toContain('...')
    expect(shown).not.toContain('x'.repeat(250))
  })

  test('that are no object have no names: a pattern that denies is met by them, and one that allows is not', async () => {
    const verdictOf = async (verdict: 'allow' | 'deny') => {
      const permissions = {
        rules: [{ tool: '*', input: { 0: '*' }, verdict }],
        default: verdict === 'allow' ? ('deny' as const) : ('allow' as const),
      }
      return (await trial({ permissions, input: ['a word'] })).verdict
    }
    expect([await verdictOf('deny'), await verdictOf('allow')]).toEqual(['deny', 'deny'])
  })
})

describe('schemas', () => {
  test('may be functions, as some libraries make them', async () => {
    const schema = Object.assign(() => {}, { '~standard': standard((value) => ({ value })) }) as object as Schema
    expect((await result([tool({ name: 'act', input: schema, run: () => 'acted' })])).outcome).toMatchObject({ status: 'success' })
  })

  test('name the place of a problem, in either form of the standard', async () => {
    const issues = [{ message: 'too small', path: ['list', { key: 0 }, 'size'] }, { message: 'all wrong' }]
    const schema = { '~standard': standard(() => ({ issues })) } as object as Schema
    const { shown } = await result([tool({ name: 'act', input: schema, run: () => 1 })])
    expect(shown).toContain('list.0.size: too small; all wrong')
  })

  test('keep their patterns, but for those that a format says already', async () => {
    const input = z.object({ code: z.string().regex(/^[A-Z]{3}$/), mail: z.email() })
    const { requests } = await result([tool({ name: 'act', input, run: () => 1 })], { code: 'ABC', mail: 'a@example.com' })
    const [spec] = requests[0]?.tools ?? []
    expect(spec).toMatchObject({ inputSchema: { properties: { code: { pattern: '^[A-Z]{3}$' }, mail: { format: 'email' } } } })
    expect(JSON.stringify(spec)).not.toContain('"format":"email","pattern"')
  })

  test('of JSON may leave the checking to another schema, and say themselves what they accept and give', async () => {
    const json = { type: 'object', properties: { n: { type: 'number' } } } as const
    const input = jsonSchema<{ n: number }>(json, { validate: z.object({ n: z.number().int() }) })
    const act = tool({ name: 'act', input, run: ({ n }) => n })
    expect((await result([act], { n: 1.5 })).outcome).toMatchObject({ errorType: 'validation' })
    expect((await result([act], { n: 2 })).outcome).toMatchObject({ output: { value: 2 } })
    const said = input['~standard'] as object as { jsonSchema: { input(): unknown; output(): unknown } }
    expect([said.jsonSchema.input(), said.jsonSchema.output()]).toEqual([json, json])
  })
})

describe('what a tool gives', () => {
  test('that is too big as JSON reaches the model as text, cut', async () => {
    const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}` }))
    const { outcome } = await result([tool({ name: 'act', run: () => rows })], {}, { outputLimit: 500 })
    expect(outcome).toMatchObject({ status: 'success', output: { type: 'text' }, meta: { cut: JSON.stringify(rows).length } })
    expect(outcome?.output.value).toMatch(/^\[\{"id":0.*characters left out.*"row 199"\}\]$/s)
  })

  test('when a time of its own is over is a time-out, like any other', async () => {
    const act = tool({
      name: 'act',
      run: () => {
        throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      },
    })
    expect((await result([act])).outcome).toMatchObject({ status: 'error', errorType: 'timeout' })
  })
})

test('a tool that cannot say its own permission is denied, whatever the policy says of others', async () => {
  const permission = () => {
    throw new Error('the directory is down')
  }
  const permissions = { rules: [{ tool: 'other', verdict: 'allow' as const }], default: 'allow' as const }
  for (const twice of [1, 2]) {
    const { verdict, shown } = await trial({ permissions, permission })
    expect([twice, verdict]).toEqual([twice, 'deny'])
    expect(shown).toContain('the directory is down')
  }
})
