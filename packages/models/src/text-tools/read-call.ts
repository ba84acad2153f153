/** Reads the calls in a block of text. */
import type { Json, JsonObject } from '@loom-agent/kernel'
import { parseLoosely } from './loose-json.ts'

/** A call that the model wrote. Input that cannot be read is kept as it was written: the agent asks for it again. */
export interface WrittenCall {
  readonly tool: string
  /** JSON, or the text that was written instead. */
  readonly input: string
}

/** A block of text. */
export interface Block {
  readonly text: string
  /** Whether its end was written. */
  readonly isWhole: boolean
}

/** The calls of a block under the mark of the request. What cannot be read is one call with the text as its input (TEXT-1). */
export function readCalls({ text, isWhole }: Block, tools: ReadonlySet<string>): readonly WrittenCall[] {
  const parsed = parseLoosely(text.trim(), { mayClose: isWhole })
  const items = Array.isArray(parsed) ? (parsed as readonly Json[]) : parsed === undefined ? [] : [parsed]
  const calls = items.map((item) => callOf(item, tools))
  if (calls.length > 0 && calls.every((call) => call !== undefined)) return calls
  return [{ tool: nameIn(text) ?? onlyOf(tools), input: text.trim() || '{' }]
}

const nameIn = (text: string): string | undefined => /["']?(?:name|tool)["']?\s*:\s*["']([^"']+)["']/.exec(text)?.[1]

const onlyOf = (tools: ReadonlySet<string>): string => (tools.size === 1 ? ([...tools][0] ?? '') : 'unknown')

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A call in one of the formats that models have learned. */
function callOf(item: Json, tools: ReadonlySet<string>): WrittenCall | undefined {
  if (!isObject(item)) return undefined
  const whole = isObject(item['function']) ? item['function'] : item
  const { name, tool, tool_name: toolName, arguments: given, args, input, parameters, ...rest } = whole
  const called = [name, tool, toolName, item['function']].find((candidate) => typeof candidate === 'string')
  if (typeof called !== 'string') return undefined
  const wanted = given ?? args ?? input ?? parameters ?? (tools.has(called) ? withoutFrame(rest) : undefined)
  if (wanted === undefined) return undefined
  return { tool: called, input: typeof wanted === 'string' ? argumentsOf(wanted) : JSON.stringify(wanted) }
}

const frame: readonly string[] = ['type', 'id', 'function']
const withoutFrame = (call: JsonObject): JsonObject => Object.fromEntries(Object.entries(call).filter(([key]) => !frame.includes(key)))

/** Arguments that are themselves a JSON text. */
function argumentsOf(text: string): string {
  const parsed = parseLoosely(text, { mayClose: false })
  return parsed === undefined ? text : JSON.stringify(parsed)
}
