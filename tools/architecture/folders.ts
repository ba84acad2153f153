/**
 * The folders inside a package: they import each other in one direction. `import type` counts, because a reader follows types too.
 *
 * The files of `src` itself are the folder `.`: the entry, and what uses all folders.
 */
import { cyclesOf, type Graph, graphOf, wayAround } from './graph.ts'
import { folderOf, type Source } from './sources.ts'

/** One layer of a package: its name, and its folders. */
interface Layer {
  readonly name: string
  readonly folders: readonly string[]
}

/**
 * The layers of packages that have them, from the bottom up: a folder imports folders of its own layer and of layers below.
 * A name covers the folders inside it.
 */
export const layers: Readonly<Record<string, readonly Layer[]>> = {
  agent: [
    { name: 'types and ports', folders: ['types', 'platform', 'language-model', 'redact', 'resilience', 'bus'] },
    { name: 'what a turn is made of', folders: ['permission', 'question', 'model', 'context', 'tool', 'hook', 'guard', 'definition'] },
    { name: 'performing', folders: ['attempt', 'call', 'thread'] },
    { name: 'handles, travel, fork', folders: ['stream', 'run', 'look', 'explain', 'fork', 'travel', 'view'] },
    { name: 'root', folders: ['.'] },
    { name: 'the original names', folders: ['compat'] },
  ],
}

/** The layer of a folder, counted from the bottom; -1 when no layer names it. */
export const layerOf = (of: readonly Layer[], folder: string): number =>
  of.findIndex(({ folders }) => folders.includes(folder.split('/')[0] ?? folder))

/** Arrows between the folders of a package, each with a file that makes it. */
export function folderArrows(sources: readonly Source[], name: string): ReadonlyMap<string, readonly [from: string, to: string, file: string]> {
  const arrows = new Map<string, readonly [string, string, string]>()
  for (const { file, folder, imports } of sources.filter((source) => source.package === name && source.folder !== '')) {
    for (const { file: target } of imports) {
      if (target === undefined) continue
      const to = folderOf(target)
      if (to !== folder && !arrows.has(`${folder} -> ${to}`)) arrows.set(`${folder} -> ${to}`, [folder, to, file])
    }
  }
  return arrows
}

/** Which folder of a package imports which. */
export function folderGraph(sources: readonly Source[], name: string): Graph {
  const folders = sources.filter((source) => source.package === name && source.folder !== '').map(({ folder }) => folder)
  const arrows = [...folderArrows(sources, name).values()].map(([from, to]): readonly [string, string] => [from, to])
  return graphOf(folders, arrows)
}

/** Which file of a package imports which. */
function fileGraph(sources: readonly Source[], name: string): Graph {
  const files = sources.filter((source) => source.package === name && source.folder !== '')
  const arrows = files.flatMap(({ file, imports }) =>
    imports.flatMap(({ file: to }): readonly (readonly [string, string])[] => (to === undefined ? [] : [[file, to]])),
  )
  return graphOf([], arrows)
}

/** Files and folders that import each other, and folders that import a layer above them. */
export function checkFolders(sources: readonly Source[]): readonly string[] {
  const names = [...new Set(sources.filter(({ folder }) => folder !== '').map((source) => source.package))]
  return names.flatMap((name) => [...fileProblems(sources, name), ...cycleProblems(sources, name), ...layerProblems(sources, name)])
}

function fileProblems(sources: readonly Source[], name: string): readonly string[] {
  const graph = fileGraph(sources, name)
  return cyclesOf(graph).map((cycle) => `${cycle.length} files import each other: ${wayAround(graph, cycle).join(' -> ')}`)
}

function cycleProblems(sources: readonly Source[], name: string): readonly string[] {
  const graph = folderGraph(sources, name)
  const arrows = folderArrows(sources, name)
  return cyclesOf(graph).map((cycle) => {
    const way = wayAround(graph, cycle)
    const files = way.slice(1).map((to, index) => arrows.get(`${way[index]} -> ${to}`)?.[2] ?? '')
    return `packages/${name}/src: the folders ${cycle.join(', ')} import each other: ${way.join(' -> ')} (${files.join(', ')})`
  })
}

function layerProblems(sources: readonly Source[], name: string): readonly string[] {
  const of = layers[name]
  if (!of) return []
  const unplaced = [...folderGraph(sources, name).keys()].filter((folder) => layerOf(of, folder) < 0)
  const upward = [...folderArrows(sources, name).values()].filter(([from, to]) => layerOf(of, from) < layerOf(of, to))
  return [
    ...unplaced.map((folder) => `packages/${name}/src/${folder} is in no layer: give it one in tools/architecture/folders.ts`),
    ...upward.map(([from, to, file]) => `${file} imports ${to}, which is a layer above ${from}`),
  ]
}
