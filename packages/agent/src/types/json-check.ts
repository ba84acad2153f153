/**
 * Checks values against a JSON Schema. Loaded by the first of them.
 *
 * SCHEMA-1. A check takes a bounded number of steps, whatever the schema: it may come from a server or be written by a model. References can lead back to where
 *     they came from, by many ways for each level of the value: how often they are followed is bounded by the size of the value, and so are all steps
 *     together. Patterns are asked in linear time (PATTERN-1). Lists of unique items, and values that are to be one of many, are compared by their texts.
 */
import { dereference } from '@cfworker/json-schema'
import type { JsonObject } from '@loom-agent/kernel'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Check, CheckedSchema, Patterns } from './json-check-state.ts'
import { checkValue, patternsIn } from './json-check-value.ts'

type Result = StandardSchemaV1.Result<unknown>

/** How often references are followed for any value and for each value inside of it, and the same of all steps; a character is a value here. */
const most = { references: 10_000, referencesEach: 100, steps: 10_000_000, stepsEach: 50 }

/** Makes the check of a JSON Schema. Throws where it has a pattern that cannot be asked. */
export function createJsonCheck(json: JsonObject): (value: unknown) => Result {
  // Resolving references leaves marks in a schema: the given one may be frozen.
  const schema = JSON.parse(JSON.stringify(json)) as CheckedSchema
  const schemas = dereference(schema)
  const patterns: Patterns = new Map()
  for (const each of Object.values(schemas)) patternsIn(each, patterns)
  return (value) => {
    const check: Check = {
      schemas,
      patterns,
      issues: [],
      value: (checked, evaluated) => checkValue(check, checked, evaluated),
      follow: followed(value),
      spend: spent(value),
    }
    return check.value({ schema, value, place: undefined }) ? { value } : { issues: check.issues }
  }
}

/** Counts the references that were followed. The value is measured when there are many. */
function followed(value: unknown): () => void {
  let left = most.references
  let isMeasured = false
  return () => {
    left -= 1
    if (left < 0 && !isMeasured) {
      isMeasured = true
      left = most.referencesEach * sizeOf(value)
    }
    if (left < 0) throw new Error('it is nested too deeply to be checked against its schema, which has many ways from level to level. Nest it less')
  }
}

/** Counts the steps of a check in the same way. */
function spent(value: unknown): (steps: number) => void {
  let left = most.steps
  let isMeasured = false
  return (steps) => {
    left -= steps
    if (left < 0 && !isMeasured) {
      isMeasured = true
      left += most.stepsEach * sizeOf(value)
    }
    if (left < 0) throw new Error('it takes too many steps to be checked against its schema. Make it smaller')
  }
}

/** How many values and characters there are in a value, each object counted once. */
function sizeOf(value: unknown): number {
  const seen = new Set<object>()
  const open = [value]
  let size = 0
  while (open.length > 0) {
    const part = open.pop()
    size += typeof part === 'string' ? part.length + 1 : 1
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    for (const inner of Object.values(part)) open.push(inner)
  }
  return size
}
