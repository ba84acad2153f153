/** Objects and lists against what a schema asks of them, and of what they hold. */
import { canonicalJson, type Json } from '@loom-agent/kernel'
import { type Check, type Checked, type CheckedSchema, type Evaluated, isMatch, listUnder, namedUnder, problem, under } from './json-check-state.ts'

/** Checks an object. */
export function checkObject(check: Check, checked: Checked<object>, evaluated: Evaluated): boolean {
  const { value, place } = checked
  const schema = checked.schema as CheckedSchema
  const names = Object.keys(value)
  check.spend(names.length)
  let valid = checkNames(check, checked, names)
  valid = checkDependencies(check, checked, evaluated) && valid
  const spoken: Evaluated = new Set()
  const field = (name: string, inner: unknown, words: string): void => {
    spoken.add(name)
    if (check.value({ schema: inner, value: Reflect.get(value, name), place: { around: place, name } })) evaluated.add(name)
    else valid = words === '' ? false : problem(check, checked, words)
  }
  for (const [name, inner] of namedUnder(schema, 'properties')) {
    check.spend(1)
    if (Object.hasOwn(value, name)) field(name, inner, '')
  }
  for (const [pattern, inner] of namedUnder(schema, 'patternProperties'))
    for (const name of names)
      if (isMatch(check, pattern, name)) field(name, inner, `Property "${name}" matches pattern "${pattern}" but does not match associated schema.`)
  const [additional, unevaluated] = [under(schema, 'additionalProperties'), under(schema, 'unevaluatedProperties')]
  const isKnown = additional === undefined ? evaluated : spoken
  const rest = additional ?? unevaluated
  const others = additional === undefined ? 'unevaluated' : 'additional'
  if (rest !== undefined)
    for (const name of names) if (!isKnown.has(name)) field(name, rest, `Property "${name}" does not match ${others} properties schema.`)
  return valid
}

function checkNames(check: Check, checked: Checked<object>, names: readonly string[]): boolean {
  const { value, place } = checked
  const schema = checked.schema as CheckedSchema
  let valid = true
  for (const name of listUnder(schema, 'required')) {
    check.spend(1)
    if (!Object.hasOwn(value, String(name))) valid = problem(check, checked, `Instance does not have required property "${name}".`)
  }
  const [least, largest, each] = [under(schema, 'minProperties'), under(schema, 'maxProperties'), under(schema, 'propertyNames')]
  if (typeof least === 'number' && names.length < least) valid = problem(check, checked, `Instance does not have at least ${least} properties.`)
  if (typeof largest === 'number' && names.length > largest) valid = problem(check, checked, `Instance has more than ${largest} properties.`)
  if (each !== undefined)
    for (const name of names)
      if (!check.value({ schema: each, value: name, place: { around: place, name } }))
        valid = problem(check, checked, `Property name "${name}" does not match schema.`)
  return valid
}

/** What must be there, or hold, because a name is there. */
function checkDependencies(check: Check, checked: Checked<object>, evaluated: Evaluated): boolean {
  const { value } = checked
  let valid = true
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, needed] of namedUnder(checked.schema as CheckedSchema, keyword)) {
      check.spend(1)
      if (!Object.hasOwn(value, name)) continue
      if (!Array.isArray(needed)) {
        if (!check.value({ ...checked, schema: needed }, keyword === 'dependencies' ? undefined : evaluated))
          valid = problem(check, checked, `Instance has "${name}" but does not match dependant schema.`)
        continue
      }
      for (const other of needed as readonly Json[]) {
        check.spend(1)
        if (!Object.hasOwn(value, String(other))) valid = problem(check, checked, `Instance has "${name}" but does not have "${other}".`)
      }
    }
  }
  return valid
}

/** Checks a list. */
export function checkArray(check: Check, checked: Checked<readonly unknown[]>, evaluated: Evaluated): boolean {
  const { value, place } = checked
  const schema = checked.schema as CheckedSchema
  const { length } = value
  check.spend(length)
  const [least, largest] = [under(schema, 'minItems'), under(schema, 'maxItems')]
  let valid = true
  if (typeof largest === 'number' && length > largest) valid = problem(check, checked, `Array has too many items (${length} > ${largest}).`)
  if (typeof least === 'number' && length < least) valid = problem(check, checked, `Array has too few items (${length} < ${least}).`)
  let next = 0
  const upTo = (end: number, schemaOf: (index: number) => unknown): void => {
    for (; next < end; next += 1) {
      evaluated.add(next)
      if (!check.value({ schema: schemaOf(next), value: value[next], place: { around: place, name: next } })) valid = false
    }
  }
  const first = listUnder(schema, 'prefixItems')
  upTo(Math.min(first.length, length), (index) => first[index])
  const items = under(schema, 'items')
  if (Array.isArray(items)) upTo(Math.min(items.length, length), (index) => items[index])
  else if (items !== undefined) upTo(length, () => items)
  const additional = under(schema, 'additionalItems')
  if (items !== undefined && additional !== undefined) upTo(length, () => additional)
  valid = checkContains(check, checked, evaluated) && valid
  const unevaluated = under(schema, 'unevaluatedItems')
  if (unevaluated !== undefined)
    for (; next < length; next += 1) {
      if (evaluated.has(next)) continue
      evaluated.add(next)
      if (!check.value({ schema: unevaluated, value: value[next], place: { around: place, name: next } }))
        valid = problem(check, checked, 'Items did not match unevaluated items schema.')
    }
  return checkUnique(check, checked) && valid
}

function checkContains(check: Check, checked: Checked<readonly unknown[]>, evaluated: Evaluated): boolean {
  const { value, place } = checked
  const schema = checked.schema as CheckedSchema
  const contains = under(schema, 'contains')
  if (contains === undefined) return true
  const [least, largest] = [under(schema, 'minContains'), under(schema, 'maxContains')]
  const said = check.issues.length
  let found = 0
  for (const [index, item] of value.entries()) {
    if (!check.value({ schema: contains, value: item, place: { around: place, name: index } })) continue
    evaluated.add(index)
    found += 1
  }
  if (typeof least === 'number' && found < least)
    return problem(check, checked, `Array must contain at least ${least} items matching schema. Only ${found} items were found.`)
  check.issues.length = said
  if (least === undefined && found === 0) return problem(check, checked, 'Array does not contain item matching schema.')
  if (typeof largest === 'number' && found > largest)
    return problem(check, checked, `Array may contain at most ${largest} items matching schema. ${found} items were found.`)
  return true
}

function checkUnique(check: Check, checked: Checked<readonly unknown[]>): boolean {
  if (under(checked.schema as CheckedSchema, 'uniqueItems') !== true) return true
  const seen = new Map<string, number>()
  for (const [index, item] of checked.value.entries()) {
    const text = canonicalJson(item as Json)
    check.spend(text.length)
    const before = seen.get(text)
    if (before !== undefined) return problem(check, checked, `Duplicate items at indexes ${before} and ${index}.`)
    seen.set(text, index)
  }
  return true
}
