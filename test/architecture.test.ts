/** The architecture check finds what it is there for: each rule reports a planted fault, and is silent without it. */
import { describe, expect, test } from 'vitest'
import { checkFolderTables } from '../tools/architecture/folder-tables.ts'
import { checkFolders } from '../tools/architecture/folders.ts'
import { cyclesOf, graphOf, reducedArrows } from '../tools/architecture/graph.ts'
import { checkLabels, indexOf } from '../tools/architecture/labels.ts'
import { checkPackages } from '../tools/architecture/packages.ts'
import { checkSizes } from '../tools/architecture/sizes.ts'
import { type Source, sourceOf } from '../tools/architecture/sources.ts'
import { checkTestTiming } from '../tools/architecture/test-timing.ts'
import { checkUserCalls } from '../tools/architecture/user-calls.ts'

const sources = (files: Readonly<Record<string, string>>): readonly Source[] => Object.entries(files).map(([file, text]) => sourceOf(file, text))

describe('folders', () => {
  test('that import each other are reported, also when only types are imported', () => {
    const files = {
      'packages/made/src/a/one.ts': "import type { Two } from '../b/two.ts'\n",
      'packages/made/src/b/two.ts': "import { three } from './three.ts'\n",
      'packages/made/src/b/three.ts': "export type { Four } from '../a/four.ts'\n",
    }
    const way = 'a -> b -> a (packages/made/src/a/one.ts, packages/made/src/b/three.ts)'
    expect(checkFolders(sources(files))).toEqual([`packages/made/src: the folders a, b import each other: ${way}`])
  })

  test('that import in one direction are not', () => {
    const files = {
      'packages/made/src/a/one.ts': "import { two } from '../b/two.ts'\n",
      'packages/made/src/b/two.ts': "import { z } from '../z.ts'\n",
    }
    expect(checkFolders(sources(files))).toEqual([])
  })

  test('that import a layer above them are reported', () => {
    const files = { 'packages/agent/src/platform/one.ts': "import type { Two } from '../permission/two.ts'\n" }
    expect(checkFolders(sources(files))).toEqual(['packages/agent/src/platform/one.ts imports permission, which is a layer above platform'])
  })

  test('that no layer names are reported', () => {
    expect(checkFolders(sources({ 'packages/agent/src/drawer/one.ts': '' }))).toEqual([
      'packages/agent/src/drawer is in no layer: give it one in tools/architecture/folders.ts',
    ])
  })

  test('may not hold files that import each other', () => {
    const files = { 'packages/made/src/a/one.ts': "import './two.ts'\n", 'packages/made/src/a/two.ts': "export type { One } from './one.ts'\n" }
    const [one, two] = Object.keys(files)
    expect(checkFolders(sources(files))).toEqual([`2 files import each other: ${one} -> ${two} -> ${one}`])
  })

  test('are those that ARCHITECTURE.md names, package by package', () => {
    const rows = ['| `made` | `a/`, `b/` | two |', '| | `c/` | one |', '| `other` | `a/` | one |']
    const text = `\n### agent\n| bottom | \`types/\` | types |\n### The other packages\n${rows.join('\n')}\n\n## Next\n| \`made\` | \`d/\` |`
    const folders = ['agent/src/types', 'made/src/a/inner', 'made/src/b', 'made/src/c', 'other/src/a']
    const files = (names: readonly string[]): readonly Source[] => sources(Object.fromEntries(names.map((name) => [`packages/${name}/one.ts`, ''])))
    const page = { file: 'ARCHITECTURE.md', text }
    expect(checkFolderTables(files(folders), page)).toEqual([])
    expect(checkFolderTables(files([...folders.slice(0, 4), 'other/src/b']), page)).toEqual([
      'ARCHITECTURE.md does not name packages/other/src/b in its tables of folders',
      'ARCHITECTURE.md names packages/other/src/a, which has no source',
    ])
  })
})

test('an arrow that follows from others is not drawn, and a cycle is found', () => {
  const line = graphOf(['a'], Object.entries({ a: 'b', b: 'c' }))
  const longer = graphOf(['a'], [...Object.entries({ a: 'b', b: 'c' }), ['a', 'c']])
  expect(cyclesOf(longer)).toEqual([])
  expect(reducedArrows(longer)).toEqual(reducedArrows(line))
  expect(reducedArrows(line)).toHaveLength(2)
  const circle = graphOf(['a'], [...Object.entries({ a: 'b', b: 'a' }), ['a', 'c'], ['b', 'c']])
  expect(cyclesOf(circle)).toEqual([['a', 'b']])
})

describe('packages', () => {
  test.each([
    ["import { agent } from '@loom-agent/agent'", 'kernel may import no other package of the workspace'],
    ["import type { Agent } from '@loom-agent/agent'", 'kernel may import no other package of the workspace'],
    ["await import('node:fs')", 'kernel runs outside Node'],
    ["import { z } from 'zod'", 'it is not in the table of tools/architecture/packages.ts'],
    ["export { run } from '../../agent/src/run.ts'", 'it leaves its package'],
  ])('may not import what the table does not allow: %s', (text, why) => {
    expect(checkPackages(sources({ 'packages/kernel/src/one.ts': text }))).toEqual([expect.stringContaining(why)])
  })

  test('are all in the table', () => {
    expect(checkPackages(sources({ 'packages/made/src/one.ts': '' }))).toEqual([expect.stringContaining('packages/made is not in the import table')])
  })
})

describe('labels', () => {
  const label = (area: string, number: number): string => `${area}-${number}`
  const head = (...lines: readonly string[]): string => ['/**', ...lines.map((line) => ` * ${line}`), ' */', ''].join('\n')
  const stated = { 'packages/made/src/one.ts': head(`${label('MADE', 1)}. It holds.`) }
  const problems = (files: Readonly<Record<string, string>>) => checkLabels(sources(files), []).problems

  test('that are stated once are right', () => {
    expect(problems({ ...stated, 'test/one.test.ts': `test('it holds (${label('MADE', 1)})')` })).toEqual([])
  })

  test('that are stated twice are reported', () => {
    const twice = problems({ ...stated, 'packages/made/src/two.ts': head(`${label('MADE', 1)}. It does not.`) })
    expect(twice).toContain(`${label('MADE', 1)} is stated 2 times: packages/made/src/one.ts, packages/made/src/two.ts`)
  })

  test('that a table of rules repeats are stated once', () => {
    expect(problems({ ...stated, 'packages/made/src/rules.ts': `  '${label('MADE', 1)}': 'It holds.',\n` })).toEqual([])
  })

  test('are listed with the file that states them and its first sentence', () => {
    const text = head('How it is made. More of it.', '', `${label('MADE', 1)}. It holds.`)
    expect(indexOf(sources({ 'packages/made/src/one.ts': text }))).toContain(
      `| ${label('MADE', 1)} | [packages/made/src/one.ts](packages/made/src/one.ts) | How it is made. |`,
    )
  })

  test('that nothing states are reported where they are cited', () => {
    expect(problems({ ...stated, 'test/one.test.ts': `test('it holds (${label('MADE', 2)})')` })).toEqual([
      `test/one.test.ts cites ${label('MADE', 2)}, which nothing states`,
    ])
  })

  test('that name no area are reported where they are stated and where they are cited', () => {
    const old = ['K', 21].join('')
    const files = { 'packages/made/src/two.ts': head(`${old}. It holds.`), 'test/one.test.ts': `test('it holds (${old}, F3)')` }
    expect(problems({ ...stated, ...files })).toHaveLength(2)
  })
})

test('files that are too long, export by * or do not name a concept are reported', () => {
  const files = {
    'packages/kernel/src/long.ts': '\n'.repeat(251),
    'packages/agent/src/all.ts': "export * from './one.ts'\n",
    'packages/agent/src/utils.ts': '',
  }
  expect(checkSizes(sources(files)).problems).toEqual([
    'packages/kernel/src/long.ts has 251 lines; 250 are allowed',
    'packages/agent/src/all.ts exports by *: name what is exported',
    'packages/agent/src/utils.ts: name the concept',
    expect.stringContaining('the check itself is broken'),
  ])
})

describe('a test that', () => {
  test.each([
    ['sleeps', 'await new Promise((resolve) => setTimeout(resolve, 5))'],
    ['sleeps by another name', "import { setTimeout as pause } from 'node:timers/promises'"],
    ['blocks', 'Atomics.wait(cell, 0, 0, 100)'],
    ['measures time', 'expect(performance.now() - before).toBeLessThan(30)'],
    ['compares times', 'expect(Date.now() - before).toBeLessThan(30)'],
  ])('%s is reported, and other code is not', (_, line) => {
    expect(checkTestTiming(sources({ 'packages/made/test/one.test.ts': line }))).toHaveLength(1)
    expect(checkTestTiming(sources({ 'packages/made/src/one.ts': line }))).toEqual([])
  })

  test('waits for a fact, or uses a clock of its own, is right', () => {
    expect(
      checkTestTiming(sources({ 'test/one.test.ts': 'await until(() => done)\nawait clock.advance(5)\nconst time = { time: Date.now() }' })),
    ).toEqual([])
  })
})

describe('code of users', () => {
  const found = (line: string): number => checkUserCalls(sources({ 'packages/agent/src/call/one.ts': `${line}\n` })).length

  test.each([
    'const returned = available({ thread })',
    'job.lock = lock(value)',
    'const met = await rule.when(facts)',
    'options.onRecovered?.(outcome)',
    'const plan = strategy.assemble(request)',
    'for (const observer of observers) observer(event, frame)',
    "const result = schema['~standard'].validate(value)",
  ])('that is called by its name is reported: %s', (line) => {
    expect(found(line)).toBe(1)
  })

  test.each([
    'const returned = callUserNow(() => available({ thread }))',
    'const met = await callUser(() => rule.when(facts))',
    'notify(options.onRecovered, outcome)',
    'for (const observer of observers) notify(() => observer(event, frame), undefined)',
    'readonly when?: (facts: CallFacts) => boolean',
    ' * Asks `when(facts)`.',
  ])('that is called through one function is not: %s', (line) => {
    expect(found(line)).toBe(0)
  })
})
