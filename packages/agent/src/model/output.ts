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

/** Models like to wrap JSON in a fence. */
function unfenced(text: string): string {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)
  return fenced?.[1] ?? text
}
