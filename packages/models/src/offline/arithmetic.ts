/** An exact calculator for + - * / and parentheses. Values are fractions of big integers: no intermediate result is rounded. */

/** A sentence that is a calculation. */
export interface Calculation {
  /** With signs instead of words, as calculators take it. */
  readonly expression: string
  /** The result, in a sentence. */
  readonly result: string
}

/** The bottom is 0 after a division by zero. */
type Fraction = readonly [top: bigint, bottom: bigint]

const signs: Readonly<Record<string, string>> = {
  ...{ plus: '+', minus: '-', times: '*', 'multiplied by': '*', 'divided by': '/', x: '*', '×': '*', '÷': '/', '−': '-' },
  ...{ 加上: '+', 加: '+', 减去: '-', 减: '-', 乘以: '*', 乘: '*', 除以: '/' },
}
const numerals = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const words = new RegExp(`\\b(?:plus|minus|times|multiplied by|divided by|x|${numerals.join('|')})\\b|[×÷−]|加上?|减去?|乘以?|除以`, 'gi')
const lead = /^(?:please\s+|请)?(?:what\s+is|what[’']s|how\s+much\s+is|calculate|compute|evaluate|计算一?下?|算一?下)?\s*[:：]?\s*/i
const tail = /\s*(?:[=?？.。!]|等于多少|等于几|是多少)*\s*$/
const longest = 400

/** The calculation that a sentence asks for; undefined when it asks for something else. */
export function calculationIn(sentence: string): Calculation | undefined {
  if (sentence.length > longest || /\d{4}-\d\d-\d\d/.test(sentence)) return undefined
  const bare = sentence.trim().replace(lead, '').replace(tail, '')
  const signed = bare
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replaceAll(words, (word) => signs[word.toLowerCase()] ?? String(numerals.indexOf(word.toLowerCase())))
  const tokens = signed.match(/\d+(?:\.\d+)?|[-+*/()]/g) ?? []
  if (tokens.length < 3 || tokens.join('') !== signed.replaceAll(/\s/g, '') || /\d\s+\d/.test(signed)) return undefined
  const value = evaluate(tokens)
  if (value === undefined) return undefined
  const expression = tokens.join(' ').replaceAll('( ', '(').replaceAll(' )', ')')
  return { expression, result: resultOf(expression, value) }
}

const priority: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 }

/** The value of an expression; undefined when it is no expression. */
function evaluate(tokens: readonly string[]): Fraction | undefined {
  let at = 0
  const operand = (): Fraction | undefined => {
    const token = tokens[at++] ?? ''
    if (token !== '-' && token !== '(') return /^\d/.test(token) ? fractionOf(token) : undefined
    const value = token === '-' ? operand() : sum(0)
    if (token === '-') return value && [-value[0], value[1]]
    return tokens[at++] === ')' ? value : undefined
  }
  const sum = (above: number): Fraction | undefined => {
    let value = operand()
    for (let sign = tokens[at] ?? ''; value && (priority[sign] ?? 0) > above; sign = tokens[at] ?? '') {
      at += 1
      const right = sum(priority[sign] ?? 0)
      value = right && combine(value, sign, right)
    }
    return value
  }
  const value = sum(0)
  return at === tokens.length ? value : undefined
}

function fractionOf(decimal: string): Fraction {
  const [whole = '', part = ''] = decimal.split('.')
  return [BigInt(whole + part), 10n ** BigInt(part.length)]
}

function combine([a, b]: Fraction, sign: string, [c, d]: Fraction): Fraction {
  if (sign === '*') return [a * c, b * d]
  if (sign === '/') return d === 0n ? [0n, 0n] : [a * d, b * c]
  return [sign === '+' ? a * d + c * b : a * d - c * b, b * d]
}

const mostDigits = 30

/** An exact decimal number, or else its first digits with the word "about". */
function resultOf(expression: string, [top, bottom]: Fraction): string {
  if (bottom === 0n) return `${expression} has no value: it divides by zero.`
  let digits = 0
  while (digits < mostDigits && (top * 10n ** BigInt(digits)) % bottom !== 0n) digits += 1
  const scaled = (top * 10n ** BigInt(digits)) / bottom
  const plain = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, '0')
  const whole = plain.slice(0, plain.length - digits)
  const value = `${scaled < 0n ? '-' : ''}${whole}${digits > 0 ? `.${plain.slice(-digits)}` : ''}`
  return digits < mostDigits ? `${expression} = ${value}` : `${expression} is about ${value}...`
}
