/** The fields of a tool's input, by what can fill them. */
import { conceptsOf } from './language/lexicon.ts'

/** As much of a JSON Schema as the rules look at. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly definitions?: Readonly<Record<string, JsonSchema>>
}

/** What can fill a field. `prose` is the user's own words; `name` is a short name such as a city; `other` cannot be filled from a sentence. */
export type SlotKind =
  | 'url'
  | 'email'
  | 'date'
  | 'expression'
  | 'query'
  | 'path'
  | 'id'
  | 'prose'
  | 'name'
  | 'choice'
  | 'number'
  | 'boolean'
  | 'texts'
  | 'other'

/** A field. */
export interface Slot {
  readonly name: string
  readonly kind: SlotKind
  readonly required: boolean
  readonly schema: JsonSchema
  /** What its name says. */
  readonly named: ReadonlySet<string>
  /** What its name and description say. */
  readonly concepts: ReadonlySet<string>
  readonly description: string
}

/** Kinds of texts by the field's name, then by its description. The first that fits is believed. */
const byName: readonly (readonly [SlotKind, RegExp])[] = [
  ['url', /(?:^|_)(?:ur[il]|link|href|website|endpoint)s?$/],
  ['email', /mail/],
  ['expression', /expression|formula|equation|calculation/],
  ['date', /(?:^|_)(?:date|day|due|deadline|birthday)(?:_|$)/],
  ['query', /query|pattern|glob|regex|keyword|search|term|needle/],
  ['path', /path|file|folder|(?:^|_)dir(?:ectory)?|^(?:source|destination|src|dest|target)$/],
  [
    'prose',
    /content|body|text|message|title|subject|question|prompt|task|instruction|note|summary|description|comment|reason|caption|todo|item|goal|input$/,
  ],
  ['id', /(?:^|_)(?:id|number|no|code|sku|key|reference)$/],
]
const byDescription: readonly (readonly [SlotKind, RegExp])[] = [
  ['path', /\bpath\b|路径/i],
  ['url', /\burl\b|网址|链接/i],
  ['email', /e-?mail address|邮箱/i],
  ['id', /\b(?:id|number)\b|编号|号码|账号/i],
]

/** The fields of an input schema, in their order. */
export function slotsOf(schema: JsonSchema): readonly Slot[] {
  const required = schema.required ?? []
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const chosen = choiceOf(field)
    const { description = '' } = field
    return {
      name,
      kind: kindOf(name, chosen),
      required: required.includes(name) && field.default === undefined && field.const === undefined,
      schema: chosen,
      named: meaningsOf(name),
      concepts: meaningsOf(`${name} ${description}`),
      description,
    }
  })
}

const meaningsOf = (text: string): ReadonlySet<string> =>
  new Set(
    conceptsOf(text.replace(/\b(user|file|host)(name)\b/gi, '$1 $2')).flatMap(({ concept, filler, known }) => (filler && !known ? [] : [concept])),
  )

/** Of several forms the first that is not null. */
function choiceOf(schema: JsonSchema): JsonSchema {
  const chosen = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  return chosen ? { ...schema, ...choiceOf(chosen) } : schema
}

/** The type of a schema; of several the first that is not null. */
export function typeOf({ type, properties, items }: JsonSchema): string | undefined {
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return types.find((name) => name !== 'null') ?? (properties ? 'object' : items ? 'array' : undefined)
}

const byType: Readonly<Record<string, SlotKind>> = { number: 'number', integer: 'number', boolean: 'boolean', object: 'other', null: 'other' }
const byFormat: Readonly<Record<string, SlotKind>> = { uri: 'url', url: 'url', email: 'email', date: 'date', 'date-time': 'date' }

function kindOf(name: string, schema: JsonSchema): SlotKind {
  if (schema.enum) return 'choice'
  if (schema.$ref !== undefined || schema.allOf) return 'other'
  const type = typeOf(schema) ?? 'string'
  if (type === 'array') return schema.items && typeOf(schema.items) === 'string' ? 'texts' : 'other'
  return byType[type] ?? byFormat[schema.format ?? ''] ?? textKind(name, schema)
}

const bothWays = /^(?:source|destination|src|dest|target)$/

function textKind(name: string, { description = '' }: JsonSchema): SlotKind {
  const snake = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  // A destination is a path, unless the description speaks of something else, such as a city.
  const isElsewhere = bothWays.test(snake) && description !== '' && !/path|file|folder|director|路径|文件|目录/i.test(description)
  const named = byName.find(([kind, form]) => form.test(snake) && !(kind === 'path' && isElsewhere))
  return (named ?? byDescription.find(([, form]) => form.test(description)))?.[0] ?? 'name'
}
