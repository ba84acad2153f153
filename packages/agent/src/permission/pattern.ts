/**
 * Patterns of rules.
 *
 * PERM-12. A rule that denies or asks fails closed: an argument of another shape than its pattern meets it, and so does a text that looks like one that
 *     does. A rule that allows is met by exactly what it names.
 */
import { canonicalJson, type Json, type JsonObject, own } from '@loom-agent/kernel'
import { plainText } from '../platform/plain-text.ts'
import type { Rule } from './policy.ts'
import { matchesPattern } from './wildcard.ts'

/** Whether an argument is what a pattern names: a text that matches, or an equal value. */
function isNamed(pattern: Json, actual: Json | undefined): boolean {
  if (actual === undefined) return false
  if (typeof pattern === 'string') return typeof actual === 'string' && matchesPattern(pattern, actual)
  return canonicalJson(actual) === canonicalJson(pattern)
}

/** Whether an argument may be what a pattern was written against. What is missing, or null, is not: there is nothing that it could name. */
function mayBeMeant(pattern: Json, actual: Json | undefined): boolean {
  if (isNamed(pattern, actual)) return true
  if (actual === undefined || actual === null) return false
  if (typeof pattern === 'string' && typeof actual === 'string') return matchesPattern(plainText(pattern), plainText(actual))
  return !isOfShape(pattern, actual) || isMeantInside(pattern, actual)
}

/** Whether a value is of the kind that a pattern is: only then it can be said that they differ. */
function isOfShape(pattern: Json, actual: Json): boolean {
  if (Array.isArray(pattern)) return Array.isArray(actual) && actual.length === pattern.length
  return typeof pattern === typeof actual && pattern !== null && !Array.isArray(actual)
}

/** Inside an object, keys that the pattern does not name do not count: one more key would get around it. Texts inside are compared as they are. */
function isMeantInside(pattern: Json, actual: Json): boolean {
  if (typeof pattern !== 'object' || pattern === null) return false
  return Object.entries(pattern as JsonObject).every(([key, wanted]) => {
    const given = own(actual as JsonObject, key)
    if (given === undefined || given === null || wanted === undefined) return wanted === given
    if (typeof wanted === 'string' && typeof given === 'string') return plainText(wanted) === plainText(given)
    return !isOfShape(wanted, given) || isMeantInside(wanted, given) || canonicalJson(wanted) === canonicalJson(given)
  })
}

/** Whether arguments meet a rule: those that a rule allows are named by it, and what a rule may be about is denied or asked about (PERM-12). */
export function matchesInput({ input: patterns, verdict }: Rule, given: Json, schema?: JsonObject): boolean {
  if (!patterns) return true
  const input = fieldsOf(given)
  if (verdict === 'allow') return Object.entries(patterns).every(([key, pattern]) => isNamed(pattern as Json, input && own(input, key)))
  const properties = fieldsOf(schema?.['properties'])
  return Object.entries(patterns).every(([key, pattern]) => {
    // Arguments that are no object have no names: a body may find anything in them.
    if (!input) return true
    const declared = fieldsOf(properties && own(properties, key))
    return mayBeMeant(pattern as Json, Object.hasOwn(input, key) ? own(input, key) : declared?.['default'])
  })
}

const fieldsOf = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
