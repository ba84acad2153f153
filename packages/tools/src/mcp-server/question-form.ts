/** Questions of runs as forms of MCP, and what comes back as answers. */
import { approve, type Question, reject, respond, type SignedAnswer } from '@loom-agent/agent'
import { localQuestionId, storedFrame } from '@loom-agent/agent/kit'
import type { Journal, Json, JsonObject } from '@loom-agent/kernel'
import { cut } from '../mcp/plain-text.ts'

/** A form that a client shows. */
export interface Form {
  readonly message: string
  readonly requestedSchema: {
    readonly type: 'object'
    readonly properties: { readonly [name: string]: JsonObject }
    readonly required: readonly string[]
  }
}

const most = { prompt: 4_000, arguments: 4_000 }

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a schema is one that forms can have: fields of texts, numbers and flags. */
function isFlat(schema: JsonObject | undefined): schema is JsonObject & { properties: { [name: string]: JsonObject } } {
  if (!isObject(schema?.['properties'])) return false
  const fields = Object.values(schema['properties'])
  return fields.length > 0 && fields.every((field) => isObject(field) && ['string', 'number', 'integer', 'boolean'].includes(String(field['type'])))
}

/** The schema of a question of a durable tool, where it has one. */
async function schemaOf(journal: Journal, { thread, id }: Question): Promise<JsonObject | undefined> {
  const frame = await storedFrame(journal, thread)
  const schema = frame.questions[localQuestionId(frame, id)]?.schema
  return isObject(schema) ? schema : undefined
}

/** The form of a question. */
export async function formOf(journal: Journal, question: Question): Promise<Form> {
  const { kind, prompt, call } = question
  const about = call === undefined ? '' : `\n\n${call.tool}(${cut(JSON.stringify(call.input), most.arguments)})`
  const message = `${cut(prompt, most.prompt)}${about}`
  const schema = kind === 'choice' ? await schemaOf(journal, question) : undefined
  if (isFlat(schema)) {
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
    return { message, requestedSchema: { type: 'object', properties: schema.properties, required } }
  }
  const decisions = kind === 'choice' ? ['approve', 'reject', 'respond'] : ['approve', 'reject']
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', enum: decisions, description: 'What is decided.' },
        reason: { type: 'string', description: 'Why it is rejected.' },
        ...(kind === 'choice' && { value: { type: 'string', description: 'The response, where that is the decision: a text, or JSON.' } }),
      },
      required: ['decision'],
    },
  }
}

/** The answer that a filled form is; undefined where nobody has decided. */
export async function answerOf(
  journal: Journal,
  question: Question,
  { response, by }: { readonly response: unknown; readonly by: string },
): Promise<SignedAnswer | undefined> {
  const { action, content } = isObject(response) ? response : { action: undefined, content: undefined }
  if (action === 'decline') return reject('declined', { by })
  if (action !== 'accept' || !isObject(content)) return undefined
  const { decision, reason, value } = content
  if (question.kind === 'choice' && isFlat(await schemaOf(journal, question))) return { ...respond(content), by }
  if (decision === 'approve') return approve({ by })
  if (decision === 'respond' && question.kind === 'choice') return { ...respond(jsonIn(value)), by }
  return reject(typeof reason === 'string' && reason !== '' ? reason : undefined, { by })
}

function jsonIn(value: Json | undefined): Json {
  if (typeof value !== 'string') return value ?? null
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}
