import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as agentEntry from '@loom-agent/agent'
import * as compat from '@loom-agent/agent/compat'
import * as kernel from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { compatOptionKeys, movedOptions } from '../src/compat/options.ts'

const pathOf = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
const read = (file: string): string => readFileSync(pathOf(file), 'utf8')
const page = read('docs/compat.md')

interface Row {
  readonly section: string
  readonly name: string
  readonly status: string
  readonly loom: string
}

const rows: Row[] = page.split('\n## ').flatMap((section) => {
  const cells = [...section.matchAll(/^\| +([^|]+?) +\| +`(\w+)` +\| *([^|]*?) *\|$/gm)]
  return cells.map(([, name = '', status = '', loom = '']) => ({ section: section.split('\n')[0] ?? '', name, status, loom }))
})
const of = (status: string): Row[] => rows.filter((row) => row.status === status)

/** The names that an entry exports, types too. */
function exportsOf(file: string): Set<string> {
  const names = new Set<string>()
  for (const [, list = ''] of read(file).matchAll(/^export (?:type )?\{([^}]*)\}/gm)) {
    for (const item of list.split(',')) {
      const name = item
        .trim()
        .replace(/^type /, '')
        .split(' as ')
        .at(-1)
      if (name) names.add(name)
    }
  }
  return names
}

/** The first name in a cell, with what follows a dot. */
function firstName(cell: string): { name: string; member: string | undefined } {
  const [, name = '', member] = /`([A-Za-z]+)(?:\.([A-Za-z]+))?/.exec(cell) ?? []
  return { name, member }
}

const values = new Map<string, unknown>(Object.entries(compat))
const compatExports = exportsOf('packages/agent/src/compat/index.ts')

describe('the mapping page', () => {
  test('knows four statuses, and options', () => {
    expect(rows.length).toBeGreaterThan(200)
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['alias', 'renamed', 'refused', 'later', 'option']))
    expect(rows.filter(({ name }) => name.trim() === '')).toEqual([])
  })

  test('names under alias only what /compat exports', () => {
    const missing = of('alias').filter(({ loom }) => {
      const { name, member } = firstName(loom)
      if (!compatExports.has(name)) return true
      if (member === undefined) return false
      const value = values.get(name) as { readonly prototype?: object }
      return !(member in value) && !(value.prototype && member in value.prototype)
    })
    expect(missing).toEqual([])
  })

  test('has every export of /compat, values and types', () => {
    const mapped = new Set(of('alias').map(({ loom }) => firstName(loom).name))
    expect([...compatExports].filter((name) => !mapped.has(name))).toEqual([])
    expect([...values.keys()].filter((name) => !compatExports.has(name))).toEqual([])
  })

  test('names under renamed only what Loom exports', () => {
    const entries = [
      'packages/agent/src/index.ts',
      'packages/kernel/src/index.ts',
      'packages/tools/src/index.ts',
      'packages/tools/src/mcp.ts',
      'packages/agent/src/guards.ts',
    ].map(exportsOf)
    const known = new Set(['behaviour', ...Object.keys(agentEntry), ...Object.keys(kernel), ...entries.flatMap((names) => [...names])])
    expect(of('renamed').filter(({ loom }) => !known.has(firstName(loom).name))).toEqual([])
  })

  test('says for every refusal why', () => {
    expect(of('refused').filter(({ loom }) => loom.length < 10)).toEqual([])
  })

  test('has every option that is taken, and every one that says where it has gone', () => {
    const options = rows.filter(({ section }) => section === 'Options').map(({ name, status }) => ({ name: name.replaceAll('`', ''), status }))
    const named = (isTaken: boolean): string[] => options.filter(({ status }) => (status === 'option') === isTaken).map(({ name }) => name)
    expect(named(true).sort()).toEqual([...compatOptionKeys].sort())
    expect(named(false).sort()).toEqual(Object.keys(movedOptions).sort())
  })

  test('has every name of an error and every documented tool name', () => {
    const names = rows.map(({ name }) => name).join(' ')
    for (const name of [...compat.errorNames, ...Object.keys(compat.toolNames)]) expect(names).toContain(`\`${name}\``)
  })

  test('has links that lead somewhere', () => {
    const links = [...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => join(dirname('docs/compat.md'), link))
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter((link) => !existsSync(pathOf(link)))).toEqual([])
  })
})

test('the umbrella exports every name', () => {
  expect(exportsOf('packages/loom-agent/src/compat.ts')).toEqual(compatExports)
})
