/**
 * The definitions of a server's tools, as they are used.
 *
 * MCP-5. What a server says about a tool is a claim: its size is bounded, everything hidden in it is written out, and the model is told whose words they are.
 */
import { createHash } from 'node:crypto'
import { canonicalJson, type Json, type JsonObject } from '@loom-agent/kernel'
import { cut, visible } from './plain-text.ts'

/** What can be used of a definition, and what can be compared. */
export interface ToolText {
  /** The name, as the server has it. */
  readonly name: string
  /** What the model reads about the tool, with hidden characters written out. */
  readonly description: string
  /** The schema of its arguments, with hidden characters written out. */
  readonly schema: JsonObject
}

/** What a server says about a tool, for people who decide about it. Hidden characters are written out. */
export interface McpDefinition {
  /** The name of the server. */
  readonly server: string
  /** The server's name of the tool. */
  readonly tool: string
  /** The name by which the model knows it. */
  readonly name: string
  /** The name by which rules know it. */
  readonly ruleName: string
  /** What the server says about it. */
  readonly description: string
  /** The schema of its arguments. */
  readonly schema: JsonObject
  /** The digest that an approval is bound to. */
  readonly digest: string
  /** `new`: no call was let through yet; `approved`: it is the one that was; `changed`: it is another one. */
  readonly state: 'new' | 'approved' | 'changed'
  /** Of a changed one: what was approved, and what the model is shown until the other is. */
  readonly approved?: { readonly description: string; readonly schema: JsonObject }
}

/** A tool of a server. */
export interface ToolClaim extends ToolText {
  /** The digest of the name, the description and the schema as the server sent them. */
  readonly digest: string
  /** How many hidden characters they have. */
  readonly hidden: number
  /** The server's hints. */
  readonly hints: { readonly readOnly: boolean; readonly idempotent: boolean }
  /** Whether the server can run it as a task, and whether it must. */
  readonly tasks: 'never' | 'may' | 'must'
}

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined } | undefined
  readonly execution?: { readonly taskSupport?: string | undefined } | undefined
}

/** What a definition may have. */
const most = { name: 128, description: 4_000, schema: 65_536, depth: 32 }

const usable = /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/

/** The definition of a listed tool, or why it cannot be used. */
export function claimOf(listed: ListedTool): ToolClaim | { readonly refused: string } {
  const { name, description = '', inputSchema, annotations, execution } = listed
  if (name.length > most.name || !usable.test(name)) {
    return {
      refused: `its name is ${JSON.stringify(visible(name.slice(0, most.name)).text)}: letters, digits, _, -, . and / can be used, at most ${most.name}`,
    }
  }
  if (/^(?:resources|prompts)\//.test(name)) return { refused: `its name begins with ${name.slice(0, name.indexOf('/') + 1)}, which is Loom's own` }
  const text = JSON.stringify(inputSchema)
  if (!('type' in inputSchema) || inputSchema.type !== 'object') return { refused: 'its schema is not that of an object' }
  if (text.length > most.schema) return { refused: `its schema has ${text.length} characters; ${most.schema} are allowed` }
  if (depthOf(inputSchema) > most.depth) return { refused: `its schema is nested more than ${most.depth} deep` }
  const told = visible(description)
  const counted = { hidden: told.hidden }
  const schema = visibleJson(JSON.parse(text) as Json, counted) as JsonObject
  return {
    name,
    description: cut(told.text, most.description),
    schema,
    digest: createHash('sha256')
      .update(canonicalJson({ name, description, schema: JSON.parse(text) as Json }))
      .digest('hex'),
    hidden: counted.hidden,
    hints: { readOnly: annotations?.readOnlyHint === true, idempotent: annotations?.idempotentHint === true },
    tasks: execution?.taskSupport === 'required' ? 'must' : execution?.taskSupport === 'optional' ? 'may' : 'never',
  }
}

/** JSON with everything hidden in its texts written out. */
export function visibleJson(value: Json | undefined, counted: { hidden: number } = { hidden: 0 }): Json {
  if (typeof value === 'string') {
    const shown = visible(value)
    counted.hidden += shown.hidden
    return shown.text
  }
  if (Array.isArray(value)) return value.map((item: Json) => visibleJson(item, counted))
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [visibleJson(key, counted) as string, visibleJson(field, counted)]))
}

function depthOf(value: unknown): number {
  let depth = 0
  for (let level: readonly unknown[] = [value]; level.length > 0 && depth <= most.depth; depth += 1)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  return depth
}

/** A schema by which values can be checked: without patterns, which a server could write so that a check never ends. The server checks them itself. */
export function checkable(schema: JsonObject): JsonObject {
  return withoutPatterns(schema, false) as JsonObject
}

/** Keywords that hold schemas by name: what stands there is no keyword. */
const naming = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords that hold values. */
const plain = new Set(['enum', 'const', 'default', 'examples'])
const patterns = new Set(['pattern', 'patternProperties', 'format'])

function withoutPatterns(value: Json | undefined, isNames: boolean): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutPatterns(item, false))
  if (typeof value !== 'object' || value === null) return value ?? null
  const kept = Object.entries(value).filter(([key]) => isNames || !patterns.has(key))
  return Object.fromEntries(
    kept.map(([key, field]) => [key, !isNames && plain.has(key) ? field : withoutPatterns(field, !isNames && naming.has(key))]),
  )
}
