/**
 * Reads the feed of a folder: the commits of all threads and the removals, by their positions.
 *
 * FILEFEED-4. A page ends before the lowest position that is being written (the horizon): a commit that is acknowledged later comes after it.
 * FILEFEED-5. The index is made by the first reader, which reads all files once, and is kept up by every commit from then on. A journal whose feed
 *             nobody reads has none.
 */
import type { FeedEntry, FeedPage, FeedRange } from '@loom-agent/kernel'
import { type CursorProof, checkCursor, checkOfHash, cursorOf, feedPageOf, ownerOf, placeIn, startOfFeed } from '../storage/feed-cursor.ts'
import { unlessGone, withFile } from './disk.ts'
import type { Removal } from './feed.ts'
import { type Commit, createIndex, type FeedIndex, type Indexed } from './feed-index.ts'
import { pathOf } from './folder.ts'
import { endOf, positionOf } from './line.ts'
import { learnAll, type OpenJournal, useFile } from './open-journal.ts'
import { scanFile } from './scan.ts'
import type { ThreadFile } from './thread-file.ts'

/** A page of the feed. */
export async function readFeed(journal: OpenJournal, { from, limit }: FeedRange): Promise<FeedPage> {
  const index = await indexOf(journal)
  const at = placeIn(from, 2)
  const [position = 0, seq = 0] = at?.place.map(Number) ?? []
  const wanted = feedPageOf(limit)
  const found = index.from(position, wanted)
  if (from !== undefined && at) {
    const isRemoved = (): boolean =>
      index.removalsAfter(position).some((each) => (each.seq ?? seq) >= seq && ownerOf(each.removed, each.incarnation) === at.owner)
    checkCursor(from, found.at ? { cursor: cursorIn(found.at) } : { cursor: undefined, isRemoved: isRemoved() })
  }
  const horizon = journal.feed.horizon()
  const looked = found.after.filter((entry) => entry.position < horizon)
  const last = looked.at(-1)
  return { entries: looked.flatMap(entryOf), cursor: last ? cursorIn(last) : (from ?? startOfFeed), isEnd: looked.length < wanted }
}

/** The index, made at the first call. Removals wait meanwhile: what they remove would come back. */
function indexOf(journal: OpenJournal): Promise<FeedIndex> {
  journal.indexing ??= journal
    .exclusive(() => makeIndex(journal))
    .catch((error: unknown) => {
      Object.assign(journal, { indexing: undefined, index: undefined })
      throw error
    })
  return journal.indexing
}

async function makeIndex(journal: OpenJournal): Promise<FeedIndex> {
  await learnAll(journal)
  const { feed, files } = journal
  // What is written from now on is added when it is acknowledged.
  const horizon = feed.horizon()
  const index = createIndex()
  journal.index = index
  const loaded: Indexed[] = []
  const first = new Map<string, number>()
  for (const file of files.values()) {
    if (!file.head) continue
    const commits = (await commitsIn(journal, file)).filter(({ position }) => position < horizon)
    first.set(nameOf(file.head), commits[0]?.position ?? horizon)
    for (const commit of commits) loaded.push({ ...commit, file })
  }
  for (const removal of feed.removals().toReversed()) {
    const name = removedOf(removal)
    // A removal that was recorded and did not happen: the thread, or the one that a later removal has removed, has commits from before it.
    const isPending = (first.get(name) ?? horizon) < removal.position
    if (isPending) continue
    first.set(name, removal.first ?? 0)
    if (removal.position < horizon) loaded.push({ position: removal.position, seq: removal.seq ?? 0, removal })
  }
  index.load(loaded)
  return index
}

const nameOf = ({ thread, incarnation }: Pick<FeedEntry, 'thread' | 'incarnation'>): string => JSON.stringify([thread, incarnation])

const removedOf = ({ removed, incarnation }: Removal): string => nameOf({ thread: removed, incarnation })

async function commitsIn(journal: OpenJournal, file: ThreadFile): Promise<readonly Commit[]> {
  const { folder } = journal
  const commits: Commit[] = []
  const onBatch = (line: string): void => {
    const end = endOf(line)
    commits.push({ position: positionOf(line) ?? 0, seq: end?.seq ?? 0, check: checkOfHash(end?.hash ?? '') })
  }
  const scan = (): Promise<unknown> =>
    withFile(folder.disk.open(pathOf(folder, file.stem), 'read'), (opened) => scanFile(opened, { stem: file.stem, onBatch }))
  await useFile(journal, file, () => unlessGone(scan()))
  return commits
}

function proofOf({ file, removal, check }: Indexed): CursorProof {
  const owner = ownerOf(removal?.removed ?? file?.head?.thread ?? '', removal?.incarnation ?? file?.head?.incarnation ?? '')
  return { check: check ?? owner, owner }
}

const cursorIn = (entry: Indexed): string => cursorOf([String(entry.position), String(entry.seq)], proofOf(entry))

function entryOf(entry: Indexed): readonly FeedEntry[] {
  const { file, removal, seq } = entry
  const position = cursorIn(entry)
  if (removal) return [{ position, kind: 'removed', thread: removal.removed, incarnation: removal.incarnation, seq }]
  if (!file?.head) return []
  const { thread, incarnation, summary } = file.head
  return [{ ...structuredClone(summary), position, kind: 'changed', thread, incarnation, seq }]
}
