/** The tables of folders in ARCHITECTURE.md: they name every folder of every package, and no other. */
import type { Page, Source } from './sources.ts'

/** Folders that the page does not name, and names for which there is no folder. */
export function checkFolderTables(sources: readonly Source[], { file, text }: Page): readonly string[] {
  const named = new Set(namedIn(text))
  const real = new Set(
    sources.filter(({ folder }) => folder !== '' && folder !== '.').map(({ package: name, folder }) => `${name}/src/${top(folder)}`),
  )
  return [
    ...[...real].filter((folder) => !named.has(folder)).map((folder) => `${file} does not name packages/${folder} in its tables of folders`),
    ...[...named].filter((folder) => !real.has(folder)).map((folder) => `${file} names packages/${folder}, which has no source`),
  ]
}

/** A row covers the folders inside the one that it names. */
const top = (folder: string): string => folder.split('/')[0] ?? folder

/** The folders in the second column of the two tables; a row without a package belongs to the package above it. */
function namedIn(text: string): readonly string[] {
  const [, ofAgent = '', ofOthers = ''] = /\n### agent\n(.*?)\n### The other packages\n(.*?)\n## /s.exec(text) ?? []
  return [...foldersOf(ofAgent, 'agent'), ...foldersOf(ofOthers)]
}

function foldersOf(section: string, only?: string): readonly string[] {
  let name = only ?? ''
  return [...section.matchAll(/^\|([^|]*)\|([^|]*)\|/gm)].flatMap(([, first = '', second = '']) => {
    name = only ?? /`([^`]+)`/.exec(first)?.[1] ?? name
    return [...second.matchAll(/`([^`]+)\/`/g)].map(([, folder]) => `${name}/src/${folder}`)
  })
}
