/** Structured output: does the answer fit the schema? */
import type { Json, Part } from '@loom-agent/kernel'
import { messageOf, toJson } from '../platform/normalize.ts'
import { type Schema, validate } from '../types/schema.ts'
import { textOf } from '../types/text-of.ts'
import { outputSchemaOf } from './request.ts'
import { unwrap } from './wire-schema.ts'

/** The verdict of the output schema on an answer. */
export async function judgeOutput(schema: Schema, parts: readonly Part[]): Promise<{ value: Json } | { error: string }> {
  const text = unfenced(textOf(parts))
  let parsed: Json
  try {
    parsed = JSON.parse(text) as Json
  } catch (error) {
    return { error: `it is not JSON (${messageOf(error)})` }
  }
  const verdict = await validate(schema, outputSchemaOf(schema).isWrapped ? unwrap(parsed) : parsed)
  return verdict.kind === 'valid' ? { value: toJson(verdict.value) } : { error: verdict.problem }
}

const fence = '```'

/** Models like to wrap JSON in a fence. Found without a pattern: one that tries every place takes hours for an answer of blank lines. */
function unfenced(text: string): string {
  const trimmed = text.trim()
  const line = trimmed.indexOf('\n')
  if (line < 0 || !trimmed.startsWith(fence) || !trimmed.endsWith(fence)) return text
  const language = trimmed.slice(fence.length, line).trim()
  return language === '' || language === 'json' ? trimmed.slice(line + 1, -fence.length) : text
}
