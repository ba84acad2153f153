/**
 * Numbers as fractions of whole numbers, so that sums of decimals are exact.
 *
 * CALC-1. No number has more than a thousand digits, above or below the line: what would have more is refused before it is computed.
 */

/** A fraction in lowest terms; what is below the line is positive. */
export interface Rational {
  readonly above: bigint
  readonly below: bigint
}

/** Digits that a number may have. */
export const mostDigits = 1000

/** A number that is too large. */
export const tooLarge = (): Error => new Error(`A number would have more than ${mostDigits} digits. Compute with smaller ones.`)

const digitsOf = (value: bigint): number => value.toString().length

function commonDivisor(a: bigint, b: bigint): bigint {
  let [one, other] = [a < 0n ? -a : a, b]
  while (other !== 0n) [one, other] = [other, one % other]
  return one
}

/** A fraction in lowest terms. */
export function rational(above: bigint, below = 1n): Rational {
  if (below === 1n) return checked({ above, below })
  const divisor = commonDivisor(above, below) || 1n
  const sign = below < 0n ? -1n : 1n
  return checked({ above: (sign * above) / divisor, below: (sign * below) / divisor })
}

function checked(value: Rational): Rational {
  if (digitsOf(value.above) > mostDigits || digitsOf(value.below) > mostDigits) throw tooLarge()
  return value
}

/** The number that a decimal text says, such as `1.5e-3`. */
export function fromDecimal(text: string): Rational {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const power = Number(exponent) - fraction.length
  if (Math.abs(power) > mostDigits || whole.length + fraction.length > mostDigits) throw tooLarge()
  const digits = BigInt(`${whole}${fraction}`)
  return power < 0 ? rational(digits, 10n ** BigInt(-power)) : rational(digits * 10n ** BigInt(power))
}

/** The nearest fraction to a number in memory; throws where that is none. */
export function fromNumber(value: number): Rational {
  if (Number.isNaN(value)) throw new Error('The result is not a real number.')
  if (!Number.isFinite(value)) throw tooLarge()
  const exact = fromDecimal(Math.abs(value).toPrecision(15))
  return value < 0 ? negated(exact) : exact
}

/** A fraction as a number in memory. */
export function toNumber({ above, below }: Rational): number {
  const [high, low] = [Number(above), Number(below)]
  if (Number.isFinite(high) && Number.isFinite(low)) return high / low
  const shift = BigInt(Math.max(0, Math.max(digitsOf(above), digitsOf(below)) - 300))
  return Number(above / 10n ** shift) / Math.max(Number(below / 10n ** shift), Number.MIN_VALUE)
}

export const negated = ({ above, below }: Rational): Rational => ({ above: -above, below })
export const plus = (a: Rational, b: Rational): Rational => rational(a.above * b.below + b.above * a.below, a.below * b.below)
export const times = (a: Rational, b: Rational): Rational => rational(a.above * b.above, a.below * b.below)
export const isWhole = ({ below }: Rational): boolean => below === 1n

/** One number divided by another. */
export function over(a: Rational, b: Rational): Rational {
  if (b.above === 0n) throw new Error('Division by zero.')
  return rational(a.above * b.below, a.below * b.above)
}

/** The largest whole number that is not larger. */
export function floor({ above, below }: Rational): Rational {
  const quotient = above / below
  return rational(above < 0n && quotient * below !== above ? quotient - 1n : quotient)
}

/** What is left of a division; it has the sign of the divisor. */
export const modulo = (a: Rational, b: Rational): Rational => plus(a, negated(times(b, floor(over(a, b)))))

/** A whole power. */
export function wholePower(base: Rational, exponent: number): Rational {
  const size = Math.max(digitsOf(base.above), digitsOf(base.below))
  const isUnit = base.below === 1n && base.above >= -1n && base.above <= 1n
  if (!isUnit && (size - 1) * Math.abs(exponent) > mostDigits) throw tooLarge()
  if (!isUnit && Math.abs(exponent) > 10 * mostDigits) throw tooLarge()
  if (exponent < 0) return over(rational(1n), wholePower(base, -exponent))
  const power = BigInt(isUnit ? exponent % 2 : exponent)
  if (isUnit && base.above === 0n) return rational(exponent === 0 ? 1n : 0n)
  return rational(base.above ** power, base.below ** power)
}

/** How a number is written: exactly where it has at most 40 decimals, else rounded to 20 digits. */
export function written({ above, below }: Rational): { readonly text: string; readonly isRounded: boolean } {
  if (below === 1n) return { text: above.toString(), isRounded: false }
  const decimals = decimalsOf(below)
  if (decimals !== undefined && decimals <= 40) return { text: withPoint((above * 10n ** BigInt(decimals)) / below, decimals), isRounded: false }
  const magnitude = digitsOf(above < 0n ? -above : above) - digitsOf(below)
  const places = Math.max(0, 20 - magnitude)
  const scaled = above * 10n ** BigInt(places)
  const doubled = (2n * scaled) / below
  return { text: withPoint((doubled + (doubled < 0n ? -1n : 1n)) / 2n, places), isRounded: scaled % below !== 0n }
}

/** How many decimals a fraction has; undefined where they never end. */
function decimalsOf(below: bigint): number | undefined {
  let rest = below
  let [twos, fives] = [0, 0]
  for (; rest % 2n === 0n; twos += 1) rest /= 2n
  for (; rest % 5n === 0n; fives += 1) rest /= 5n
  return rest === 1n ? Math.max(twos, fives) : undefined
}

function withPoint(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? '-' : ''
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
  return `${sign}${text}`
}
