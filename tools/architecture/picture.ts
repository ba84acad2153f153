/** The pictures of ARCHITECTURE.md, drawn from the real imports. Each stands between a comment that names it and one that ends it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderGraph, layerOf, layers } from './folders.ts'
import { type Graph, reducedArrows } from './graph.ts'
import { packageGraph, packages } from './packages.ts'
import { root, type Source } from './sources.ts'

const page = 'ARCHITECTURE.md'

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

/** The page with its pictures drawn anew. */
function redrawn(text: string, sources: readonly Source[]): string {
  const pictures: Readonly<Record<string, string>> = { packages: packagesPicture(sources), 'folders of agent': foldersPicture(sources, 'agent') }
  return Object.entries(pictures).reduce((all, [name, picture]) => {
    const [open, close] = [`<!-- picture: ${name} -->`, '<!-- end of picture -->']
    const start = all.indexOf(open)
    const end = all.indexOf(close, start)
    if (start < 0 || end < 0) throw new Error(`${page} has no place for the picture "${name}": put ${open} and ${close} where it belongs.`)
    return `${all.slice(0, start + open.length)}\n\n${picture}\n\n${all.slice(end)}`
  }, text)
}

/** Draws the pictures, or says that they are not what the imports are. */
export function checkPicture(sources: readonly Source[], write: boolean): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const now = redrawn(text, sources)
  if (now === text) return []
  if (!write) return [`the pictures in ${page} are not what the files import: npm run picture`]
  writeFileSync(join(root, page), now)
  return []
}
