/** The parts of the typed client that are made from the table of routes, as source text. */
import type { JsonObject } from '@loom-agent/kernel'
import { routes } from '../../packages/server/src/web/api/table.ts'
import type { Route } from '../../packages/server/src/web/route/route.ts'

/** Names that the text uses, by the module that they are imported from. */
type Imports = Map<string, Set<string>>

/** The package whose own types are beside the table. */
const own = '@loom-agent/server/client'

function note(imports: Imports, name: string, from: string): string {
  const module = from === own ? './plain-frame.ts' : from
  imports.set(module, (imports.get(module) ?? new Set()).add(name))
  return name
}

function fieldsOf(schema: JsonObject, imports: Imports): string {
  const properties = (schema['properties'] ?? {}) as { readonly [name: string]: JsonObject }
  const required = (schema['required'] ?? []) as readonly string[]
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    const type = typeOf(field, imports)
    return `readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired || type === 'unknown' ? '' : ' | undefined'}`
  })
  return `{ ${fields.join('; ')} }`
}

/** The type of what a schema accepts. */
function typeOf(schema: JsonObject, imports: Imports): string {
  if (typeof schema['x-type'] === 'string') return note(imports, String(schema['title']), schema['x-type'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `'${String(value)}'`).join(' | ')
  if (schema['type'] === 'integer' || schema['type'] === 'number') return 'number'
  if (schema['type'] === 'string' || schema['type'] === 'boolean') return schema['type']
  if (schema['type'] === 'array') return `readonly ${itemOf(typeOf(schema['items'] as JsonObject, imports))}[]`
  if (schema['type'] !== 'object') return 'unknown'
  const each = schema['additionalProperties']
  return typeof each === 'object' ? `{ readonly [name: string]: ${typeOf(each as JsonObject, imports)} }` : fieldsOf(schema, imports)
}

/** A type as that of the items of a list. */
const itemOf = (type: string): string => (type.includes("' | '") && !type.startsWith('{') ? `(${type})` : type)

/** What comes back, by its media type. */
const byMedia = { 'text/event-stream': 'Stream', 'text/plain': 'string', 'application/octet-stream': 'Uint8Array' } as const
const kinds = { 'text/event-stream': 'stream', 'text/plain': 'text', 'application/octet-stream': 'bytes' } as const

function operationOf({ name, path, summary, query, body, takes, reply }: Route, imports: Imports): string {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => `readonly ${param}: string`)
  const parts = [
    ...(params.length > 0 ? [`readonly params: { ${params.join('; ')} }`] : []),
    ...(query ? [`readonly query: ${typeOf(query.json, imports)}`] : []),
    ...(body ? [`readonly body: ${typeOf(body.json, imports)}`] : []),
    ...(takes ? ['readonly lines: Lines'] : []),
    `readonly reply: ${reply.type ? byMedia[reply.type] : reply.schema ? typeOf(reply.schema.json, imports) : 'undefined'}`,
  ]
  return `  /** ${summary} */\n  readonly ${name}: {\n${parts.map((part) => `    ${part}\n`).join('')}  }\n`
}

const rowOf = ({ name, method, path, query, body, takes, reply }: Route): string => {
  const kind = reply.type ? kinds[reply.type] : 'json'
  const given = query ? "'query'" : body ? "'body'" : takes ? "'lines'" : 'undefined'
  return `  ${name}: { method: '${method}', path: '${path}', kind: '${kind}', given: ${given} },\n`
}

/** Packages come first, as the formatter has them. */
const byModule = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  Number(one.startsWith('.')) - Number(other.startsWith('.')) || (one < other ? -1 : 1)

const isReading = ({ method }: Route): boolean => method === 'GET'
const isScheduling = ({ path }: Route): boolean => /^\/(schedules|webhooks|hooks)\b/.test(path)
const isOfThread = ({ path }: Route): boolean => path.startsWith('/threads/{thread}')

/** The types of some operations, as the source of a file. */
function typesSource(name: string, words: string, of: readonly Route[]): string {
  const imports: Imports = new Map()
  const operations = of.map((route) => operationOf(route, imports)).join('')
  if (operations.includes('reply: Stream')) note(imports, 'Stream', './stream.ts')
  if (operations.includes('lines: Lines')) note(imports, 'Lines', './lines.ts')
  const lines = [...imports].sort(byModule).map(([module, names]) => `import type { ${[...names].sort().join(', ')} } from '${module}'\n`)
  return `/** ${words} Made from the table of routes by \`tools/write-client.ts\`; a test compares the two. */
${lines.join('')}
/** ${words} */
export interface ${name} {
${operations}}
`
}

/** How all operations are sent, as the source of a file. */
const tableSource =
  (): string => `/** How operations are sent. Made from the table of routes by \`tools/write-client.ts\`; a test compares the two. */
import type { Changing } from './changing.ts'
import type { Reading } from './reading.ts'
import type { Scheduling } from './scheduling.ts'
import type { ThreadReading } from './thread-reading.ts'

/** What each operation takes and returns. */
export interface Operations extends Reading, ThreadReading, Changing, Scheduling {}

/** How an operation is sent, and what comes back. */
export interface Operation {
  /** The method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path, with names in braces. */
  readonly path: string
  /** What comes back. */
  readonly kind: 'json' | 'text' | 'bytes' | 'stream'
  /** Where the second argument goes. */
  readonly given: 'query' | 'body' | 'lines' | undefined
}

/** How each operation is sent. */
export const operations: { readonly [Name in keyof Operations]: Operation } = {
${routes.map(rowOf).join('')}}
`

/** The sources of the client that are made from the table, by the names of their files. */
export const clientSources = (): { readonly [file: string]: string } => {
  const others = routes.filter((route) => !isScheduling(route))
  return {
    'reading.ts': typesSource(
      'Reading',
      'The operations that look at more than one thread.',
      others.filter((route) => isReading(route) && !isOfThread(route)),
    ),
    'thread-reading.ts': typesSource(
      'ThreadReading',
      'The operations that look at one thread.',
      others.filter((route) => isReading(route) && isOfThread(route)),
    ),
    'changing.ts': typesSource(
      'Changing',
      'The operations that start, control, answer and remove.',
      others.filter((route) => !isReading(route)),
    ),
    'scheduling.ts': typesSource('Scheduling', 'The operations of schedules and webhooks.', routes.filter(isScheduling)),
    'operations.ts': tableSource(),
  }
}
