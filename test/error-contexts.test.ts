/** The context of errors: programs read values there, not out of messages. */
import { expect, test } from 'vitest'
import { readSources } from '../tools/architecture/sources.ts'

/** The arguments of every `new LoomError(...)` in a text, with the line they begin on. */
function madeIn(text: string): readonly { line: number; given: string }[] {
  return [...text.matchAll(/new LoomError\(/g)].map(({ index }) => {
    const start = index + 'new LoomError('.length
    let end = start
    for (let open = 1; open > 0 && end < text.length; end += 1) {
      if ('([{'.includes(text[end] ?? '')) open += 1
      else if (')]}'.includes(text[end] ?? '')) open -= 1
    }
    return { line: text.slice(0, index).split('\n').length, given: text.slice(start, end - 1) }
  })
}

/** Whether a message has values in it. Advice and rules are words of the code. */
const namesValues = (given: string): boolean => /\$\{(?!advice\}|rule\})/.test(given) || /^\s*'LOOM_\w+',\s*(message|reason|problem)\b/.test(given)

const made = readSources()
  .filter(({ file, isTest }) => /^packages\/[^/]+\/src\//.test(file) && !isTest)
  .flatMap(({ file, text }) => madeIn(text).map((error) => ({ ...error, file })))

test('every error whose message names values has them in its context', () => {
  const without = made.filter(({ given }) => namesValues(given) && !/\bcontext\b/.test(given))
  expect(without.map(({ file, line }) => `${file}:${line}`)).toEqual([])
})

test('an error without a context is noticed', () => {
  expect(made.length).toBeGreaterThan(100)
  const value = ['$', '{value}'].join('')
  const [plain, valued] = madeIn(`throw new LoomError('LOOM_X', 'Words.')\nthrow new LoomError('LOOM_X', \`It is ${value}.\`)`)
  expect([plain, valued].map((error) => namesValues(error?.given ?? ''))).toEqual([false, true])
  expect(valued?.line).toBe(2)
})
