/**
 * Checks that the house shows its plan: who may import whom, how long files may be, how modules export. `node tools/check-architecture.ts`.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

interface Room {
  /** Packages of this workspace that may be imported. */
  readonly loom: readonly string[]
  /** Other packages that may be imported. */
  readonly others: readonly string[]
  readonly node: boolean
}

/** The import table: a row may name only rows above it. */
const rooms: Readonly<Record<string, Room>> = {
  kernel: { loom: [], others: [], node: false },
  agent: { loom: ['kernel'], others: ['@ai-sdk/provider', '@standard-schema/spec', '@noble/hashes', '@cfworker/json-schema'], node: false },
  models: {
    loom: ['kernel', 'agent'],
    others: ['@ai-sdk/provider', '@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai', '@ai-sdk/openai-compatible'],
    node: false,
  },
  journals: { loom: ['kernel'], others: ['postgres'], node: true },
  tools: { loom: ['kernel', 'agent'], others: [], node: true },
  testing: { loom: ['kernel', 'agent'], others: ['@ai-sdk/provider'], node: true },
  harness: { loom: ['kernel', 'agent', 'journals', 'testing'], others: ['@ai-sdk/provider'], node: true },
  'loom-agent': { loom: ['kernel', 'agent', 'models', 'journals'], others: [], node: false },
}

const root = join(import.meta.dirname, '..')
const problems: string[] = []
const lengths: number[] = []

const isTest = (file: string): boolean => /\.test(-d)?\.ts$|\/test\/|\/bench\//.test(file)
const isCode = (line: string): boolean => line.trim() !== '' && !/^\s*(\/\/|\/\*|\*)/.test(line)
const packageOf = (file: string): string => file.split('/')[1] ?? ''

function budgetOf(file: string): number {
  if (isTest(file)) return 500
  return packageOf(file) === 'kernel' ? 250 : 300
}

function importsOf(text: string): readonly string[] {
  return [
    ...text.matchAll(/^(?:import|export)\s[^'"`]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm),
  ].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? '')
}

function checkImport(file: string, room: Room, name: string): void {
  const complain = (why: string): void => void problems.push(`${file} imports ${name}: ${why}`)
  if (name.startsWith('.')) {
    if (relative(join('packages', packageOf(file)), normalize(join(dirname(file), name))).startsWith('..')) complain('it leaves its package')
    return
  }
  if (name.startsWith('#')) return
  if (name.startsWith('node:')) return room.node ? undefined : complain(`${packageOf(file)} runs outside Node`)
  const loom = /^@loom-agent\/([^/]+)(\/.*)?$/.exec(name)
  if (loom) {
    if (!room.loom.includes(loom[1] ?? '')) complain(`${packageOf(file)} may import ${room.loom.join(', ') || 'nothing'}`)
    if (loom[2]?.startsWith('/src') || loom[2]?.startsWith('/dist')) complain('packages are used through their entries')
    return
  }
  if (!room.others.some((other) => name === other || name.startsWith(`${other}/`))) complain('it is not in the table of tools/check-architecture.ts')
}

/** Finds a cycle of files by following relative imports. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): void {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) return void problems.push(`a cycle of files: ${[...path.slice(path.indexOf(file)), file].join(' -> ')}`)
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
}

const files = globSync('{packages/*/{src,test},test,tools,bench,examples}/**/*.ts', { cwd: root }).filter((file) => !file.includes('node_modules'))
const graph = new Map<string, readonly string[]>()
let kernelLines = 0

for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8')
  const lines = text.split('\n').length - 1
  if (lines > budgetOf(file)) problems.push(`${file} has ${lines} lines; ${budgetOf(file)} are allowed`)
  if (/^export \*/m.test(text)) problems.push(`${file} exports by *: name what is exported`)
  if (/(^|\/)(utils?|helpers?|common|manager|base)\.ts$/.test(file)) problems.push(`${file}: name the concept, not the drawer`)
  const room = rooms[packageOf(file)]
  if (!file.startsWith('packages/') || isTest(file)) continue
  if (!room) {
    problems.push(`${file}: the package is not in the import table`)
    continue
  }
  lengths.push(lines)
  if (packageOf(file) === 'kernel') kernelLines += text.split('\n').filter(isCode).length
  // Types vanish when the program runs: only what is left of an import can close a cycle.
  const runtime = text.replace(/^import type [^;]*?from\s+['"][^'"]+['"]/gm, '').replace(/^export type \{[^}]*\} from\s+['"][^'"]+['"]/gm, '')
  for (const name of importsOf(text)) checkImport(file, room, name)
  graph.set(
    file,
    importsOf(runtime)
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(file), name))),
  )
}
findCycles(graph)

lengths.sort((a, b) => a - b)
const median = lengths[lengths.length >> 1] ?? 0
if (kernelLines > 1500) problems.push(`the kernel has ${kernelLines} lines of code; 1,500 are allowed`)
if (median > 120) problems.push(`the median file has ${median} lines; 120 are allowed`)
if (files.length < 50) problems.push(`only ${files.length} files were found: the check itself is broken`)

for (const problem of problems) console.error(problem)
console.log(`architecture: ${files.length} files, kernel ${kernelLines} lines of code, median file ${median} lines, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
