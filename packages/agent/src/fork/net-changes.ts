/**
 * What became of each file over many changes, and what a rewind makes of that.
 *
 * NET-1. Where a change does not begin with what the one before has left, others have changed the file in between: undoing both would undo theirs too.
 */
import type { FileChange, FileMode } from '@loom-agent/kernel'
import type { RecordedChange } from './file-history.ts'

/** How a file is, as far as it is recorded. */
export interface FileState {
  /** The hash of its content; null where there is none. */
  readonly hash: string | null
  /** How it is stored, where that was looked at. */
  readonly mode?: FileMode | undefined
}

/** What became of one file: how it was before the first change, and how it may be after the last. */
interface Net {
  readonly first: FileState
  readonly last: readonly FileState[]
  readonly isMixed: boolean
  readonly isSeen: boolean
}

/** How a file is to be, how it may be where only agents have changed it, and whether others changed it between their changes. */
export interface Wanted {
  readonly path: string
  readonly wanted: FileState
  readonly expected: readonly FileState[]
  readonly isMixed: boolean
  /** Whether a change that is undone was found by a look: somebody else may have made it (FILES-2). */
  readonly isSeen: boolean
}

const before = ({ before: hash, modes }: FileChange): FileState => ({ hash, mode: modes?.[0] })
const after = ({ after: hash, modes }: FileChange): FileState => ({ hash, mode: modes?.[1] })
const has = (states: readonly FileState[], { hash }: FileState): boolean => states.some((state) => state.hash === hash)

/** What became of each file of a workspace, by its path. */
function netOf(changes: readonly RecordedChange[], workspace: string): ReadonlyMap<string, Net> {
  const nets = new Map<string, Net>()
  for (const { change, isCertain, isSeen: wasSeen = false } of changes) {
    if ((change.workspace ?? 'workspace') !== workspace) continue
    const was = before(change)
    const is = after(change)
    const { first, last, isMixed, isSeen } = nets.get(change.path) ?? { first: was, last: [was], isMixed: false, isSeen: false }
    nets.set(change.path, { first, last: isCertain ? [is] : [is, was], isMixed: isMixed || !has(last, was), isSeen: isSeen || wasSeen })
  }
  return nets
}

/** Changes to undo, and then changes to make again. */
export interface UndoneAndMade {
  readonly undone: readonly RecordedChange[]
  readonly made: readonly RecordedChange[]
}

/** How the files of a workspace are to be when some changes are undone, and others, which were made from the same moment on, are made again. */
export function wantedFiles({ undone, made }: UndoneAndMade, workspace: string): readonly Wanted[] {
  const back = netOf(undone, workspace)
  const forth = netOf(made, workspace)
  return [...new Set([...back.keys(), ...forth.keys()])].sort().flatMap((path) => {
    const one = back.get(path)
    const other = forth.get(path)
    const wanted = other ? other.last[0] : one?.first
    const expected = one ? one.last : other && [other.first]
    if (!wanted || !expected) return []
    const isMixed = one !== undefined && (one.isMixed || (other !== undefined && other.first.hash !== one.first.hash))
    return [{ path, wanted, expected, isMixed, isSeen: one?.isSeen === true }]
  })
}
