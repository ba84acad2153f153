/** From a block of text to the calls in it. */
import type { Json, JsonObject } from '@loom-agent/kernel'
import { parseLoosely } from './loose-json.ts'

/** A call that was written. Input that cannot be read is given as it was written: the agent asks for it again. */
export interface WrittenCall {
  readonly tool: string
  /** JSON, or what was written instead. */
  readonly input: string
}

/** What is known of a block. */
export interface Block {
  readonly text: string
  /** Whether it says that it is a call; others are calls only if they look like one in every way. */
  readonly isMarked: boolean
  /** Whether its end was written. */
  readonly isWhole: boolean
}

/** The calls of a block; undefined when it is none. */
export function readCalls({ text, isMarked, isWhole }: Block, tools: ReadonlySet<string>): readonly WrittenCall[] | undefined {
  const parsed = parseLoosely(text.trim(), { mayClose: isWhole })
  const items = Array.isArray(parsed) ? (parsed as readonly Json[]) : parsed === undefined ? [] : [parsed]
  const calls = items.map((item) => callOf(item, tools))
  if (calls.length > 0 && calls.every((call) => call !== undefined)) {
    const known = calls.filter(({ tool }) => tools.has(tool)).length
    return isMarked || known === calls.length ? calls : undefined
  }
  return isMarked ? [{ tool: nameIn(text) ?? onlyOf(tools), input: text.trim() || '{' }] : undefined
}

const nameIn = (text: string): string | undefined => /["']?(?:name|tool)["']?\s*:\s*["']([^"']+)["']/.exec(text)?.[1]

const onlyOf = (tools: ReadonlySet<string>): string => (tools.size === 1 ? ([...tools][0] ?? '') : 'unknown')

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Models write calls in the ways that they have seen. */
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

/** Arguments in a text of their own. */
function argumentsOf(text: string): string {
  const parsed = parseLoosely(text, { mayClose: false })
  return parsed === undefined ? text : JSON.stringify(parsed)
}
