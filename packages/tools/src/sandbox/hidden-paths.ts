/**
 * Which files a command may not read, and which it may not change although they are in its folders.
 *
 * HIDDEN-1. Names of secrets are looked for below the folders that a command may change, and in the home folders, right before each command: a secret that
 *     was put there since the last one is hidden, too. `node_modules`, `site-packages` and `.git` are not looked through.
 * HIDDEN-2. A folder with more entries than are looked at is refused: what was not looked at might be a secret. So is one with more code than can be protected.
 * HIDDEN-3. What the file tools ask about because it runs as code later, no command changes (GUARD-1): one list says what that is. Of a repository it is
 *     what git runs, and what leads git there; the rest of it is data, which `git commit` has to write.
 */
import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { createGuard, type Guard } from '../files/guard.ts'
import { codePaths, secretPaths } from '../files/protected-paths.ts'
import { gitCodeIn, isRepository } from './git-code.ts'
import { noSandbox } from './sandbox.ts'

/** The paths that were found. */
export interface HiddenPaths {
  /** They can be neither read nor changed. */
  readonly secrets: readonly string[]
  /** They cannot be changed: they run as code later, outside of the sandbox. Settings of repositories are there as well where they do not exist. */
  readonly code: readonly string[]
}

/** Patterns of what is looked for. */
export interface Protection {
  readonly secrets?: readonly string[]
  readonly code?: readonly string[]
}

/** Secrets by which programs are told what to run. */
const codeBesides: readonly string[] = ['.npmrc', '.envrc']
const notEntered = new Set(['.git', 'node_modules', 'site-packages'])
/** Secrets of the system, which are there for its users and for what runs in containers. */
const systemSecrets = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/run/secrets', '/var/run/secrets']

/** Entries that are looked at, at most. */
const mostVisited = 200_000

/** Paths that can be protected: each slows the start of a command down. */
const mostProtected = 1_000

const tooMuchCode = (folder: string, count: number): string =>
  `${folder} has ${count} paths that run as code later; ${mostProtected} can be protected. Run commands in a smaller folder, or protect less: protect: { code }.`

/** Looks for secrets and code below folders. */
export async function findHidden(folders: readonly string[], protection: Protection = {}, most: number = mostVisited): Promise<HiddenPaths> {
  const { secrets: patterns = secretPaths, code: names = codePaths } = protection
  const guard = createGuard({ secrets: patterns, code: names, verdict: 'deny' })
  const { secrets, code } = await look(folders, guard, most)
  if (code.length > mostProtected) throw noSandbox(tooMuchCode(folders[0] ?? '', code.length))
  // Other patterns are of the folders: what is secret in a home stays so.
  const inHomes = createGuard({ secrets: [...secretPaths, ...patterns], code: [], verdict: 'deny' })
  const elsewhere = [...systemSecrets.filter((path) => existsSync(path)), ...homes().flatMap((home) => secretsOf(home, inHomes))]
  return { secrets: [...new Set([...elsewhere, ...secrets])], code }
}

/** What is there below folders that runs as code later. */
export async function findCode(folders: readonly string[], { code = codePaths }: Protection = {}): Promise<ReadonlySet<string>> {
  const found = await look(folders, createGuard({ secrets: [], code: [...code, ...codeBesides], verdict: 'deny' }), mostVisited)
  return new Set(found.code.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined))
}

async function look(folders: readonly string[], guard: Guard, most: number): Promise<HiddenPaths> {
  const secrets = new Set<string>()
  const code = new Set<string>()
  const isGitCode = guard.reason('write', ['.git']) !== undefined
  const open = folders.map((root) => ({ root, place: root }))
  let visited = 0
  for (const { root, place } of open) {
    const entries = await entriesOf(place)
    visited += entries.length
    if (visited > most) throw noSandbox(`${root} has more than ${most} entries, too many to look for secrets in. Run commands in a smaller folder.`)
    const isRepo = isRepository(new Set(entries.map(({ name }) => name)))
    if (isRepo && isGitCode) for (const path of gitCodeIn(place)) code.add(path)
    for (const entry of entries) {
      const path = join(place, entry.name)
      const names = relative(root, path).split(sep)
      if (guard.reason('read', names) !== undefined) secrets.add(path)
      else if (entry.name === '.git' && entry.isDirectory()) for (const part of isGitCode ? gitCodeIn(path) : []) code.add(part)
      else if (guard.reason('write', names) !== undefined) code.add(path)
      else if (entry.isDirectory() && !isRepo && !notEntered.has(entry.name)) open.push({ root, place: path })
    }
  }
  return { secrets: [...secrets], code: [...code] }
}

/** The entries of a folder; none where it cannot be read, which no command can either. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The home folders of this machine, as far as they can be seen. */
const homes = (): readonly string[] => [
  ...new Set([homedir(), process.env['HOME'] ?? homedir(), '/root', ...namesIn('/home').map((name) => join('/home', name))]),
]

/** The secrets right in a home folder, and in its folder for settings. */
function secretsOf(home: string, guard: Guard): readonly string[] {
  const found = [...namesIn(home), ...namesIn(join(home, '.config')).map((name) => join('.config', name)), ...deeper]
  return found
    .filter((name) => guard.reason('read', name.split('/')) !== undefined)
    .map((name) => join(home, name))
    .filter((path) => existsSync(path))
}

/** Patterns that name a file in a folder of a home. */
const deeper = secretPaths.filter((path) => path.includes('/') && !/[*?[]/.test(path))
