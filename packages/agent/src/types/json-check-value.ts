/** One value against one schema: its type, what it may be, what other schemas say of it, and then what its type asks. */
import { canonicalJson, type Json } from '@loom-agent/kernel'
import { checkArray, checkObject } from './json-check-parts.ts'
import { checkNumber, checkText } from './json-check-plain.ts'
import {
  type Check,
  type Checked,
  type CheckedSchema,
  type Evaluated,
  isValid,
  listUnder,
  namedUnder,
  type Patterns,
  patternOf,
  problem,
  under,
} from './json-check-state.ts'

/** Makes the patterns of a schema; throws where one cannot be asked. */
export function patternsIn(schema: unknown, patterns: Patterns): void {
  if (typeof schema !== 'object' || schema === null) return
  const names = namedUnder(schema as CheckedSchema, 'patternProperties').map(([pattern]) => pattern)
  for (const source of [under(schema as CheckedSchema, 'pattern'), ...names]) {
    if (typeof source !== 'string' || patterns.has(source)) continue
    patterns.set(source, patternOf(source))
  }
}

/** Checks a value against a schema; what is wrong is among the issues. */
export function checkValue(check: Check, checked: Checked, evaluated: Evaluated = new Set()): boolean {
  check.spend(1)
  if (checked.schema === true) return true
  if (checked.schema === false) return problem(check, checked, 'False boolean schema.')
  const schema = checked.schema as CheckedSchema
  const type = typeOf(checked.value)
  if (under(schema, '$ref') !== undefined) return checkReference(check, checked, evaluated)
  // Each of them notes its problems.
  const results = [checkType(check, checked, type), checkOneOf(check, checked), checkOthers(check, checked, evaluated)]
  if (type === 'object') results.push(checkObject(check, checked as Checked<object>, evaluated))
  else if (type === 'array') results.push(checkArray(check, checked as Checked<readonly unknown[]>, evaluated))
  else if (type === 'number') results.push(checkNumber(check, checked as Checked<number>))
  else if (type === 'string') results.push(checkText(check, checked as Checked<string>))
  return !results.includes(false)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  if (type === 'object' || type === 'string' || type === 'number' || type === 'boolean') return type
  throw new Error(`Instances of "${type}" type are not supported.`)
}

/** What is beside a reference counts for nothing. */
function checkReference(check: Check, checked: Checked, evaluated: Evaluated): boolean {
  const schema = checked.schema as CheckedSchema
  check.follow()
  const address = schema.__absolute_ref__ ?? String(schema['$ref'])
  const found = check.schemas[address]
  if (found === undefined) throw new Error(`Unresolved $ref ${JSON.stringify(schema['$ref'])}`)
  return checkValue(check, { ...checked, schema: found }, evaluated) || problem(check, checked, 'A subschema had errors.')
}

function checkType(check: Check, checked: Checked, type: string): boolean {
  const wanted = under(checked.schema as CheckedSchema, 'type')
  if (wanted === undefined) return true
  const types = Array.isArray(wanted) ? wanted : [wanted]
  check.spend(types.length)
  if (types.some((each) => each === type || (each === 'integer' && type === 'number' && Number.isInteger(checked.value)))) return true
  return problem(check, checked, `Instance type "${type}" is invalid. Expected "${types.join('", "')}".`)
}

/** The texts of the values under an `enum`, and what is said where it is none of them. */
const listed = new WeakMap<readonly Json[], { readonly texts: ReadonlySet<string>; readonly message: string }>()

function checkOneOf(check: Check, checked: Checked): boolean {
  const schema = checked.schema as CheckedSchema
  const wanted = under(schema, 'const')
  const values = under(schema, 'enum')
  if (wanted === undefined && values === undefined) return true
  const text = canonicalJson(checked.value as Json)
  check.spend(text.length)
  const isConst = wanted === undefined || text === canonicalJson(wanted)
  if (!isConst) problem(check, checked, `Instance does not match ${shown(wanted)}.`)
  if (!Array.isArray(values)) return isConst
  const known = listed.get(values) ?? { texts: new Set(values.map((each) => canonicalJson(each))), message: shown(values) }
  listed.set(values, known)
  return known.texts.has(text) ? isConst : problem(check, checked, `Instance does not match any of ${known.message}.`)
}

/** A value of a schema in a message, which is said of each value that differs. */
function shown(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 500 ? `${text.slice(0, 500).toWellFormed()}...` : text
}

function checkOthers(check: Check, checked: Checked, evaluated: Evaluated): boolean {
  const schema = checked.schema as CheckedSchema
  const not = under(schema, 'not')
  const isNot = not === undefined || !isValid(check, { ...checked, schema: not })
  if (!isNot) problem(check, checked, 'Instance matched "not" schema.')
  return [isNot, checkAny(check, checked, evaluated), checkAll(check, checked, evaluated), checkIf(check, checked, evaluated)].every(Boolean)
}

/** `anyOf` and `oneOf`: what is wrong with each is said only where it matters. */
function checkAny(check: Check, checked: Checked, evaluated: Evaluated): boolean {
  const schema = checked.schema as CheckedSchema
  let valid = true
  for (const keyword of ['anyOf', 'oneOf']) {
    if (!Array.isArray(under(schema, keyword))) continue
    const said = check.issues.length
    let matching = 0
    for (const each of listUnder(schema, keyword)) {
      const inner: Evaluated = new Set()
      if (!checkValue(check, { ...checked, schema: each }, inner)) continue
      matching += 1
      for (const name of inner) evaluated.add(name)
    }
    if (keyword === 'anyOf' ? matching > 0 : matching === 1) {
      check.issues.length = said
      continue
    }
    valid = false
    const words =
      keyword === 'anyOf' ? 'Instance does not match any subschemas.' : `Instance does not match exactly one subschema (${matching} matches).`
    problem(check, checked, words)
    // What is wrong as a whole is said before what is wrong with each.
    check.issues.splice(said, 0, ...check.issues.splice(-1))
  }
  return valid
}

function checkAll(check: Check, checked: Checked, evaluated: Evaluated): boolean {
  let valid = true
  for (const each of listUnder(checked.schema as CheckedSchema, 'allOf')) {
    const inner: Evaluated = new Set()
    if (checkValue(check, { ...checked, schema: each }, inner)) for (const name of inner) evaluated.add(name)
    else valid = false
  }
  return valid
}

function checkIf(check: Check, checked: Checked, evaluated: Evaluated): boolean {
  const schema = checked.schema as CheckedSchema
  const condition = under(schema, 'if')
  if (condition === undefined) return true
  const inner: Evaluated = new Set()
  const holds = isValid(check, { ...checked, schema: condition }, inner)
  if (holds) for (const name of inner) evaluated.add(name)
  const then = under(schema, holds ? 'then' : 'else')
  return then === undefined || checkValue(check, { ...checked, schema: then }, evaluated)
}
