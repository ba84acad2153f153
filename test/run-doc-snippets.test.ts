import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSnippets, snippetsOf } from '../tools/run-doc-snippets.ts'

const block = (...code: readonly string[]): string => ['```ts', ...code, '```'].join('\n')

const run = async (markdown: string): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'page-'))
  try {
    await writeFile(join(folder, 'page.md'), markdown)
    return await runSnippets(join(folder, 'page.md'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the programs of a page are its blocks marked ts, and no others', () => {
  const page = ['# A page', block('const a = 1', ''), '', '```sh', 'npm test', '```', '````md', block('inside'), '````', '~~~ts', 'b', '~~~'].join(
    '\n',
  )
  expect(snippetsOf(page)).toEqual([
    { line: 3, code: 'const a = 1\n' },
    { line: 16, code: 'b' },
  ])
})

test('programs that compile and end well are counted', async () => {
  const first = block(
    "import assert from 'node:assert/strict'",
    "import { agent } from '@loom-agent/agent'",
    'assert.equal(typeof agent, "function")',
  )
  expect(await run(`# A page\n\n${first}\n\n${block('console.log(1 as number)')}`)).toBe(2)
})

test('a program that does not compile is reported with its line in the page', async () => {
  await expect(run(`# A page\n\n${block('export const a: number = 1', "export const b: number = 'two'")}`)).rejects.toThrow(
    /page\.md\.4\.ts\(5,\d+\): error TS2322/,
  )
})

test('a program that throws, or exits with a code other than 0, is reported with its line', async () => {
  const page = `# A page\n\n${block("throw new Error('boom')")}\n\n${block("import process from 'node:process'", 'process.exitCode = 3')}`
  await expect(run(page)).rejects.toThrow(/2 programs do not work[\s\S]*line 4:[\s\S]*boom[\s\S]*line 8:/)
})
