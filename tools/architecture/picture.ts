/** What pages show of the sources: pictures of the imports, and the index of invariants. Each is between a comment that names it and one that ends it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace.ts'
import { folderGraph, layerOf, layers } from './folders.ts'
import { type Graph, reducedArrows } from './graph.ts'
import { indexOf } from './labels.ts'
import { packageGraph, packages } from './packages.ts'
import type { Source } from './sources.ts'

/** A name that a diagram takes: `.` and `/` have a meaning there. */
const idOf = (name: string): string => (name === '.' ? 'root' : name.replaceAll(/[^a-z]/g, '_'))
const titleOf = (name: string): string => (name === '.' ? 'src' : name)

function diagram(graph: Graph, boxes: readonly string[]): string {
  const arrows = reducedArrows(graph)
    .map(([from, to]) => `  ${idOf(from)} --> ${idOf(to)}`)
    .sort()
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```'].join('\n')
}

const box = (name: string): string => `${idOf(name)}["${titleOf(name)}"]`

function packagesPicture(sources: readonly Source[]): string {
  return diagram(
    packageGraph(sources),
    Object.keys(packages)
      .toReversed()
      .map((name) => `  ${box(name)}`),
  )
}

/** The folders of a package, in a frame for each layer, the highest first. */
function foldersPicture(sources: readonly Source[], name: string): string {
  const graph = folderGraph(sources, name)
  const of = layers[name] ?? []
  const boxes = of.flatMap((layer, index) => {
    const folders = [...graph.keys()].filter((folder) => layerOf(of, folder) === index).sort()
    if (folders.length === 0) return []
    return [[`  subgraph layer${index}["${layer.name}"]`, ...folders.map((folder) => `    ${box(folder)}`), '  end'].join('\n')]
  })
  return diagram(graph, boxes.toReversed())
}

/** What each page shows, by the name that its comment gives. */
const drawings: Readonly<Record<string, Readonly<Record<string, (sources: readonly Source[]) => string>>>> = {
  'ARCHITECTURE.md': { packages: packagesPicture, 'folders of agent': (sources) => foldersPicture(sources, 'agent') },
  'CONTEXT.md': { invariants: indexOf },
}

/** A page with all of its pictures drawn again. */
function redrawn(page: string, text: string, sources: readonly Source[]): string {
  return Object.entries(drawings[page] ?? {}).reduce((all, [name, draw]) => {
    const [open, close] = [`<!-- picture: ${name} -->`, '<!-- end of picture -->']
    const start = all.indexOf(open)
    const end = all.indexOf(close, start)
    if (start < 0 || end < 0) throw new Error(`${page} has no place for the picture "${name}": put ${open} and ${close} where it belongs.`)
    return `${all.slice(0, start + open.length)}\n\n${draw(sources)}\n\n${all.slice(end)}`
  }, text)
}

/** Draws what the pages show, or says which page does not show what the sources are. */
export function checkPicture(sources: readonly Source[], write: boolean): readonly string[] {
  return Object.keys(drawings).flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const now = redrawn(page, text, sources)
    if (now === text) return []
    if (!write) return [`what ${page} shows of the sources is not what they are: npm run picture`]
    writeFileSync(join(root, page), now)
    return []
  })
}
