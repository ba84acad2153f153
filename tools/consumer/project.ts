/** Projects as a user has them: outside the repository, with the tarballs installed by npm. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf, root } from '../workspace.ts'
import { npm } from './execute.ts'
import { type Packed, packFolders } from './packages.ts'

/** The version of a development dependency of this workspace: users are given the same. */
export function pinned(name: string): string {
  const version = manifestOf(root).devDependencies?.[name]
  if (version === undefined) throw new Error(`${name} is not among the development dependencies of the workspace.`)
  return version
}

/** What a project has besides Loom, by name: a version or the path of a tarball. */
export type Extras = Readonly<Record<string, string>>

/** Makes a project with these packages in a new folder and installs them. */
export async function createProject(folder: string, packed: readonly Packed[], extras: Extras = {}): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const own = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module', dependencies: { ...own, ...extras } }))
  await npm(['install', '--ignore-scripts', '--prefer-offline'], folder)
  return folder
}

/**
 * What Loom and the given packages need, as tarballs of what this workspace has installed: such a project needs no registry.
 */
export async function withoutRegistry(packed: readonly Packed[], names: readonly string[], into: string): Promise<Extras> {
  const needed = new Set<string>()
  const add = (name: string): void => {
    if (needed.has(name) || packed.some((own) => own.name === name)) return
    needed.add(name)
    for (const next of Object.keys(manifestOf(join(root, 'node_modules', name)).dependencies ?? {})) add(next)
  }
  for (const name of [...packed.flatMap(({ dependencies }) => Object.keys(dependencies)), ...names]) add(name)
  const tarballs = await packFolders(
    [...needed].map((name) => join(root, 'node_modules', name)),
    into,
  )
  return Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]))
}
