/** The pages: their programs run, their links lead somewhere, and what they list is what the code has. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as loom from 'loom-agent'
import { describe, expect, test } from 'vitest'
import results from '../bench/results.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { runSnippets, snippetsOf } from '../tools/run-doc-snippets.ts'

const root = join(import.meta.dirname, '..')
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
const pages = globSync(['*.md', '{docs,packages,examples,bench,tools,test}/**/*.md'], { cwd: root, exclude: (path) => path.includes('node_modules') })
const programs = pages.filter((page) => snippetsOf(textOf(page)).length > 0)

/** The text of a page without its programs. */
const prose = (page: string): string => textOf(page).replace(/^(`{3,}|~{3,}).*?^\1$/gms, '')

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

/** What stands between backticks in the first column. */
const namesBelow = (page: string, heading: string): readonly string[] =>
  tableBelow(page, heading).flatMap(([cell = '']) => [...cell.matchAll(/`([A-Za-z]+)/g)].map(([, name]) => name ?? ''))

describe('the programs of the pages', () => {
  test('compile and run', { timeout: 120_000 }, async () => {
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

describe('the index of invariants', () => {
  const statement = (id: string): RegExp => new RegExp(`^\\s*(\\* )?${id}[.:] `, 'm')

  /** `K3, K4` are two numbers, `H1 to H34` are all between. */
  const expand = (numbers: string): readonly string[] => {
    const ids = numbers.match(/(?:[A-Z]+-|[A-Z])\d+/g) ?? []
    if (!numbers.includes(' to ')) return ids
    const [first = 0, last = 0] = ids.map((id) => Number(id.slice(1)))
    return Array.from({ length: last - first + 1 }, (_, index) => `${numbers[0]}${first + index}`)
  }
  const listed = tableBelow('CONTEXT.md', 'Invariants').map(([numbers = '', file = '']) => ({
    ids: expand(numbers),
    file: /\[([^\]]+)\]/.exec(file)?.[1] ?? '',
  }))

  test.each(listed)('names only what $file states', ({ ids, file }) => {
    const source = textOf(file)
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => !statement(id).test(source))).toEqual([])
  })

  test('has every number that stands at the head of a file', () => {
    const known = new Set(listed.flatMap(({ ids, file }) => ids.map((id) => `${id} in ${file}`)))
    const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
    const stated = sources.flatMap((file) => [...textOf(file).matchAll(/^ \* ((?:[A-Z]+-|[A-Z])\d+)\. /gm)].map(([, id]) => `${id} in ${file}`))
    expect(stated.length).toBeGreaterThan(40)
    expect(stated.filter((id) => !known.has(id))).toEqual([])
  })
})

describe('the tables of options', () => {
  const strange = { nobodyReadsThisOption: 1 }
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

test('every command that a page names is there', () => {
  const named = pages.flatMap((page) => [...textOf(page).matchAll(/\bnpm (?:run ([a-z:]+)|(test|start)\b)/g)])
  const unknown = named.map(([, script, short = '']) => script ?? short).filter((name) => !(name in manifest.scripts))
  expect(named.length).toBeGreaterThan(10)
  expect(unknown).toEqual([])
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
