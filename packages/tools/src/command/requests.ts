/**
 * What a command would do, for rules to judge: every command that it runs, however it is wrapped, and every file that it redirects to or from.
 *
 * COMMAND-3. Every command is there: those inside wrappers and scripts, to a depth of 8, beside those that run them. What is deeper makes it unknown.
 * COMMAND-4. What is unknown never becomes known later: `unknown` is set as soon as one part is not understood, and what was understood is still there,
 *     so that rules that deny can look at it.
 */
import { bounds, type PathRequest, parseCommand, type SimpleCommand } from './parse.ts'
import { baseName, movers, runsInput } from './programs.ts'
import { unwrap } from './unwrap.ts'

/** A command that would be run. */
export interface CommandRequest {
  /** Its words, the name of the program first. */
  readonly argv: readonly string[]
  /** Set when more words follow, which are not known: `xargs` adds them. */
  readonly isOpen?: true
  /** Set when a `cd` comes before it: relative paths are not what they were. */
  readonly isMoved?: true
  /** Set when it runs other commands of the list. */
  readonly wraps?: 'plain' | 'strong'
  /** The number of the command in the list that runs it. */
  readonly within?: number
  /** Where it begins in the words of the one that runs it; not set for a script. */
  readonly at?: number
}

/** What a command would do. */
export interface CommandRequests {
  /** Every command, outer ones before those that they run. */
  readonly commands: readonly CommandRequest[]
  /** The files of redirections. */
  readonly paths: readonly PathRequest[]
  /** Why it is not known what the command does; then it must not be allowed. */
  readonly unknown?: string
  /** The words in the text as far as they can be told, for rules that deny, when the rest is unknown. */
  readonly words: readonly string[]
}

const deepest = 8

interface Gathering {
  readonly commands: CommandRequest[]
  readonly paths: PathRequest[]
  unknown: string | undefined
  isMoved: boolean
}

/** A command on the way in: where it stands. */
interface Place {
  readonly depth: number
  readonly within?: number
  readonly at?: number
  readonly isOpen: boolean
  readonly isFed: boolean
}

/**
 * What a command would do. Pure and total: a command that is not plain has `unknown`.
 *
 * @example
 * requestsOf('timeout 5 npm test > log.txt')
 */
export function requestsOf(command: string): CommandRequests {
  const gathering: Gathering = { commands: [], paths: [], unknown: undefined, isMoved: false }
  gatherScript(gathering, command, { depth: 0, isOpen: false, isFed: false })
  const { commands, paths, unknown } = gathering
  return { commands, paths, ...(unknown !== undefined && { unknown }), words: unknown === undefined ? [] : wordsIn(command) }
}

function gatherScript(gathering: Gathering, script: string, place: Place): void {
  const parsed = parseCommand(script)
  if ('unknown' in parsed) return setUnknown(gathering, parsed.unknown)
  for (const command of parsed.commands) gatherSimple(gathering, command, place)
}

function setUnknown(gathering: Gathering, why: string): void {
  gathering.unknown ??= why
}

function gatherSimple(gathering: Gathering, { argv, redirections, isFed }: SimpleCommand, place: Place): void {
  for (const request of redirections) {
    gathering.paths.push(request)
    if (gathering.isMoved && !request.path.startsWith('/')) setUnknown(gathering, `a relative path (${request.path.slice(0, 40)}) after cd`)
  }
  gather(gathering, argv, { ...place, isFed: isFed || place.isFed })
}

function gather(gathering: Gathering, argv: readonly string[], place: Place): void {
  const { depth, within, at, isOpen, isFed } = place
  if (gathering.commands.length >= bounds.commands) return setUnknown(gathering, `more than ${bounds.commands} commands`)
  const number = gathering.commands.length
  const plain: CommandRequest = {
    argv,
    ...(isOpen && { isOpen }),
    ...(gathering.isMoved && { isMoved: true }),
    ...(within !== undefined && { within }),
    ...(at !== undefined && { at }),
  }
  gathering.commands.push(plain)
  const name = baseName(argv[0] ?? '')
  if (movers.has(name)) gathering.isMoved = true
  const unwrapped = unwrap(argv, isOpen)
  if ('unknown' in unwrapped) return setUnknown(gathering, unwrapped.unknown)
  if (unwrapped.kind === 'itself') {
    if (isFed && runsInput(name)) setUnknown(gathering, `${name}, which runs what it reads`)
    return
  }
  if (depth >= deepest) return setUnknown(gathering, `more than ${deepest} commands inside each other`)
  gathering.commands[number] = { ...plain, wraps: unwrapped.isStrong ? 'strong' : 'plain' }
  const inside = { depth: depth + 1, within: number, isFed }
  if (unwrapped.kind === 'script') return gatherScript(gathering, unwrapped.script, { ...inside, isOpen: false })
  for (const inner of unwrapped.inner) gather(gathering, inner.argv, { ...inside, at: inner.at, isOpen: inner.isOpen })
}

/** Whatever could be a word, with quotes and backslashes taken away: nothing is decided by it but that a rule that denies may be meant. */
function wordsIn(text: string): readonly string[] {
  return text
    .replace(/['"\\]/g, '')
    .split(/[\s;|&<>(){}`$=]+/u)
    .filter((word) => word !== '')
}
