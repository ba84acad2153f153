/** The types, judged by the compiler: right programs compile, wrong ones do not, and each for its own reason. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CompileError, compile, errorsIn } from '../../tools/compiler.ts'
import { wrongPrograms } from './wrong-programs.ts'

const right = globSync('test/types/*.test-d.ts', { cwd: join(import.meta.dirname, '../..') })
const wrong = wrongPrograms.map(([what, program], index) => ({ what, program, file: `wrong-${index}.ts` }))

/** The errors that a program announces at the ends of its lines. */
const announced = (program: string): readonly Omit<CompileError, 'file'>[] =>
  program.split('\n').flatMap((text, index) => {
    const [, code, message] = /\/\/ (TS\d+): (.+)$/.exec(text) ?? []
    return code === undefined || message === undefined ? [] : [{ line: index + 1, code, message }]
  })

let errors: readonly CompileError[] = []
beforeAll(async () => {
  errors = errorsIn(await compile({ programs: Object.fromEntries(wrong.map(({ file, program }) => [file, program])), files: right }))
})

test.each(right)('%s compiles', (file) => {
  expect(errors.filter((error) => error.file === file)).toEqual([])
})

test('there are right programs', () => {
  expect(right.length).toBeGreaterThanOrEqual(3)
})

describe('what does not compile:', () => {
  test.each(wrong)('$what', ({ file, program }) => {
    const expected = announced(program)
    const found = errors.filter((error) => error.file === file)
    expect(expected).toHaveLength(1)
    expect(found.map(({ line, code, message }) => ({ line, code, message }))).toEqual(
      expected.map(({ line, code, message }) => ({ line, code, message: expect.stringContaining(message) })),
    )
  })
})
