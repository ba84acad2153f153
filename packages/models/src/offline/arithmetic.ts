/** A calculator that knows numbers, + - * / % ^ and brackets, and nothing else: no names, no calls, nothing to run away with. */

/** An arithmetic expression, evaluated: its value, and how many operators it has. */
export interface Sum {
  readonly value: number
  readonly operators: number
  /** Of an expression of two numbers and one operator. */
  readonly simple?: { readonly a: number; readonly operator: string; readonly b: number }
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
  operators: number
  depth: number
}

const tokenForm = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([-+*/%^()]))/y
const deepest = 100

/** Evaluates an expression; undefined when it is none. */
export function evaluate(text: string): Sum | undefined {
  const tokens = tokensOf(
    text
      .replace(/×/g, '*')
      .replace(/÷/g, '/')
      .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
      .replaceAll('**', '^'),
  )
  if (!tokens || tokens.length === 0 || tokens.length > 1000) return undefined
  const reader: Reader = { tokens, at: 0, operators: 0, depth: 0 }
  const value = sum(reader)
  if (reader.at < tokens.length || !Number.isFinite(value)) return undefined
  const [a, operator, b] = tokens
  const simple =
    tokens.length === 3 && a !== undefined && operator !== undefined && b !== undefined ? { a: Number(a), operator, b: Number(b) } : undefined
  return { value: rounded(value), operators: reader.operators, ...(simple && !Number.isNaN(simple.a) && !Number.isNaN(simple.b) && { simple }) }
}

/** Binary fractions show their tail in the sixteenth digit. */
const rounded = (value: number): number => Number(value.toPrecision(12))

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = []
  tokenForm.lastIndex = 0
  const trimmed = text.trim()
  while (tokenForm.lastIndex < trimmed.length) {
    const match = tokenForm.exec(trimmed)
    if (!match) return undefined
    tokens.push(match[1] ?? match[2] ?? '')
  }
  return tokens
}

function sum(reader: Reader): number {
  let value = product(reader)
  for (let operator = take(reader, '+', '-'); operator !== undefined; operator = take(reader, '+', '-')) {
    const right = product(reader)
    value = operator === '+' ? value + right : value - right
  }
  return value
}

function product(reader: Reader): number {
  let value = power(reader)
  for (let operator = take(reader, '*', '/', '%'); operator !== undefined; operator = take(reader, '*', '/', '%')) {
    const right = power(reader)
    value = operator === '*' ? value * right : operator === '/' ? value / right : value % right
  }
  return value
}

function power(reader: Reader): number {
  if (reader.tokens[reader.at] === '-') {
    reader.at += 1
    return nested(reader, () => -power(reader))
  }
  const left = atom(reader)
  return take(reader, '^') === undefined ? left : nested(reader, () => left ** power(reader))
}

function atom(reader: Reader): number {
  const token = reader.tokens[reader.at]
  reader.at += 1
  if (token === '(') {
    const value = nested(reader, () => sum(reader))
    if (reader.tokens[reader.at] !== ')') return Number.NaN
    reader.at += 1
    return value
  }
  return token === undefined || !/^[\d.]/.test(token) ? Number.NaN : Number(token)
}

function take(reader: Reader, ...operators: readonly string[]): string | undefined {
  const token = reader.tokens[reader.at]
  if (token === undefined || !operators.includes(token)) return undefined
  reader.at += 1
  reader.operators += 1
  return token
}

/** Brackets may not exhaust the stack. */
function nested(reader: Reader, read: () => number): number {
  reader.depth += 1
  const value = reader.depth > deepest ? Number.NaN : read()
  reader.depth -= 1
  return value
}
