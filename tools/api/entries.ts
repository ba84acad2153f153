/** The entries of the packages, and what each of them exports, followed to where it is declared. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { manifestOf, publishedFolders } from '../workspace.ts'
import { type Declaration, declarationsOf, forwardedBy } from './declarations.ts'

/** An entry of a published package. */
export interface Entry {
  /** As it is imported: `loom-agent/compat`. */
  readonly name: string
  /** The folder of its package. */
  readonly folder: string
  /** Its declaration file, which `npm run build` makes. */
  readonly types: string
}

/** The entries of all published packages, in a stable order. */
export function entries(): readonly Entry[] {
  return publishedFolders().flatMap((folder) => {
    const { name, exports = {} } = manifestOf(folder)
    return Object.entries(exports).flatMap(([path, { types }]) =>
      types === undefined ? [] : [{ name: name + path.slice(1), folder, types: join(folder, types) }],
    )
  })
}

/** The declaration file that a declaration file imports by this name; `undefined` for packages of others. */
function targetOf(file: string, from: string, all: readonly Entry[]): string | undefined {
  if (from.startsWith('.')) return join(dirname(file), from.replace(/\.(ts|js)$/, '.d.ts'))
  if (!from.startsWith('#')) return all.find(({ name }) => name === from)?.types
  const folder = all.find((entry) => file.startsWith(`${entry.folder}/`))?.folder
  const target = folder === undefined ? undefined : manifestOf(folder).imports?.[from]
  const built = target?.types ?? target?.node ?? target?.default
  return folder === undefined || built === undefined ? undefined : join(folder, built.replace(/(\.d)?\.[jt]s$/, '.d.ts'))
}

/** What an entry exports, each where it is declared. Throws when a name leads nowhere. */
export function exportsOf(entry: Entry, all: readonly Entry[]): ReadonlyMap<string, Declaration> {
  const find = (file: string, name: string): Declaration | undefined => {
    const text = readFileSync(file, 'utf8')
    const forwarded = forwardedBy(text).find((one) => one.name === name)
    const target = forwarded && targetOf(file, forwarded.from, all)
    return target === undefined ? declarationsOf(text).get(name) : find(target, forwarded?.original ?? name)
  }
  const text = readFileSync(entry.types, 'utf8')
  const own = [...text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|function|const|class) ([\w$]+)/gm)].map(([, name = '']) => name)
  const names = new Set([...own, ...forwardedBy(text).map(({ name }) => name)])
  return new Map(
    [...names].map((name) => {
      const declaration = find(entry.types, name)
      if (!declaration) throw new Error(`${entry.name} exports ${name}, and its declaration was not found.`)
      return [name, declaration]
    }),
  )
}
