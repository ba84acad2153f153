/**
 * The files that a command runs: a grant for the command holds for their content.
 *
 * REMEMBER-5. A grant for a command is void as soon as a script that its words name has another content, is gone, or is there where none was. What such a
 *     script runs in turn is not looked at.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { baseName, isInterpreter } from '../command/programs.ts'
import { requestsOf } from '../command/requests.ts'

/** A file that a command may run, and its content. */
export interface ScriptVersion {
  /** Its absolute path. */
  readonly path: string
  /** The SHA-256 of its content; null where there is none. */
  readonly hash: string | null
}

/** The files in which programs find what their words mean. */
const manifests: Readonly<Record<string, readonly string[]>> = {
  bun: ['package.json'],
  just: ['justfile', 'Justfile', '.justfile'],
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  npm: ['package.json'],
  pnpm: ['package.json'],
  rake: ['Rakefile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  yarn: ['package.json'],
}

/** Files of one command that are looked at, and bytes of one: a command with more is not granted. */
const mostScripts = 50
const largestScript = 64 * 1024 * 1024

/** The scripts of a command that runs in a folder, by their paths; undefined where there are too many, or one is too large. */
export async function scriptsOf(command: string, cwd: string): Promise<readonly ScriptVersion[] | undefined> {
  const paths = [...new Set(placesOf(command, cwd))].sort()
  if (paths.length > mostScripts) return undefined
  const found = await Promise.all(paths.map(async (path) => ({ path, hash: await hashAt(path) })))
  return found.every((one): one is ScriptVersion => one.hash !== undefined) ? found : undefined
}

/** Where the scripts of a command may be. After a `cd` they may be in its folder, too. */
function placesOf(command: string, cwd: string): readonly string[] {
  const { commands, words } = requestsOf(command)
  const moves = commands.filter(({ argv }) => argv[0] === 'cd').flatMap(({ argv }) => argv.slice(1))
  const folders = [cwd, ...moves.map((folder) => resolve(cwd, folder))]
  const named = [...commands.flatMap(({ argv }) => namedBy(argv)), ...words.filter((word) => !word.startsWith('-'))]
  return folders.flatMap((folder) => named.map((name) => resolve(folder, name))).filter((path) => !path.includes('\0'))
}

/** The files that the words of one command name as code: the program itself, what an interpreter is given, and the manifest of a runner. */
function namedBy([program = '', ...rest]: readonly string[]): readonly string[] {
  const own = program.includes('/') ? [program] : []
  const runner = Object.hasOwn(manifests, baseName(program)) ? (manifests[baseName(program)] ?? []) : []
  const given = isInterpreter(program) ? rest.map((word) => (word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word)) : []
  return [...own, ...runner, ...given.filter((word) => word !== '' && !word.startsWith('-'))]
}

/** The hash of a regular file; null where there is none, and undefined where it is too large. */
async function hashAt(path: string): Promise<string | null | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return null
  if (stats.size > largestScript) return undefined
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch {
    // It cannot be read: the command cannot be granted.
    return undefined
  }
  return hash.digest('hex')
}
