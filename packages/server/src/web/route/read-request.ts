/**
 * Reading requests: what they hold is bounded before it is read, and checked before it is used.
 *
 * REQUEST-1. No more of a body is read than may be in it, whatever its headers say.
 * REQUEST-2. A body is JSON, or lines of it, and says so. What a page of another site can send without being asked about it, a form or plain text, is refused.
 */
import { jsonSchema, type Schema } from '@loom-agent/agent'
import { jsonDepth } from '@loom-agent/agent/kit'
import { type JsonObject, LoomError } from '@loom-agent/kernel'
import type { Described } from './described.ts'

/** How deep a body may be nested: code that looks into it calls itself for each level. */
const deepest = 64

function refuse(status: 400 | 413 | 415, message: string): LoomError {
  return new LoomError('LOOM_REQUEST_INVALID', message, { context: { status } })
}

/** The checks of schemas, each compiled once. */
const checks = new WeakMap<Described<unknown>, Schema>()

function checkOf(schema: Described<unknown>): Schema {
  const check = checks.get(schema) ?? jsonSchema(schema.json)
  checks.set(schema, check)
  return check
}

/** The value as the schema takes it. Throws `LOOM_REQUEST_INVALID` with every place that does not fit. */
async function checked(what: string, schema: Described<unknown>, value: unknown): Promise<unknown> {
  const result = await checkOf(schema)['~standard'].validate(value)
  if (!result.issues) return value
  const places = result.issues
    .slice(0, 10)
    .map(({ path = [], message }) => [path.map(String).join('.'), message].filter((part) => part !== '').join(': '))
  throw refuse(400, `The ${what} does not fit. ${places.join(' ').slice(0, 1000)}`)
}

/** The parameters of an address, as their schema has them. */
export async function readQuery(url: URL, schema: Described<unknown> | undefined): Promise<unknown> {
  const given: Record<string, unknown> = {}
  const properties = (schema?.json['properties'] ?? {}) as { readonly [name: string]: JsonObject }
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(given, name)) throw refuse(400, `The query has ${name.slice(0, 100)} twice.`)
    if (!Object.hasOwn(properties, name)) {
      const known = Object.keys(properties).join(', ')
      throw refuse(
        400,
        `The query has ${JSON.stringify(name.slice(0, 100))}. ${known === '' ? 'This route takes no query.' : `This route takes ${known}.`}`,
      )
    }
    given[name] = typed(value, properties[name]?.['type'])
  }
  return schema ? checked('query', schema, given) : given
}

/** A text as the type of its parameter; one that is not of it stays a text, which its schema refuses. */
function typed(value: string, type: unknown): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** The text of a body, piece by piece, at most so many bytes. */
async function* readPieces(request: Request, most: number): AsyncGenerator<string, void> {
  const tooLong = (): LoomError => refuse(413, `The body has more than ${most} bytes, which is the most that this server takes.`)
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLong()
  if (!request.body) return
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let read = 0
  const reader = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        // The client has left, or was too slow: nobody's mistake but its own.
        throw refuse(
          400,
          `The body was cut off after ${read} bytes: ${error instanceof Error ? error.message.slice(0, 200) : 'no reason was given'}.`,
        )
      })
      if (done) break
      read += value.length
      if (read > most) throw tooLong()
      yield decoded(() => decoder.decode(value, { stream: true }))
    }
    yield decoded(() => decoder.decode())
  } finally {
    // What is left is not wanted any more.
    void reader.cancel().catch(() => {})
  }
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw refuse(400, 'The body is not UTF-8.')
  }
}

/** The text of a body, at most so many bytes, as it was sent. */
export async function readText(request: Request, most: number): Promise<string> {
  let text = ''
  for await (const piece of readPieces(request, most)) text += piece
  return text
}

/** The JSON of a body, at most so many bytes. An empty one is an empty object. */
export async function readJson(request: Request, most: number): Promise<unknown> {
  const type = request.headers.get('content-type')
  const text = await readText(request, most)
  if (text === '') return {}
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')) {
    throw refuse(415, `The body is ${type === null ? 'of no type' : type.slice(0, 100)}. Send JSON with the header content-type: application/json.`)
  }
  if (jsonDepth(text) > deepest) throw refuse(400, `The body is nested deeper than ${deepest} levels.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse(400, `The body is no JSON: ${(error as Error).message.slice(0, 200)}.`)
  }
}

/** The lines of a body, without their ends, as they come: no more than one of them is held. */
export async function* readLines(request: Request, most: number): AsyncGenerator<string, void> {
  const type = request.headers.get('content-type')
  if (!/^application\/x-ndjson\s*(?:;|$)/i.test(type ?? ''))
    throw refuse(
      415,
      `The body is ${type === null ? 'of no type' : type.slice(0, 100)}. Send lines with the header content-type: application/x-ndjson.`,
    )
  const begun: string[] = []
  for await (const piece of readPieces(request, most)) {
    const [first = '', ...others] = piece.split('\n')
    begun.push(first)
    for (const next of others) yield begun.splice(0, begun.length, next).join('')
  }
  yield begun.join('')
}

/** The body of a request, as its schema has it. */
export async function readBody(request: Request, schema: Described<unknown>, most: number): Promise<unknown> {
  return checked('body', schema, await readJson(request, most))
}
