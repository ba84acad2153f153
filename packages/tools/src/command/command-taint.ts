/**
 * What a command brings into its thread, and whether it may send something out, by its words.
 *
 * COMMAND-10. Only programs that are known to stay on this machine send nothing; whatever is not understood may send, and may print what others wrote.
 */
import { resolve, sep } from 'node:path'
import type { TaintLabel } from '@loom-agent/agent'
import { onlyReads } from './only-reads.ts'
import { type CommandRequest, requestsOf } from './requests.ts'

/** Where a command runs, and which names of files stand for something private. */
export interface CommandPlace {
  /** The folder whose files are the agent's own. */
  readonly root: string
  /** The folder in which the command begins. */
  readonly cwd: string
  /** Whether the names along a path stand for something private. */
  readonly isPrivate: (segments: readonly string[]) => boolean
}

/** Programs that change files here or nothing at all. */
const local = new Set('cd chmod cp export kill ln mkdir mktemp mv popd pushd rm rmdir set sleep tee touch unset'.split(' '))

/** Whether a command may send something out. */
export function maySend(command: string): boolean {
  const { commands, paths, unknown } = requestsOf(command)
  return unknown !== undefined || paths.some(({ path }) => /^\/dev\/(?:tcp|udp)\//.test(path)) || !commands.every(staysHere)
}

const staysHere = ({ argv, wraps }: CommandRequest): boolean => wraps === 'plain' || local.has(argv[0] ?? '') || onlyReads(argv)

/** What a command may print. */
export function printedBy(command: string, place: CommandPlace): readonly TaintLabel[] {
  const { commands, paths, words } = requestsOf(command)
  const operands = [...commands.flatMap(({ argv }) => argv.slice(1)), ...paths.map(({ path }) => path), ...words].flatMap(pathsIn)
  const isOutside = !isWithin(place.root, place.cwd) || operands.some((path) => leads(path) && !isWithin(place.root, resolve(place.cwd, path)))
  const untrusted = maySend(command) || isOutside
  const isPrivate = operands.some((path) => place.isPrivate(path.split('/')))
  return [...(untrusted ? (['untrusted'] as const) : []), ...(isPrivate ? (['private'] as const) : [])]
}

/** What may be a path in a word: `--file=.env`, `@.env`, `.env`. */
const pathsIn = (word: string): readonly string[] => word.split(/[=@:,]/).filter((piece) => piece !== '')

/** Whether a path may lead out of the folder that it is relative to. */
const leads = (path: string): boolean => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path) && path !== '/dev/null'

const isWithin = (root: string, path: string): boolean => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
