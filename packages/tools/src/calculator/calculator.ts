/** Arithmetic, as a tool. */
import { jsonSchema, type Tool, tool } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { evaluate } from './evaluate.ts'

interface CalculatorInput {
  readonly expression: string
}

const schema = jsonSchema<CalculatorInput>({
  type: 'object',
  properties: { expression: { type: 'string', minLength: 1, description: 'Such as (1.5 + 2) * 3^2 / sqrt(16).' } },
  required: ['expression'],
  additionalProperties: false,
})

/**
 * The tool `calculator`: evaluates an expression of numbers, operators and a fixed list of functions. Sums, products, quotients and whole powers are
 * exact; nothing is run as code.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: [calculator()] })
 */
export function calculator(): Tool {
  return tool({
    name: 'calculator',
    description:
      'Evaluates an expression: + - * / % ^, parentheses, pi, e, tau, and abs, floor, ceil, trunc, round, sign, min, max, sum, avg, factorial, sqrt, cbrt, exp, ln, log, log2, sin, cos, tan, asin, acos, atan, atan2, hypot (angles in radians).',
    input: schema,
    effect: 'pure',
    run({ expression }) {
      try {
        return evaluate(expression)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        return new LoomError('LOOM_TOOL_INPUT_INVALID', message, { cause: error, context: { expression: expression.slice(0, 200) } })
      }
    },
  })
}
