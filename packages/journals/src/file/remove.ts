/**
 * Removes a thread with its children, theirs, and so on (JOURNAL-17): the thread first, then all others at once.
 *
 * REMOVE-1. The time of a removal grows with the number of threads, not with its square: the files are looked at, the folder is listed and each file of
 *           the journal is flushed a fixed number of times, however many children there are.
 * REMOVE-2. The removal is recorded before the anchor is dropped, and the anchor before the file is removed. So an interrupted removal leaves a thread
 *           that exists and can be removed again.
 */
import { mayGoOn, type RemoveOptions, type RemoveResult } from '@loom-agent/kernel'
import { idOf } from '../storage/chain.ts'
import { journalError } from '../storage/failure.ts'
import { alone } from './commit.ts'
import { type Damage, describeDamage } from './damage.ts'
import { type DiskFile, unlessGone, withFile } from './disk.ts'
import type { Removal as Recorded } from './feed.ts'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder, namesIn, pathOf } from './folder.ts'
import { positionOf, textOfLine } from './line.ts'
import { linesOf } from './lines.ts'
import { fileOf, learnAll, type OpenJournal, useFile } from './open-journal.ts'
import { dropState, forgetFile, type ThreadFile } from './thread-file.ts'

/** The end of a removal, and the children of the thread, which are removed after it. */
export interface Removal {
  readonly result: RemoveResult
  readonly children: readonly string[]
}

/** Files by the names of their threads. */
type Tree = ReadonlyMap<string, ThreadFile>

/**
 * Removes a thread durably, unless it has changed, its parent may go on with it, or it or a child is driven or read by a fork. After a failure it can be called again, and continues.
 *
 * A child that is left because the process was killed has an id that no other thread gets, and nothing drives it. The next removal of a thread of the
 * parent's name removes it.
 */
export function remove(journal: OpenJournal, file: ThreadFile, { thread, expected }: RemoveOptions & { thread: string }): Promise<Removal> {
  return journal.exclusive(async () => {
    await learnAll(journal)
    await settled(file)
    const { head } = file
    const tree = treeIn(journal, thread)
    const changed = expected && (expected.incarnation !== head?.incarnation || expected.seq !== head.seq)
    const refused = changed ? ({ kind: 'changed' } as const) : (parentOf(journal, file) ?? refusalOf(journal, tree))
    if (refused) return { result: refused, children: [] }
    await removeFiles(journal, [file])
    return { result: { kind: 'removed' }, children: [...tree.keys()].slice(1) }
  })
}

/** The parent of a thread, if it may go on with it. */
function parentOf(journal: OpenJournal, { head }: ThreadFile): RemoveResult | undefined {
  const parent = head?.summary.parent
  const above = parent === undefined ? undefined : journal.files.get(fileNameOf(parent))?.head
  return parent !== undefined && mayGoOn(above?.summary) ? { kind: 'awaited', parent } : undefined
}

/** Removes the children of a thread that was removed, and returns their ids. One that is driven or forked by now stays. */
export function removeChildren(journal: OpenJournal, children: readonly string[]): Promise<readonly string[]> {
  const tree = new Map(children.map((thread) => [thread, fileOf(journal, fileNameOf(thread))]))
  return journal.removing(() =>
    withoutOthers(journal, [...tree.values()], () =>
      journal.exclusive(async () => {
        for (const file of tree.values()) await settled(file)
        for (let refused = refusalOf(journal, tree); refused; refused = refusalOf(journal, tree)) tree.delete(refused.at)
        // Children before their parents: what a killed process leaves is found again from the name of the first.
        await removeFiles(journal, [...tree.values()].reverse())
        return [...tree.keys()]
      }),
    ),
  )
}

/** Does work after all earlier operations on files, and before all later ones. */
async function withoutOthers<T>(journal: OpenJournal, files: readonly ThreadFile[], work: () => Promise<T>): Promise<T> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const stopped: Promise<void>[] = []
  const stop = (file: ThreadFile): Promise<void> => {
    const { promise: idle, resolve } = Promise.withResolvers<void>()
    const wait = (): Promise<void> => {
      resolve()
      return ended
    }
    stopped.push(useFile(journal, file, () => alone(journal, file, wait)))
    return idle
  }
  try {
    await Promise.all(files.map(stop))
    return await work()
  } finally {
    end()
    await Promise.all(stopped)
  }
}

/** Otherwise a thread that is being opened or flushed now would come back after its removal. */
async function settled(file: ThreadFile): Promise<void> {
  await file.flushing
  await file.opening?.catch(() => {})
}

/** The files of a thread, of its children, of theirs, and so on. */
function treeIn(journal: OpenJournal, root: string): Tree {
  const byParent = Map.groupBy(journal.files.values(), ({ head }) => head?.summary.parent)
  const tree = new Map([[root, fileOf(journal, fileNameOf(root))]])
  // A map is iterated over with what is added meanwhile.
  for (const parent of tree.keys()) {
    for (const file of byParent.get(parent) ?? []) if (file.head && !tree.has(file.head.thread)) tree.set(file.head.thread, file)
  }
  return tree
}

/** Why a tree is not removed, and the thread that is the reason. Throws if a file may be a fork and cannot be read. */
function refusalOf({ files }: OpenJournal, tree: Tree): (RemoveResult & { readonly at: string }) | undefined {
  for (const [thread, { holder, head }] of tree) {
    if (holder && head?.summary.status === 'running') return { kind: 'held', thread, holder: holder.worker, at: thread }
  }
  const isOwn = new Set(tree.values())
  for (const file of files.values()) {
    const { header, head, damage } = file
    if (isOwn.has(file)) continue
    const at = header?.forkOf?.thread
    if (header && at !== undefined && tree.has(at) && (head?.seq || damage)) return { kind: 'forked', fork: header.thread, at }
  }
  for (const file of files.values()) if (file.damage && !file.header) refuseUnreadable(file.damage, file, tree)
  return undefined
}

function refuseUnreadable(damage: Damage, unreadable: ThreadFile, tree: Tree): void {
  const [thread] = [...tree].find(([, file]) => file !== unreadable && (file.head || file.damage)) ?? []
  if (thread === undefined) return
  const what = `${thread} cannot be removed: ${damage.file} may be a fork that reads it, and cannot be read.`
  const advice = 'Restore that file from a copy, or remove that thread first.'
  throw journalError('damaged', `${what} ${describeDamage(damage)} ${advice}`, { context: { thread, file: damage.file } })
}

/** Records the removals, and removes the anchors and the files of threads (REMOVE-2). */
async function removeFiles(journal: OpenJournal, files: readonly ThreadFile[]): Promise<void> {
  const { feed, folder, index } = journal
  const recorded: Omit<Recorded, 'position'>[] = []
  for (const file of files) {
    const { head } = file
    if (head?.seq) recorded.push({ removed: head.thread, incarnation: head.incarnation, seq: head.seq, first: await firstPosition(folder, file) })
  }
  const removals = await feed.recordRemovals(recorded)
  try {
    await folder.anchors.drop(files.map(({ stem }) => `${stem}${ending}`))
    const names = Map.groupBy(await namesIn(folder), (name) => /^(.*)(?:\.torn-\d+|\.jsonl)$/.exec(name)?.[1])
    for (const file of files) await removeFile(journal, file, names.get(file.stem) ?? [])
    journal.order = undefined
    await folder.disk.syncFolder(folder.path)
    index?.remove(files, removals)
  } finally {
    feed.close(removals.map(({ position }) => position))
  }
}

/** The position of the first commit in a file; undefined if none can be read. */
function firstPosition(folder: Folder, { stem }: ThreadFile): Promise<number | undefined> {
  const find = async (opened: DiskFile): Promise<number | undefined> => {
    for await (const { bytes } of linesOf(opened, await opened.size())) {
      const line = textOfLine(bytes) ?? ''
      if (idOf(line) !== undefined) return positionOf(line)
    }
    return undefined
  }
  return unlessGone(withFile(folder.disk.open(pathOf(folder, stem), 'read'), find))
}

/** Removes the thread's own file last: after an interrupted removal the thread still exists, and can be removed again. */
async function removeFile({ folder }: OpenJournal, file: ThreadFile, names: readonly string[]): Promise<void> {
  const own = `${file.stem}${ending}`
  try {
    for (const name of [...names.filter((each) => each !== own), ...names.filter((each) => each === own)]) {
      await folder.disk.remove(`${folder.path}/${name}`)
    }
  } catch (error) {
    // Whether the file was removed is not known: it is read again.
    void dropState(file)
    throw error
  }
  forgetFile(file)
}
