import { describe, expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'

const exactly = (expression: string): string => {
  const { result, exact } = evaluate(expression)
  return exact ? result : `about ${result}`
}

describe('an expression', () => {
  test.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['0.1 + 0.2', '0.3'],
    ['10 / 4', '2.5'],
    ['1 / 3', 'about 0.33333333333333333333'],
    ['-1 / 3', 'about -0.33333333333333333333'],
    ['2 / 3', 'about 0.66666666666666666667'],
    ['1 / 3 * 3', '1'],
    ['2^10', '1024'],
    ['2 ** 10', '1024'],
    ['2^3^2', '512'],
    ['-2^2', '-4'],
    ['(-2)^2', '4'],
    ['2^-2', '0.25'],
    ['2^100', '1267650600228229401496703205376'],
    ['9007199254740993 + 1', '9007199254740994'],
    ['7 % 3', '1'],
    ['-7 % 3', '2'],
    ['5.5 % 2', '1.5'],
    ['1e3 + .5', '1000.5'],
    ['1.5E-3', '0.0015'],
    ['1_000_000 * 2', '2000000'],
    ['6 × 7 ÷ 2 − 1', '20'],
    ['--3', '3'],
    ['2 - -3', '5'],
    ['sqrt(16)', '4'],
    ['sqrt(2.25)', '1.5'],
    ['sqrt(2)', 'about 1.4142135623731'],
    ['round(2.5) + round(-2.5) + round(1.005, 2)', '1.01'],
    ['floor(-1.5) + ceil(-1.5) + trunc(-1.5)', '-4'],
    ['min(3, 1, 2) + max(3, 1, 2)', '4'],
    ['sum(0.1, 0.1, 0.1)', '0.3'],
    ['avg(1, 2, 4)', 'about 2.33333333333333333333'],
    ['abs(-3) * sign(-2)', '-3'],
    ['factorial(25)', '15511210043330985984000000'],
    ['ln(e)', 'about 1'],
    ['log10(1000) + log2(8)', 'about 6'],
    ['sin(0) + cos(0)', 'about 1'],
    ['2^0.5', 'about 1.4142135623731'],
    ['0^0', '1'],
    ['(-1)^100000', '1'],
    ['hypot(3, 4)', 'about 5'],
    ['PI', 'about 3.14159265358979323846'],
    ['1e-60', '0.000000000000000000000000000000000000000000000000000000000001'],
  ])('%s is %s', (expression, result) => expect(exactly(expression)).toBe(result))

  test.each([
    ['', 'The expression ends where a number is expected.'],
    ['1 +', 'The expression ends where a number is expected.'],
    ['1 2', '"2" at position 3 stands where an operator or the end is expected.'],
    ['(1', 'The expression ends where ) is expected.'],
    ['1)', '")" at position 2 stands where an operator or the end is expected.'],
    ['*3', '"*" at position 1 stands where a number is expected.'],
    ['1 / 0', 'Division by zero.'],
    ['1 % 0', 'Division by zero.'],
    ['0^-1', 'Division by zero: 0 has no negative power.'],
    ['sqrt(-1)', 'sqrt takes a number that is not negative.'],
    ['ln(0)', 'A number would have more than 1000 digits. Compute with smaller ones.'],
    ['asin(2)', 'The result is not a real number.'],
    ['(-8)^0.5', 'The result is not a real number.'],
    ['9^999999999', 'A number would have more than 1000 digits. Compute with smaller ones.'],
    ['9^9^9^9', 'A number would have more than 1000 digits. Compute with smaller ones.'],
    ['1e99999', 'A number would have more than 1000 digits. Compute with smaller ones.'],
    ['factorial(1000000)', 'factorial takes a whole number from 0 to 400.'],
    ['sqr(4)', 'There is no function "sqr" (position 1). Did you mean sqrt?'],
    ['sqrt', '"sqrt" at position 1 is no constant. It is a function: write sqrt(...).'],
    ['x + 1', '"x" at position 1 is no constant. The constants are: pi, tau, e.'],
    ['atan2(1)', 'atan2 takes 2 arguments, not 1 (position 1).'],
    ['sqrt(1, 2)', 'sqrt takes 1 argument, not 2 (position 1).'],
    ['round(1, 0.5)', 'round takes a number and a whole number of digits, -100 to 100.'],
    ['min()', 'min takes 1 to 100 arguments, not 0 (position 1).'],
    ['process.exit(1)', expect.stringContaining('"." at position 8 is not understood')],
    ['1; 2', '";" at position 2 is not understood. Use numbers, + - * / % ^, parentheses, and functions such as sqrt(2).'],
    ['constructor(1)', expect.stringContaining('There is no function "constructor"')],
    ['__proto__', expect.stringContaining('is not understood')],
    ['😀', expect.stringContaining('"😀" at position 1 is not understood')],
    ['('.repeat(51), 'The expression is nested more than 50 deep. Split it.'],
    ['-'.repeat(60), 'The expression is nested more than 50 deep. Split it.'],
    ['1'.repeat(1001), 'The expression has 1001 characters; 1000 are allowed. Split it.'],
    ['1e999 * 10', 'A number would have more than 1000 digits. Compute with smaller ones.'],
  ])('%j is refused: %j', (expression, message) => {
    let said = 'nothing'
    try {
      said = JSON.stringify(evaluate(expression))
    } catch (error) {
      said = (error as Error).message
    }
    expect(said).toEqual(message)
  })
})
