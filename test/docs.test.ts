/** The pages: their programs run, their links lead somewhere, and what they list is what the code has. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as loom from 'loom-agent'
import { describe, expect, test } from 'vitest'
import results from '../bench/results.json' with { type: 'json' }
import { readPages } from '../tools/architecture/sources.ts'
import { proseOf } from '../tools/docs/spans.ts'
import { runSnippets, snippetsOf } from '../tools/run-doc-snippets.ts'

const root = join(import.meta.dirname, '..')
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
const pages = readPages().map(({ file }) => file)
const programs = pages.filter((page) => snippetsOf(textOf(page)).length > 0)

const prose = (page: string): string => proseOf({ file: page, text: textOf(page) })

/** The rows of the first table below a heading, without the head: cells as they are written. */
function tableBelow(page: string, heading: string): readonly (readonly string[])[] {
  const lines = textOf(page).split('\n')
  const rows = lines.slice(lines.findIndex((line) => line.replace(/^#+ /, '') === heading) + 1)
  const table = rows.slice(rows.findIndex((line) => line.startsWith('|')))
  const end = table.findIndex((line) => !line.startsWith('|'))
  return table.slice(2, end).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** The names between backticks in the first column. */
const namesBelow = (page: string, heading: string): readonly string[] =>
  tableBelow(page, heading).flatMap(([cell = '']) => [...cell.matchAll(/`([A-Za-z]+)/g)].map(([, name]) => name ?? ''))

describe('the programs of the pages', () => {
  test('compile and run', { timeout: 600_000 }, async () => {
    expect(await runSnippets(...programs.map((page) => join(root, page)))).toBeGreaterThanOrEqual(programs.length)
  })

  test('the guides are there', () => {
    expect(programs.length).toBeGreaterThan(12)
  })
})

describe('the links of', () => {
  /** The anchors of a page, as a reader of Markdown makes them of headings. */
  const anchorsOf = (page: string): readonly string[] =>
    [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    )

  const problemWith = (page: string, link: string): string | undefined => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : relative(root, join(root, dirname(page), path))
    if (!existsSync(join(root, target))) return `${link}: there is no ${target}`
    return anchor === undefined || anchorsOf(target).includes(anchor) ? undefined : `${link}: ${target} has no such heading`
  }

  test.each(pages)('%s lead to files and headings that are there', (page) => {
    const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const problems = links.filter((link) => !/^[a-z]+:/.test(link)).flatMap((link) => problemWith(page, link) ?? [])
    expect(problems).toEqual([])
  })
})

describe('the tables of options', () => {
  const strange = { unknownOption: 1 }
  const run = () => 'x'
  const refused: readonly (readonly [string, () => unknown])[] = [
    ['agent(options)', () => loom.agent(strange as object)],
    ['behaviour', () => loom.agent({ behaviour: strange as object })],
    ['limits', () => loom.agent({ limits: strange as object })],
    ['settings', () => loom.agent({ settings: strange as object })],
    ["A run's options", () => loom.agent({}).start('Hi', strange as object)],
    ['tool(definition)', () => loom.tool({ run, ...(strange as object) })],
    ['schedule', () => loom.tool({ run, schedule: strange as object })],
    ['rules', () => loom.agent({ permissions: { rules: [{ tool: 'x', verdict: 'ask', ...(strange as object) }] } })],
  ]

  test.each(refused)('list below "%s" what the code takes, and nothing else', (heading, act) => {
    let message = ''
    try {
      act()
    } catch (error) {
      message = (error as Error).message
    }
    const taken = /Options of .*?: (.*)\.$/.exec(message)?.[1]?.split(', ') ?? []
    expect(taken.length).toBeGreaterThan(3)
    expect([...namesBelow('docs/reference/api.md', heading)].sort()).toEqual([...taken].sort())
  })

  test('name all that an agent has', () => {
    const text = readFileSync(join(root, 'docs/reference/api.md'), 'utf8')
    const table = text.slice(text.indexOf('## The agent\n'), text.indexOf("## A run's options"))
    const named = [...table.matchAll(/^\| (`[^|]+`)/gm)].flatMap(([, names = '']) => [...names.matchAll(/`(\w+)/g)].map(([, name]) => name))
    // The kind says that it can be a tool of another agent.
    const own = Object.keys(loom.agent({})).filter((name) => name !== 'kind')
    expect(own).toContain('compact')
    expect(own.filter((name) => !named.includes(name))).toEqual([])
  })

  test('name only functions that the umbrella exports', () => {
    const named = ['Answers', 'Other functions'].flatMap((heading) => namesBelow('docs/reference/api.md', heading))
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => !(name in loom))).toEqual([])
  })
})

test('the figures of the performance page are those of the last bench, give or take what a noisy machine does', () => {
  const rows = tableBelow('docs/guides/performance.md', 'What a turn costs')
  expect(rows.map(([what]) => what).sort()).toEqual(results.figures.map(({ what }) => what).sort())
  for (const [what, value = '', unit] of rows) {
    const figure = results.figures.find((candidate) => candidate.what === what)
    expect(unit).toBe(figure?.unit)
    const ratio = Number(value.replaceAll(',', '')) / (figure?.value ?? 0)
    expect({ what, isNear: ratio < 1.5 && ratio > 1 / 1.5 }).toEqual({ what, isNear: true })
  }
})

test('the workflow runs what .ci/run runs', () => {
  const commands = textOf('.ci/run').match(/^npm .*$/gm) ?? []
  const [, job = ''] = textOf('.github/workflows/ci.yml').split(/^ {2}test:$/m)
  expect(commands.length).toBeGreaterThan(0)
  expect(commands.filter((command) => !job.split(/^ {2}\w+:$/m)[0]?.includes(`- run: ${command}\n`))).toEqual([])
})

test.each([
  ['README.md', 150],
  ['AGENTS.md', 120],
  ['CLAUDE.md', 1],
])('%s has at most %i lines', (page, most) => {
  expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})
