/** Structured output: the smallest value that fits a JSON Schema, with what the text says put in. */
import { coerce } from './filling.ts'
import { type JsonSchema, type Slot, slotsOf, typeOf } from './slots.ts'

/** What values are made from. */
export interface InstanceScene {
  readonly root: JsonSchema
  /** What was said and found. */
  readonly text: string
  /** The answer in words, for a field that wants one. */
  readonly answer: string
  /** Values that the fields of an object were given by name. */
  readonly filled: (schema: JsonSchema) => Readonly<Record<string, unknown>>
}

const deepest = 20
const samples: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00Z',
  date: '1970-01-01',
  time: '00:00:00Z',
  email: 'nobody@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A value that fits the schema. */
export function instanceOf(schema: JsonSchema, scene: InstanceScene, depth = 0): unknown {
  const plain = resolved(schema, scene.root)
  if (plain.const !== undefined) return plain.const
  if (plain.default !== undefined) return plain.default
  if (plain.enum) return chosenOf(plain.enum, scene.text)
  if (depth > deepest) return null
  switch (typeOf(plain)) {
    case 'object':
      return objectOf(plain, scene, depth)
    case 'array':
      return Array.from({ length: plain.minItems ?? 0 }, () => instanceOf(plain.items ?? {}, scene, depth + 1))
    case 'boolean':
      return false
    case 'number':
    case 'integer':
      return leastOf(plain)
    case 'null':
      return null
    default:
      return textOf(plain)
  }
}

function objectOf(schema: JsonSchema, scene: InstanceScene, depth: number): Record<string, unknown> {
  const given = scene.filled(schema)
  const entries = slotsOf(schema).flatMap((slot) => {
    const field = schema.properties?.[slot.name] ?? {}
    if (slot.name in given) return [[slot.name, given[slot.name]] as const]
    if (!schema.required?.includes(slot.name)) return []
    return [[slot.name, isAnswer(slot) ? scene.answer : instanceOf(field, scene, depth + 1)] as const]
  })
  return Object.fromEntries(entries)
}

/** A field for prose that nothing was said for takes the answer itself. */
function isAnswer({ kind, name, schema }: Slot): boolean {
  return kind === 'prose' && schema.format === undefined && /answer|summary|text|message|content|result|reply|response|description/i.test(name)
}

/** Follows references and joins what is required together; of several forms the first that is not null. */
function resolved(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  if (depth > deepest) return {}
  if (schema.$ref !== undefined) {
    const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(schema.$ref)?.[1]
    const target = schema.$ref === '#' ? root : name === undefined ? undefined : (root.$defs?.[name] ?? root.definitions?.[name])
    return target ? resolved(target, root, depth + 1) : {}
  }
  const [first] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ type }) => type !== 'null')
  const joined = [...(schema.allOf ?? []), ...(first ? [first] : [])].map((part) => resolved(part, root, depth + 1))
  if (joined.length === 0) return schema
  const parts = [schema, ...joined]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

const chosenOf = (choices: readonly unknown[], text: string): unknown =>
  choices.find((choice) => typeof choice === 'string' && text.toLowerCase().includes(choice.toLowerCase())) ?? choices[0]

/** The number nearest to 0 that is allowed. */
function leastOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): number {
  const least = exclusiveMinimum === undefined ? (minimum ?? Number.NEGATIVE_INFINITY) : exclusiveMinimum + 1
  const most = exclusiveMaximum === undefined ? (maximum ?? Number.POSITIVE_INFINITY) : exclusiveMaximum - 1
  return Math.min(Math.max(0, least), most)
}

/** Whether what was said may stand there. */
function isAllowed({ minimum, maximum, minLength, maxLength, format }: JsonSchema, value: unknown): boolean {
  if (typeof value === 'number') return value >= (minimum ?? value) && value <= (maximum ?? value)
  if (typeof value !== 'string') return true
  return value.length >= (minLength ?? 0) && value.length <= (maxLength ?? value.length) && (format === undefined || fits(format, value))
}

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[-+]\d{2}:\d{2})$/,
  email: /^\S+@\S+\.\S+$/,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
}

const fits = (format: string, value: string): boolean => formats[format]?.test(value) ?? false

function textOf({ format, minLength = 0 }: JsonSchema): string {
  const sample = format === undefined ? '' : (samples[format] ?? '')
  return sample.padEnd(minLength, '-')
}

/** Numbers and texts that a sentence names for the fields of an object, such as `name: Ada`. */
export function namedIn(text: string, schema: JsonSchema): Readonly<Record<string, unknown>> {
  const found = slotsOf(schema).flatMap((slot) => {
    const name = slot.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[_-]/g, '[ _-]')
    const match = new RegExp(
      `(?<![\\w])${name}\\s*(?:is|are|was|=|:|：|是|为)\\s*["“]?([^"”,，;；。\\n]+?)["”]?(?=[,，;；。\\n]|\\.(?:\\s|$)|\\s+and\\s|$)`,
      'i',
    ).exec(text)
    const value = match?.[1] === undefined ? undefined : coerce(slot, match[1])
    return value === undefined || !isAllowed(slot.schema, value) ? [] : [[slot.name, value] as const]
  })
  return Object.fromEntries(found)
}
