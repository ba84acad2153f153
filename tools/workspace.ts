/** The workspace as the tools see it: its folder, its packages and their manifests. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the repository. */
export const root: string = join(import.meta.dirname, '..')

/** What an entry of a package leads to, by condition. */
export type Target = { readonly types?: string; readonly node?: string; readonly default?: string }

/** What the tools read of a package.json. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, Target>>
  readonly imports?: Readonly<Record<string, Target>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The manifest of the package in a folder. */
export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** The folders of all packages, in a stable order. */
export const packageFolders = (): readonly string[] =>
  globSync('packages/*/package.json', { cwd: root })
    .sort()
    .map((file) => join(root, dirname(file)))

/** The folders of the packages that are published. */
export const publishedFolders = (): readonly string[] => packageFolders().filter((folder) => manifestOf(folder).private !== true)
