/** A tool as the rules see it: a verb, nouns, and arguments. Everything comes from its name, its description and its schema. */
import type { LanguageModelV4FunctionTool } from '@loom-agent/agent/language-model'
import type { JsonObject } from '@loom-agent/kernel'
import { stemsOf } from './tokens.ts'
import { isKnownVerb, lookVerbs } from './words.ts'

/** An argument, by what can fill it. `text` is free text, `short` a title or a search, `other` only what is written as JSON. */
export interface Argument {
  readonly name: string
  readonly stems: readonly string[]
  /** Its name without spaces, also without a last `id`, `number`, `name` or `path`. */
  readonly labels: readonly string[]
  readonly kind: 'choice' | 'flag' | 'number' | 'list' | 'email' | 'url' | 'date' | 'time' | 'path' | 'id' | 'text' | 'short' | 'name' | 'other'
  readonly required: boolean
  readonly choices: readonly unknown[]
  readonly description: string
}

/** A tool. */
export interface ToolView {
  readonly name: string
  readonly verb: string
  readonly nouns: readonly string[]
  /** The start of its description, up to the first preposition: "Marks a task as done". */
  readonly lead: readonly string[]
  /** Whether it only looks: then its nouns alone are enough to ask for it. */
  readonly looks: boolean
  readonly args: readonly Argument[]
  readonly schema: JsonObject
}

type Field = LanguageModelV4FunctionTool['inputSchema'] & { readonly enum?: readonly unknown[] }

const articles = new Set(['a', 'an', 'the', 'all', 'one', 'your', 'new', 'and', 'or'])

/** The tool as the rules see it. */
export function viewOf({ name, description = '', inputSchema }: LanguageModelV4FunctionTool): ToolView {
  const stems = stemsOf(name)
  const [beginning = ''] = description.split(/[.,;:(]| (?:from|to|in|into|on|at|for|with|between|by|of) /)
  const lead = stemsOf(beginning).filter((stem) => !articles.has(stem))
  const [leadVerb = ''] = lead
  const verb = stems.includes(leadVerb) ? leadVerb : (stems.find(isKnownVerb) ?? (stems.length > 1 ? stems[0] : leadVerb) ?? '')
  const nouns = stems.filter((stem) => stem !== verb)
  return { name, verb, nouns, lead, looks: lookVerbs.has(verb), args: argumentsOf(inputSchema), schema: inputSchema as JsonObject }
}

function argumentsOf({ properties = {}, required = [] }: Field): readonly Argument[] {
  return Object.entries(properties).map(([name, given]) => {
    const field: Field = typeof given === 'object' ? given : {}
    const { description = '', enum: choices = [] } = field
    const stems = stemsOf(name)
    const short = /^(?:id|number|name|path)$/.test(stems.at(-1) ?? '') ? stems.slice(0, -1) : stems
    const labels = [stems.join(''), short.join('')].filter((label) => label !== '')
    return { name, stems, labels, kind: kindOf(name, field), required: required.includes(name), choices, description }
  })
}

const kindsByName: readonly (readonly [Argument['kind'], RegExp])[] = [
  ['email', /e_?mail/],
  ['url', /(?:^|_)(?:ur[il]|link|website)$/],
  ['path', /path|file|folder|(?:^|_)dir(?:ectory)?$/],
  ['date', /(?:^|_)(?:date|day|due|deadline|birthday)(?:_|$)|^when$/],
  ['time', /(?:^|_)time$/],
  ['id', /(?:^|_)(?:id|number|no|code|sku|key|reference|iban)$/],
  ['text', /content|body|text|message|note|description|summary|reason|prompt|comment|diagnosis/],
  ['short', /title|subject|task|todo|item|query|question|keyword|term|topic|search/],
]
const kindsByFormat: Readonly<Record<string, Argument['kind']>> = { email: 'email', uri: 'url', date: 'date', 'date-time': 'date', time: 'time' }
const kindsByType: Readonly<Record<string, Argument['kind']>> = { boolean: 'flag', number: 'number', integer: 'number' }

function kindOf(name: string, { type, items, format = '', ...field }: Field): Argument['kind'] {
  if (field.enum) return 'choice'
  if (type === 'array') return typeof items === 'object' && 'type' in items && items.type === 'string' ? 'list' : 'other'
  if (type !== 'string') return kindsByType[String(type)] ?? 'other'
  const snake = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  return kindsByFormat[format] ?? kindsByName.find(([, form]) => form.test(snake))?.[0] ?? 'name'
}
