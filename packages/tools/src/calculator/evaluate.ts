/**
 * Evaluates an expression by a small parser of its own: nothing of it is ever run as code.
 *
 * CALC-2. The work is bounded: the length of an expression, how deep it is nested, and the digits of each number.
 */
import { nearest } from '@loom-agent/agent/kit'
import { constants, functions, type Value } from './functions.ts'
import {
  fromDecimal,
  fromNumber,
  isWhole,
  modulo,
  mostDigits,
  negated,
  over,
  plus,
  times,
  toNumber,
  tooLarge,
  wholePower,
  written,
} from './rational.ts'

/** The result of an expression. */
export interface Evaluated {
  /** The number in decimal notation. */
  readonly result: string
  /** Whether it is the exact result; otherwise it is rounded. */
  readonly exact: boolean
}

const longest = 1000
const deepest = 50

interface Token {
  readonly kind: 'number' | 'name' | 'mark' | 'end'
  readonly text: string
  /** The position of its first character, from 1. */
  readonly at: number
}

interface Reader {
  readonly tokens: readonly Token[]
  next: number
  depth: number
}

/** The value of an expression. Throws an error whose message says what is wrong, and where. */
export function evaluate(expression: string): Evaluated {
  if (expression.length > longest) throw new Error(`The expression has ${expression.length} characters; ${longest} are allowed. Split it.`)
  const reader: Reader = { tokens: tokensOf(expression), next: 0, depth: 0 }
  const value = sum(reader)
  const left = peek(reader)
  if (left.kind !== 'end') throw unexpected(left, 'an operator or the end')
  const { text, isRounded } = written(value.number)
  if (text.length > mostDigits + 2) throw tooLarge()
  return { result: text, exact: value.isExact && !isRounded }
}

const token = /\s*(?:((?:\d+(?:_\d+)*)(?:\.\d*)?(?:[eE][+-]?\d{1,5})?|\.\d+(?:[eE][+-]?\d{1,5})?)|([a-zA-Z][a-zA-Z0-9]*)|(\*\*|[-+*/%^(),×÷−·]))/y
/** Marks that people write, and what they mean. */
const meant: Readonly<Record<string, string>> = { '**': '^', '×': '*', '·': '*', '÷': '/', '−': '-' }

function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = []
  const text = expression.trimEnd()
  token.lastIndex = 0
  for (let from = 0; from < text.length; from = token.lastIndex) {
    const found = token.exec(text)
    if (!found) {
      const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0)
      throw new Error(`${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} at position ${at + 1} is not understood. ${grammar}`)
    }
    const [whole, number, name, mark = ''] = found
    const at = from + whole.length - whole.trimStart().length + 1
    if (number !== undefined) tokens.push({ kind: 'number', text: number.replaceAll('_', ''), at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else tokens.push({ kind: 'mark', text: meant[mark] ?? mark, at })
  }
  return [...tokens, { kind: 'end', text: 'the end', at: text.length + 1 }]
}

const grammar = 'Use numbers, + - * / % ^, parentheses, and functions such as sqrt(2).'

const peek = ({ tokens, next }: Reader): Token => tokens[next] ?? { kind: 'end', text: 'the end', at: 0 }

function take(reader: Reader): Token {
  const taken = peek(reader)
  reader.next += 1
  return taken
}

const isMark = ({ kind, text }: Token, marks: string): boolean => kind === 'mark' && marks.includes(text)

const unexpected = ({ kind, text, at }: Token, wanted: string): Error =>
  new Error(
    kind === 'end'
      ? `The expression ends where ${wanted} is expected.`
      : `"${text.slice(0, 40)}" at position ${at} stands where ${wanted} is expected.`,
  )

function nested<T>(reader: Reader, work: () => T): T {
  reader.depth += 1
  if (reader.depth > deepest) throw new Error(`The expression is nested more than ${deepest} deep. Split it.`)
  const result = work()
  reader.depth -= 1
  return result
}

const combine = (a: Value, b: Value, operate: typeof plus): Value => ({ number: operate(a.number, b.number), isExact: a.isExact && b.isExact })

function sum(reader: Reader): Value {
  let value = product(reader)
  while (isMark(peek(reader), '+-')) {
    const { text } = take(reader)
    value = combine(value, product(reader), text === '+' ? plus : (a, b) => plus(a, negated(b)))
  }
  return value
}

const operations: Readonly<Record<string, typeof plus>> = { '*': times, '/': over, '%': modulo }

function product(reader: Reader): Value {
  let value = signed(reader)
  while (isMark(peek(reader), '*/%')) {
    const operate = operations[take(reader).text] ?? times
    value = combine(value, signed(reader), operate)
  }
  return value
}

/** A sign binds less than a power: -2^2 is -4. */
function signed(reader: Reader): Value {
  if (!isMark(peek(reader), '+-')) return power(reader)
  const { text } = take(reader)
  const value = nested(reader, () => signed(reader))
  return text === '-' ? { ...value, number: negated(value.number) } : value
}

/** Powers group from the right: 2^3^2 is 2^9. */
function power(reader: Reader): Value {
  const base = operand(reader)
  if (!isMark(peek(reader), '^')) return base
  take(reader)
  const exponent = nested(reader, () => signed(reader))
  if (isWhole(exponent.number)) {
    const times = Number(exponent.number.above)
    if (base.number.above === 0n && times < 0) throw new Error('Division by zero: 0 has no negative power.')
    return { number: wholePower(base.number, times), isExact: base.isExact && exponent.isExact }
  }
  return { number: fromNumber(toNumber(base.number) ** toNumber(exponent.number)), isExact: false }
}

function operand(reader: Reader): Value {
  const first = take(reader)
  if (first.kind === 'number') return { number: fromDecimal(first.text), isExact: true }
  if (first.kind === 'name') return isMark(peek(reader), '(') ? called(reader, first) : constant(first)
  if (!isMark(first, '(')) throw unexpected(first, 'a number')
  const value = nested(reader, () => sum(reader))
  const close = take(reader)
  if (!isMark(close, ')')) throw unexpected(close, ')')
  return value
}

function constant({ text, at }: Token): Value {
  const value = constants.get(text.toLowerCase())
  if (value) return value
  const advice = functions.has(text.toLowerCase())
    ? `It is a function: write ${text}(...).`
    : `The constants are: ${[...constants.keys()].join(', ')}.`
  throw new Error(`"${text.slice(0, 40)}" at position ${at} is no constant. ${advice}`)
}

function called(reader: Reader, { text, at }: Token): Value {
  const found = functions.get(text.toLowerCase())
  if (!found) {
    const near = nearest(text, [...functions.keys()])
    throw new Error(
      `There is no function "${text.slice(0, 40)}" (position ${at}). ${near ? `Did you mean ${near}?` : `The functions are: ${[...functions.keys()].join(', ')}.`}`,
    )
  }
  const values = nested(reader, () => argumentsOf(reader))
  const [least, most] = found.takes
  if (values.length < least || values.length > most) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`
    throw new Error(`${text} takes ${wanted} ${most === 1 ? 'argument' : 'arguments'}, not ${values.length} (position ${at}).`)
  }
  return found.apply(values)
}

function argumentsOf(reader: Reader): readonly Value[] {
  take(reader)
  if (isMark(peek(reader), ')')) {
    take(reader)
    return []
  }
  const values = [sum(reader)]
  for (;;) {
    const mark = take(reader)
    if (isMark(mark, ')')) return values
    if (!isMark(mark, ',')) throw unexpected(mark, ', or )')
    values.push(sum(reader))
  }
}
