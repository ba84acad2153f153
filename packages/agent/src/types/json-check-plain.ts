/** Numbers and texts against what a schema asks of them. */
import { format } from '@cfworker/json-schema'
import { type Check, type Checked, type CheckedSchema, isMatch, problem, under } from './json-check-state.ts'

/** Checks a number. */
export function checkNumber(check: Check, checked: Checked<number>): boolean {
  const { value } = checked
  const schema = checked.schema as CheckedSchema
  let valid = true
  const bound = (keyword: string, isBroken: (limit: number) => boolean, words: string): void => {
    const limit = under(schema, keyword)
    if (typeof limit === 'number' && isBroken(limit)) valid = problem(check, checked, `${value} is ${words} ${limit}.`)
  }
  bound('minimum', (limit) => value < limit, 'less than')
  bound('maximum', (limit) => value > limit, 'greater than')
  bound('exclusiveMinimum', (limit) => value <= limit, 'less than')
  bound('exclusiveMaximum', (limit) => value >= limit, 'greater than or equal to')
  bound('multipleOf', (limit) => !isMultiple(value, limit), 'not a multiple of')
  return valid
}

/** Whether a number is a multiple of another, by their decimal digits: 0.3 is one of 0.1. */
function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value) || !(of > 0)) return false
  const [digits, zeros] = decimalOf(value)
  const [divisor, divisorZeros] = decimalOf(of)
  const shift = 10n ** BigInt(Math.abs(zeros - divisorZeros))
  return zeros >= divisorZeros ? (digits * shift) % divisor === 0n : digits % (divisor * shift) === 0n
}

/** Digits of a number, and the power of ten that they are multiplied with. */
function decimalOf(value: number): readonly [bigint, number] {
  const [digits = '0', power = '0'] = Math.abs(value).toString().split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  return [BigInt(whole + fraction), Number(power) - fraction.length]
}

/** Checks a text. */
export function checkText(check: Check, checked: Checked<string>): boolean {
  const { value } = checked
  const schema = checked.schema as CheckedSchema
  const [least, longest] = [under(schema, 'minLength'), under(schema, 'maxLength')]
  let valid = true
  if (typeof least === 'number' || typeof longest === 'number') {
    check.spend(value.length >> 3)
    const length = charactersOf(value)
    if (typeof least === 'number' && length < least) valid = problem(check, checked, `String is too short (${length} < ${least}).`)
    if (typeof longest === 'number' && length > longest) valid = problem(check, checked, `String is too long (${length} > ${longest}).`)
  }
  const pattern = under(schema, 'pattern')
  if (typeof pattern === 'string' && !isMatch(check, pattern, value)) valid = problem(check, checked, 'String does not match pattern.')
  const name = under(schema, 'format')
  if (typeof name === 'string' && !hasFormat(check, name, value)) valid = problem(check, checked, `String does not match format "${name}".`)
  return valid
}

function charactersOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** No text of a format is longer; a text that is has not the format. */
const longestFormatted = 65_536

function hasFormat(check: Check, name: string, text: string): boolean {
  check.spend(Math.min(text.length, longestFormatted))
  if (!Object.hasOwn(format, name)) return true
  if (text.length > longestFormatted) return false
  // The pattern of the library for addresses tries all ways through them.
  if (name === 'url') return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text)
  return format[name]?.(text) ?? true
}
