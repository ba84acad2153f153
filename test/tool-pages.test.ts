/** Each tool that comes with Loom has a page on which a program calls it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent, todo } from '@loom-agent/agent'
import { readMoreName } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { calculator, doneTool, fileTools, httpTool, shellTools, taskTool, toolSearch, webTools } from '@loom-agent/tools'
import { expect, test } from 'vitest'
import { readPages } from '../tools/architecture/sources.ts'
import { snippetsOf } from '../tools/run-doc-snippets.ts'

const root = join(import.meta.dirname, '..')

test('each tool that comes with Loom is called in a program of a page, which the tests run', () => {
  const programs = readPages().flatMap(({ file }) => snippetsOf(readFileSync(join(root, file), 'utf8')))
  const text = JSON.stringify(programs)
  const made = [
    ...Object.values(fileTools({ root })),
    ...Object.values(shellTools({ cwd: root })),
    ...Object.values(webTools({ search: async () => [] })),
    ...[httpTool(), calculator(), doneTool(), todo(), taskTool({ agent: agent({ model: scriptedModel([]) }) })],
    ...toolSearch([calculator()], { above: 0 }),
  ]
  const names = new Set([...made.map(({ name }) => name), readMoreName])
  expect(names.size).toBeGreaterThanOrEqual(18)
  expect([...names].filter((name) => !text.includes(`tool: '${name}'`))).toEqual([])
})
