/** The functions and constants that the calculator knows. */
import { floor, fromDecimal, fromNumber, isWhole, negated, over, plus, type Rational, rational, times, toNumber } from './rational.ts'

/** A number, and whether it is exact. */
export interface Value {
  readonly number: Rational
  readonly isExact: boolean
}

/** A function of the calculator. */
export interface CalculatorFunction {
  /** How many arguments it takes: at least, and at most. */
  readonly takes: readonly [least: number, most: number]
  readonly apply: (values: readonly Value[]) => Value
}

const zero = rational(0n)
const numberAt = (values: readonly Value[], index: number): Rational => values[index]?.number ?? zero
const areExact = (values: readonly Value[]): boolean => values.every(({ isExact }) => isExact)

const exact = (apply: (...numbers: Rational[]) => Rational, takes: CalculatorFunction['takes'] = [1, 1]): CalculatorFunction => ({
  takes,
  apply: (values) => ({ number: apply(...values.map(({ number }) => number)), isExact: areExact(values) }),
})

const approximate = (apply: (...numbers: number[]) => number, takes: CalculatorFunction['takes'] = [1, 1]): CalculatorFunction => ({
  takes,
  apply: (values) => ({ number: fromNumber(apply(...values.map(({ number }) => toNumber(number)))), isExact: false }),
})

const isLess = (a: Rational, b: Rational): boolean => a.above * b.below < b.above * a.below
const absolute = (value: Rational): Rational => (value.above < 0n ? negated(value) : value)
const ceiling = (value: Rational): Rational => negated(floor(negated(value)))
const truncated = (value: Rational): Rational => (value.above < 0n ? ceiling(value) : floor(value))
const most = 100

function rounded(value: Rational, digits: Rational = zero): Rational {
  if (!isWhole(digits) || digits.above < -100n || digits.above > 100n)
    throw new Error('round takes a number and a whole number of digits, -100 to 100.')
  const scale = fromDecimal(`1e${digits.above}`)
  const half = floor(plus(times(absolute(value), scale), rational(1n, 2n)))
  const result = over(half, scale)
  return value.above < 0n ? negated(result) : result
}

/** A square root is exact where the number is a square. */
function squareRoot(values: readonly Value[]): Value {
  const number = numberAt(values, 0)
  if (number.above < 0n) throw new Error('sqrt takes a number that is not negative.')
  const [above, below] = [rootOf(number.above), rootOf(number.below)]
  if (above * above === number.above && below * below === number.below) return { number: rational(above, below), isExact: areExact(values) }
  return { number: fromNumber(Math.sqrt(toNumber(number))), isExact: false }
}

/** The whole part of a square root, by Newton's method. */
function rootOf(value: bigint): bigint {
  if (value < 2n) return value
  let root = 10n ** BigInt(Math.ceil(value.toString().length / 2))
  for (;;) {
    const next = (root + value / root) / 2n
    if (next >= root) return root
    root = next
  }
}

function factorial(value: Rational): Rational {
  if (!isWhole(value) || value.above < 0n || value.above > 400n) throw new Error('factorial takes a whole number from 0 to 400.')
  let product = 1n
  for (let factor = 2n; factor <= value.above; factor += 1n) product *= factor
  return rational(product)
}

/** The functions by name. */
export const functions: ReadonlyMap<string, CalculatorFunction> = new Map<string, CalculatorFunction>([
  ['abs', exact(absolute)],
  ['floor', exact(floor)],
  ['ceil', exact(ceiling)],
  ['trunc', exact(truncated)],
  ['round', exact(rounded, [1, 2])],
  ['sign', exact((value) => rational(value.above > 0n ? 1n : value.above < 0n ? -1n : 0n))],
  ['min', exact((...numbers) => numbers.reduce((a, b) => (isLess(b, a) ? b : a)), [1, most])],
  ['max', exact((...numbers) => numbers.reduce((a, b) => (isLess(a, b) ? b : a)), [1, most])],
  ['sum', exact((...numbers) => numbers.reduce(plus), [1, most])],
  ['avg', exact((...numbers) => over(numbers.reduce(plus), rational(BigInt(numbers.length))), [1, most])],
  ['factorial', exact(factorial)],
  ['sqrt', { takes: [1, 1], apply: squareRoot }],
  ['cbrt', approximate(Math.cbrt)],
  ['exp', approximate(Math.exp)],
  ['ln', approximate(Math.log)],
  ['log', approximate(Math.log10)],
  ['log10', approximate(Math.log10)],
  ['log2', approximate(Math.log2)],
  ['sin', approximate(Math.sin)],
  ['cos', approximate(Math.cos)],
  ['tan', approximate(Math.tan)],
  ['asin', approximate(Math.asin)],
  ['acos', approximate(Math.acos)],
  ['atan', approximate(Math.atan)],
  ['atan2', approximate(Math.atan2, [2, 2])],
  ['hypot', approximate(Math.hypot, [1, most])],
])

/** The constants by name. */
export const constants: ReadonlyMap<string, Value> = new Map([
  ['pi', { number: fromDecimal('3.14159265358979323846'), isExact: false }],
  ['tau', { number: fromDecimal('6.28318530717958647692'), isExact: false }],
  ['e', { number: fromDecimal('2.71828182845904523536'), isExact: false }],
])
