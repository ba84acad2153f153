/**
 * Which files a command may not read, and which it may not change although they are in its folder.
 *
 * HIDDEN-1. Names of secrets are looked for below the folder, and in the home folders, right before each command: a secret that was put there since the
 *     last one is hidden, too. `node_modules` and `.git` are not looked through.
 * HIDDEN-2. A folder with more entries than are looked at is refused: what was not looked at might be a secret.
 */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { guardOf, type ProtectOptions } from '../files/declared-paths.ts'
import type { Guard } from '../files/guard.ts'
import { codePaths, secretPaths } from '../files/protected-paths.ts'
import { noSandbox } from './sandbox.ts'

/** The paths that were found. */
export interface HiddenPaths {
  /** They can be neither read nor changed. */
  readonly secrets: readonly string[]
  /** They cannot be changed: they run as code later, outside of the sandbox. */
  readonly code: readonly string[]
}

/** Names that commands of developers change all the time, and that run nothing by themselves on this machine. */
const changedByCommands = new Set([
  '.git',
  '.gitattributes',
  'package.json',
  '.github',
  '.gitlab-ci.y*ml',
  '.circleci',
  '.travis.yml',
  '.buildkite',
  '.drone.yml',
  '.woodpecker*',
  'azure-pipelines.y*ml',
  'bitbucket-pipelines.yml',
  'appveyor.yml',
  'cloudbuild.y*ml',
  'jenkinsfile',
])

/** The paths that are looked for in a folder, and how many entries are looked at, at most. */
export interface HiddenOptions {
  readonly protect?: Pick<ProtectOptions, 'secrets' | 'code'> | undefined
  readonly most?: number
}

const guardFor = ({ secrets, code = codePaths }: NonNullable<HiddenOptions['protect']>): Guard =>
  guardOf({ protect: { ...(secrets && { secrets }), code: code.filter((name) => !changedByCommands.has(name)) } })

/** What is hidden in homes, whatever is declared about a folder. */
const usual: Guard = guardFor({})
/** Parts of a repository that run as code, or name what does. */
const gitCode = ['hooks', 'config']
const notEntered = new Set(['.git', 'node_modules'])
/** Secrets of the system, which are there for its users and for what runs in containers. */
const systemSecrets = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/run/secrets', '/var/run/secrets']

/** Entries that are looked at, at most. */
const mostVisited = 200_000

/** Looks for secrets and code below a folder. */
export async function findHidden(folder: string, { protect, most = mostVisited }: HiddenOptions = {}): Promise<HiddenPaths> {
  const guard = protect ? guardFor(protect) : usual
  const secrets: string[] = [...systemSecrets.filter((path) => existsSync(path)), ...homes().flatMap(secretsOf)]
  const code: string[] = []
  const open = [folder]
  let visited = 0
  for (const place of open) {
    const entries = await entriesOf(place)
    visited += entries.length
    if (visited > most) throw noSandbox(`${folder} has more than ${most} entries, too many to look for secrets in. Run commands in a smaller folder.`)
    for (const entry of entries) {
      const path = join(place, entry.name)
      const names = relative(folder, path).split(sep)
      if (guard.reason('read', names) !== undefined) secrets.push(path)
      else if (guard.reason('write', names) !== undefined) code.push(path)
      else if (entry.name === '.git') code.push(...gitCode.map((name) => join(path, name)).filter((one) => existsSync(one)))
      else if (entry.isDirectory() && !notEntered.has(entry.name)) open.push(path)
    }
  }
  return { secrets: [...new Set(secrets)], code }
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
function secretsOf(home: string): readonly string[] {
  const found = [...namesIn(home), ...namesIn(join(home, '.config')).map((name) => join('.config', name)), ...deeper]
  return found
    .filter((name) => usual.reason('read', name.split('/')) !== undefined)
    .map((name) => join(home, name))
    .filter((path) => existsSync(path))
}

/** Patterns that name a file in a folder of a home. */
const deeper = secretPaths.filter((path) => path.includes('/') && !/[*?[]/.test(path))
