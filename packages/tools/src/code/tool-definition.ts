/**
 * Definitions of tools that a model has written.
 *
 * CREATED-1. A definition is refused unless people can see what they approve: no character in it is invisible or changes the order of others.
 * CREATED-2. Nothing of a definition is computed with in this process. Patterns in a schema are refused, because matching one may never end; the code runs
 *     in a process of its own (GUEST-4).
 */
import { checkToolName } from '@loom-agent/agent/kit'
import { isLoomError, type Json, type JsonObject, LoomError, type Seq } from '@loom-agent/kernel'
import { longestCode } from './code-options.ts'

/** The definition of a tool that a model writes. */
export interface ToolDefinition {
  /** Its name. */
  readonly name: string
  /** What it does. */
  readonly description: string
  /** The JSON Schema of its input. */
  readonly input: JsonObject
  /** Its code: the body of an async function of `input`. */
  readonly code: string
}

/** A tool that a model has written. */
export interface WrittenTool extends ToolDefinition {
  /** The seq of the results that hold the call that made it. */
  readonly seq: Seq
}

const longest = { description: 2_000, schema: 10_000 }

/** Why a definition is refused; undefined when it is well formed, as far as that is known without its code. */
export function definitionProblem({ name, description, input, code }: ToolDefinition): string | undefined {
  const problem = nameProblem(name)
  if (problem !== undefined) return problem
  if (description.length > longest.description) return `The description has ${description.length} characters. Use ${longest.description} at most.`
  if (code.length > longestCode) return `The code has ${code.length} characters. Use ${longestCode} at most.`
  const schema = JSON.stringify(input)
  if (schema.length > longest.schema) return `The schema has ${schema.length} characters. Use ${longest.schema} at most.`
  if (input['type'] !== 'object') return 'The schema of the input must have the type object.'
  for (const [place, text] of Object.entries({ description, code, schema })) {
    const hidden = hiddenIn(text)
    if (hidden !== undefined) return `The ${place} has the character ${hidden}, which cannot be seen. Write it as an escape, or leave it out.`
  }
  const keyword = patternIn(input)
  return keyword === undefined ? undefined : `The schema has ${keyword}, which is not allowed. Check the text in the code.`
}

function nameProblem(name: string): string | undefined {
  try {
    checkToolName(name)
    return undefined
  } catch (error) {
    return isLoomError(error) ? error.message : String(error)
  }
}

/** The first character of a text that people do not see as it is. */
function hiddenIn(text: string): string | undefined {
  const [found] = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]/u.exec(text) ?? []
  return found === undefined ? undefined : `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const patterns = ['pattern', 'patternProperties']
/** Keywords whose values hold schemas under names of the author's. */
const named = ['properties', 'dependentSchemas', '$defs', 'definitions']

/** A keyword of a schema that would match texts. */
function patternIn(schema: Json | undefined): string | undefined {
  if (Array.isArray(schema)) return schema.map((one: Json) => patternIn(one)).find((one) => one !== undefined)
  if (typeof schema !== 'object' || schema === null) return undefined
  for (const [key, value] of Object.entries(schema as JsonObject)) {
    if (patterns.includes(key)) return key
    const inner = named.includes(key) && typeof value === 'object' && value !== null ? Object.values(value).map(patternIn) : [patternIn(value)]
    const found = inner.find((one) => one !== undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** A definition that was recorded, where it still is one. */
export function writtenTool(value: Json | undefined): ToolDefinition | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { name, description, input, code } = value as JsonObject
  if (typeof name !== 'string' || typeof description !== 'string' || typeof code !== 'string') return undefined
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const written = { name, description, input: input as JsonObject, code }
  return definitionProblem(written) === undefined ? written : undefined
}

/** How a tool is shown to the model: it stands at the end of the context, in the result of the call that made it. */
export function describeTool({ name, description, input }: ToolDefinition): string {
  return `${name}: ${description}\nIts input: ${JSON.stringify(input)}`
}

/** A refusal of a definition or of an input. */
export const refused = (message: string): LoomError => new LoomError('LOOM_TOOL_INPUT_INVALID', message, { context: { problem: message } })
