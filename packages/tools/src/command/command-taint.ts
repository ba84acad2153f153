/**
 * What a command brings into its thread, and whether it may send something out, by its words.
 *
 * COMMAND-10. Only programs that are known to stay on this machine send nothing; whatever is not understood may send, and may print what others wrote.
 * COMMAND-14. Where files are declared to be private or written by others, only a command that is known to show no file but those that it names, and that
 *     names none of these, brings nothing of them.
 */
import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { TaintLabel } from '@loom-agent/agent'
import { type DeclaredPaths, guardOf } from '../files/declared-paths.ts'
import type { Guard } from '../files/guard.ts'
import { onlyReads } from './only-reads.ts'
import { type CommandRequest, type CommandRequests, requestsOf } from './requests.ts'

/** What is declared of the files of a folder. */
interface DeclaredFiles extends Pick<Guard, 'isPrivate' | 'isForeign'> {
  readonly hasPrivate: boolean
  readonly hasForeign: boolean
}

/** What a declaration says, for commands. */
export function declaredIn(declared: DeclaredPaths): DeclaredFiles {
  const { private: hidden = [], untrusted: foreign = [] } = declared
  return { ...guardOf(declared), hasPrivate: hidden.length > 0, hasForeign: foreign.length > 0 }
}

/** Where a command runs, and what is declared of the files there. */
export interface CommandPlace {
  /** The folder whose files are the agent's own. */
  readonly root: string
  /** The folder in which the command begins. */
  readonly cwd: string
  readonly files: DeclaredFiles
}

const named = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** Programs that change files here or nothing at all. */
const local = named('cd chmod cp export kill ln mkdir mktemp mv popd pushd rm rmdir set sleep tee touch unset')
/** Programs that say nothing of files, or only what stands in their words. */
const silent = named('date echo false hostname id printf pwd seq true uname whoami')
/** Programs that show the content of no file but those that they name. A folder they do not look into. */
const shows = named(
  'basename cat cmp comm cut dirname file fold grep head ls md5sum nl paste readlink realpath sha1sum sha256sum sort stat tac tail tr uniq wc',
)
/** Words with which such a program looks into folders. */
const looksInside = /^-[^-]*[rRd]|^--(?:recursive|dereference-recursive|directories)/
/** More words than that are not looked up among the files. */
const mostLooked = 1_000

/** Whether a command may send something out. */
export function maySend(command: string): boolean {
  const { commands, paths, unknown } = requestsOf(command)
  return unknown !== undefined || paths.some(({ path }) => /^\/dev\/(?:tcp|udp)\//.test(path)) || !commands.every(staysHere)
}

const staysHere = ({ argv, wraps }: CommandRequest): boolean => wraps === 'plain' || local.has(argv[0] ?? '') || onlyReads(argv)

/** What a command may print. */
export function printedBy(command: string, place: CommandPlace): readonly TaintLabel[] {
  const requests = requestsOf(command)
  const { commands, paths, words } = requests
  const operands = [...commands.flatMap(({ argv }) => argv.slice(1)), ...paths.map(({ path }) => path), ...words].flatMap(pathsIn)
  const isOutside = !isWithin(place.root, place.cwd) || operands.some((path) => leads(path) && !isWithin(place.root, resolve(place.cwd, path)))
  const { isPrivate, isForeign, hasPrivate, hasForeign } = place.files
  const reached = operands.flatMap((path, index) => (index < mostLooked ? waysTo(place, path) : [path.split('/')]))
  const untrusted = maySend(command) || isOutside || (hasForeign && (reached.some(isForeign) || !showsNamedFiles(requests, 'names')))
  const isSecret = reached.some(isPrivate) || (hasPrivate && (operands.length > mostLooked || !showsNamedFiles(requests, 'content')))
  return [...(untrusted ? (['untrusted'] as const) : []), ...(isSecret ? (['private'] as const) : [])]
}

/** Whether a command is known to show no content of files that it does not name, or also no names. After a `cd` it is not known which files are named. */
function showsNamedFiles({ commands, unknown }: CommandRequests, what: 'content' | 'names'): boolean {
  const isKnown = ({ argv, wraps, isOpen, isMoved }: CommandRequest): boolean => {
    const name = argv[0] ?? ''
    if (isOpen) return false
    if (wraps === 'plain' || silent.has(name) || local.has(name)) return true
    if (isMoved || !shows.has(name) || !onlyReads(argv)) return false
    return name === 'ls' ? what === 'content' : name !== 'grep' || !argv.some((word) => looksInside.test(word))
  }
  return unknown === undefined && commands.every(isKnown)
}

/** The names along a path: as it is written, and where it leads by links. */
function waysTo({ root, cwd }: CommandPlace, path: string): readonly (readonly string[])[] {
  const written = path.split('/')
  try {
    return [written, relative(realpathSync(root), realpathSync(resolve(cwd, path))).split(sep)]
  } catch {
    return [written]
  }
}

/** What may be a path in a word: `--file=.env`, `@.env`, `.env`. */
const pathsIn = (word: string): readonly string[] => word.split(/[=@:,]/).filter((piece) => piece !== '')

/** Whether a path may lead out of the folder that it is relative to. */
const leads = (path: string): boolean => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path) && path !== '/dev/null'

const isWithin = (root: string, path: string): boolean => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
