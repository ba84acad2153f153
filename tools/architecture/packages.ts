/** Which package may import which, and in which environment a package runs. */
import { join, relative } from 'node:path'
import { type Graph, graphOf } from './graph.ts'
import type { Import, Source } from './sources.ts'

interface Rule {
  /** Packages of this workspace that may be imported. */
  readonly loom: readonly string[]
  /** Other packages that may be imported. */
  readonly others: readonly string[]
  readonly node: boolean
  /** Folders of a package for Node that run outside of it all the same. */
  readonly outsideNode?: readonly string[]
}

/** The import table: a row may name only rows above it. */
export const packages: Readonly<Record<string, Rule>> = {
  kernel: { loom: [], others: [], node: false },
  agent: { loom: ['kernel'], others: ['@standard-schema/spec', '@noble/hashes', '@cfworker/json-schema', 'gpt-tokenizer'], node: false },
  models: {
    loom: ['kernel', 'agent'],
    others: ['@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai', '@ai-sdk/openai-compatible'],
    node: false,
  },
  telemetry: { loom: ['kernel'], others: [], node: false },
  journals: { loom: ['kernel'], others: ['postgres'], node: true },
  tools: {
    loom: ['kernel', 'agent'],
    others: [
      '@vscode/ripgrep',
      'diff',
      'ignore',
      'quickjs-emscripten',
      '@anthropic-ai/sandbox-runtime',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/node',
      '@modelcontextprotocol/server',
    ],
    node: true,
  },
  server: {
    loom: ['kernel', 'agent', 'telemetry', 'tools'],
    others: ['ws', 'croner'],
    node: true,
    outsideNode: ['web', 'client', 'schedule', 'kept', 'webhook'],
  },
  studio: { loom: ['kernel', 'telemetry', 'server'], others: ['react', 'react-dom'], node: false },
  testing: { loom: ['kernel', 'agent'], others: [], node: true },
  harness: { loom: ['kernel', 'agent', 'journals', 'models', 'tools', 'testing'], others: ['esbuild', 'playwright-core', 'postgres'], node: true },
  cli: { loom: ['kernel', 'agent', 'journals', 'models', 'tools', 'telemetry', 'server'], others: ['commander'], node: true },
  'loom-agent': { loom: ['kernel', 'agent', 'models', 'journals'], others: [], node: false },
}

const loomName = /^@loom-agent\/([^/]+)(\/.*)?$/

/** Why a file may not import something; `undefined` when it may. */
function objection(source: Source, rule: Rule, { name, file }: Import): string | undefined {
  if (file !== undefined) return relative(join('packages', source.package), file).startsWith('..') ? 'it leaves its package' : undefined
  if (name.startsWith('#')) return undefined
  const outside = rule.outsideNode?.find((folder) => source.folder.split('/')[0] === folder)
  if (name.startsWith('node:') && rule.node && outside !== undefined) return `${outside} runs outside Node`
  if (name.startsWith('node:')) return rule.node ? undefined : `${source.package} runs outside Node`
  const [, loom, path = ''] = loomName.exec(name) ?? []
  if (loom !== undefined && !rule.loom.includes(loom))
    return `${source.package} may import ${rule.loom.join(', ') || 'no other package of the workspace'}`
  if (loom !== undefined) return /^\/(src|dist)/.test(path) ? 'packages are used through their entries' : undefined
  const isKnown = rule.others.some((other) => name === other || name.startsWith(`${other}/`))
  return isKnown ? undefined : 'it is not in the table of tools/architecture/packages.ts'
}

/** Imports between packages that the table does not allow. */
export function checkPackages(sources: readonly Source[]): readonly string[] {
  const published = sources.filter(({ folder }) => folder !== '')
  const unknown = [...new Set(published.map((source) => source.package))].filter((name) => !(name in packages))
  return [
    ...unknown.map((name) => `packages/${name} is not in the import table of tools/architecture/packages.ts`),
    ...published.flatMap((source) => {
      const rule = packages[source.package]
      if (!rule) return []
      return source.imports.flatMap((one) => {
        const why = objection(source, rule, one)
        return why === undefined ? [] : [`${source.file} imports ${one.name}: ${why}`]
      })
    }),
  ]
}

/** Which package imports which, by what the files import. */
export function packageGraph(sources: readonly Source[]): Graph {
  const published = sources.filter(({ folder }) => folder !== '')
  const arrows = published.flatMap((source) =>
    source.imports.flatMap(({ name }): readonly (readonly [string, string])[] => {
      const to = loomName.exec(name)?.[1]
      return to === undefined ? [] : [[source.package, to]]
    }),
  )
  return graphOf(
    published.map((source) => source.package),
    arrows,
  )
}
