/** Properties of the offline model over generated tools and sentences (OFFLINE-1 to OFFLINE-5). */
import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { jsonSchema } from '@loom-agent/agent'
import type { JsonObject } from '@loom-agent/kernel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offlineModel } from '../src/offline/offline-model.ts'

const model = offlineModel({ env: () => ({}) })
const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })

type Schema = LanguageModelV4FunctionTool['inputSchema']

const verbs = ['get', 'list', 'create', 'delete', 'send', 'transfer', 'update', 'paint', 'archive']
const nouns = ['report', 'order', 'ticket', 'room', 'invoice', 'message', 'car']
const argumentNames = ['id', 'name', 'city', 'amount', 'title', 'path', 'from', 'to', 'date', 'email', 'content', 'priority', 'urgent', 'count']
const schemas: readonly Schema[] = [
  { type: 'string' },
  { type: 'string', minLength: 2, maxLength: 12 },
  { type: 'number' },
  { type: 'integer', minimum: 1, maximum: 50 },
  { type: 'boolean' },
  { type: 'string', enum: ['low', 'high', 'open'] },
  { type: 'array', items: { type: 'string' } },
  { type: 'object' },
]

const tools = fc.uniqueArray(
  fc
    .record({
      verb: fc.constantFrom(...verbs),
      noun: fc.constantFrom(...nouns),
      fields: fc.uniqueArray(fc.tuple(fc.constantFrom(...argumentNames), fc.constantFrom(...schemas), fc.boolean()), {
        maxLength: 4,
        selector: ([name]) => name,
      }),
    })
    .map(
      ({ verb, noun, fields }): LanguageModelV4FunctionTool => ({
        type: 'function',
        name: `${verb}_${noun}`,
        description: `${verb}s a ${noun}.`,
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(fields.map(([name, schema]) => [name, schema])),
          required: fields.filter(([, , isRequired]) => isRequired).map(([name]) => name),
          additionalProperties: false,
        },
      }),
    ),
  { minLength: 1, maxLength: 4, selector: ({ name }) => name },
)

const values = [
  '5',
  '12.5',
  '-3',
  'A-7',
  'Paris',
  'New York',
  'notes.txt',
  '2026-01-31',
  '09:30',
  'bob@example.com',
  '"some text"',
  'high',
  'yes',
  '北京',
]
const words = [
  'from',
  'to',
  'in',
  'for',
  'with',
  'and',
  'then',
  'the',
  'not',
  'all',
  'tomorrow',
  'it',
  'except',
  ',',
  ':',
  '=',
  '?',
  '{',
  '请',
  '删除',
  'please',
]
const pieces = fc.oneof(
  ...[values, words, verbs, nouns, argumentNames].map((list) => fc.constantFrom(...list)),
  fc.tuple(fc.constantFrom(...argumentNames), fc.constantFrom(...values)).map(([name, value]) => `${name}: ${value},`),
)
/** Tools, and any words. */
const anything = fc.record({ given: tools, parts: fc.array(pieces, { maxLength: 9 }) })
/** Tools, and an order to the first of them with values for some of its arguments. */
const orders = tools.chain((given) => {
  const names = Object.keys(given[0]?.inputSchema.properties ?? {})
  const part = (name: string): fc.Arbitrary<string> =>
    fc
      .tuple(fc.constantFrom('', '', `${name} `, `${name}: `, `${name}=`, 'in ', 'to ', 'for '), fc.constantFrom('', ...values))
      .map(([label, value]) => (value === '' ? '' : `${label}${value}${label.endsWith(': ') ? ',' : ''}`))
  const rest = fc.tuple(...names.map(part), fc.constantFrom('', '', '', ...words, ...values))
  return rest.map((parts) => ({ given, parts: [...(given[0]?.name ?? '').split('_'), ...parts.filter((each) => each !== '')] }))
})

/** Whether a value stands in the sentence, or the schema names it. */
function comesFrom(sentence: string, name: string, { value, schema }: { value: unknown; schema: Schema }): boolean {
  if (schema.enum) return schema.enum.includes(value as string) && sentence.toLowerCase().includes(String(value))
  if (Array.isArray(value)) return value.every((item) => sentence.includes(String(item)))
  if (typeof value === 'boolean') return sentence.includes(name)
  return sentence.includes(String(value))
}

async function callsOf(
  sentence: string,
  given: readonly LanguageModelV4FunctionTool[],
): Promise<{ text: string; calls: { tool: string; input: JsonObject }[] }> {
  const { content } = await model.doGenerate({ prompt: [user(sentence)], tools: [...given] })
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: content.flatMap((part) => (part.type === 'tool-call' ? [{ tool: part.toolName, input: JSON.parse(part.input) as JsonObject }] : [])),
  }
}

test('each argument of a call stands in the sentence or in the schema, and the input fits the schema (OFFLINE-1)', async () => {
  let called = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(anything, { arbitrary: orders, weight: 3 }), async ({ given, parts }) => {
      const sentence = parts.join(' ')
      const { text, calls } = await callsOf(sentence, given)
      if (calls.length === 0) expect(text).toMatch(/Nothing was done\.|I can calculate| = /)
      else called += 1
      for (const { tool, input } of calls) {
        const schema = given.find(({ name }) => name === tool)?.inputSchema ?? {}
        expect((await jsonSchema(schema as JsonObject)['~standard'].validate(input)).issues).toBeUndefined()
        for (const [name, value] of Object.entries(input)) {
          const field = schema.properties?.[name]
          expect(typeof field === 'object' && comesFrom(sentence, name, { value, schema: field }), `${name} of ${sentence}`).toBe(true)
        }
      }
    }),
    { numRuns: 1500 },
  )
  expect(called).toBeGreaterThan(100)
})

test('a call leaves nothing out: each value of the sentence is in its input (OFFLINE-2)', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async ({ given, parts }) => {
      const sentence = parts.join(' ')
      const { calls } = await callsOf(sentence, given)
      if (calls.length === 0 || sentence.includes('then')) return
      const used = Object.values(calls[0]?.input ?? {}).map((value) => (typeof value === 'boolean' ? 'yes' : String(value)))
      for (const value of values.filter((each) => sentence.includes(each))) {
        expect(
          used.some((each) => each.includes(value.replaceAll('"', '')) || value.includes(each)),
          `${value} of ${sentence}`,
        ).toBe(true)
      }
    }),
    { numRuns: 1500 },
  )
})

test('a tool whose required argument is not said is never called', async () => {
  await fc.assert(
    fc.asyncProperty(tools, fc.constantFrom('', ' now', ' please', ' in', ' for the'), async (given, ending) => {
      for (const { name, inputSchema } of given) {
        const { calls, text } = await callsOf(`${name.replace('_', ' the ')}${ending}`, given)
        if ((inputSchema.required ?? []).length === 0) continue
        expect(calls).toEqual([])
        expect(text).toContain(`I still need ${inputSchema.required?.join(', ')} to call ${name}`)
      }
    }),
    { numRuns: 200 },
  )
})

test('a call that failed is never reported as done', async () => {
  const outputs: fc.Arbitrary<LanguageModelV4ToolResultOutput> = fc.oneof(
    fc.string().map((value) => ({ type: 'error-text' as const, value })),
    fc.jsonValue().map((value) => ({ type: 'error-json' as const, value: value as JsonObject })),
    fc.string().map((reason) => ({ type: 'execution-denied' as const, reason })),
  )
  await fc.assert(
    fc.asyncProperty(anything, outputs, async ({ given, parts }, output) => {
      const [tool] = given
      const prompt: LanguageModelV4Message[] = [
        user(parts.join(' ')),
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: tool?.name ?? '', input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: tool?.name ?? '', output }] },
      ]
      const { content } = await model.doGenerate({ prompt, tools: [...given] })
      expect(content.map(({ type }) => type)).toEqual(['text'])
      expect(content[0]?.type === 'text' && content[0].text).toContain(`${tool?.name} did not succeed: `)
      expect(content[0]?.type === 'text' && content[0].text).not.toContain(`${tool?.name} returned`)
    }),
    { numRuns: 300 },
  )
})
