/** The packages that are published, packed as npm would send them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf, publishedFolders, root } from '../workspace.ts'
import { npm } from './execute.ts'

/** A package of this workspace. */
export interface Package {
  readonly name: string
  readonly folder: string
  readonly exports: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

/** A package, packed. */
export interface Packed extends Package {
  readonly tarball: string
}

/** The packages of this workspace that are published. */
export const publishedPackages = (): readonly Package[] =>
  publishedFolders().map((folder) => {
    const { name, exports = {}, dependencies = {} } = manifestOf(folder)
    return { name, folder, exports: Object.keys(exports), dependencies }
  })

/** Packs everything that is published into a folder. */
export async function pack(into: string): Promise<readonly Packed[]> {
  const published = publishedPackages()
  const tarballs = await packFolders(
    published.map(({ folder }) => folder),
    into,
  )
  return published.map((one) => ({ ...one, tarball: tarballOf(tarballs, one.name) }))
}

/** Packs folders as they are; returns the tarballs by the names of their packages. */
export async function packFolders(folders: readonly string[], into: string): Promise<ReadonlyMap<string, string>> {
  mkdirSync(into, { recursive: true })
  const printed = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', into, ...folders], root)
  const listed = JSON.parse(printed.slice(printed.indexOf('['))) as readonly { name: string; filename: string }[]
  return new Map(listed.map(({ name, filename }) => [name, join(into, filename)]))
}

function tarballOf(tarballs: ReadonlyMap<string, string>, name: string): string {
  const found = tarballs.get(name)
  if (found === undefined) throw new Error(`npm pack made no tarball of ${name}.`)
  return found
}
