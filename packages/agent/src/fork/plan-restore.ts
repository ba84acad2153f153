/**
 * Which files a rewind puts back, and which it leaves as they are.
 *
 * REWIND-1. Only what agents have changed is put back. A file with another content than they left was changed by others since: it is a conflict, and stays as
 *     it is. So does one that others changed between changes of agents.
 * REWIND-3. What was found by a look may be the work of somebody else (FILES-2): it is undone only where the content that goes is in the journal, so no byte
 *     is lost, and the plan names it.
 */
import {
  type BlobRef,
  type Blobs,
  type Draft,
  type FileChange,
  type FileConflict,
  type Journal,
  LoomError,
  type LoomEvent,
  readEvents,
} from '@loom-agent/kernel'
import { notKept } from '../thread/restore-files.ts'
import { type Moment, nameMoment } from '../types/moment.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { type FoundFile, isModeOnly, type Workspace } from '../types/workspace.ts'
import { pastOf, recordedBetween, sharedUpTo } from './file-lineage.ts'
import type { Cut } from './fork-types.ts'
import { type FileState, type Wanted, wantedFiles } from './net-changes.ts'

/** What a rewind would do to files. */
export interface RestorePlan {
  /** The moment whose files the folder has. */
  readonly from: string
  readonly files: readonly FileChange[]
  readonly conflicts: readonly FileConflict[]
  readonly unseen: readonly string[]
  /** The files among these of which a change was found by a look: others may have made it. */
  readonly shared: readonly string[]
  /** The contents that files are to have. */
  readonly contents: Blobs
}

/** Bytes that one rewind puts back at most. */
const mostBytes = 256 * 1024 * 1024

/** What is to be known of a rewind: where the thread is cut, whose files the folder has, and the folder. */
export interface Rewinding {
  readonly cut: Cut
  /** The thread that was asked for. */
  readonly asked: string
  /** The thread whose files the folder has. */
  readonly from: string
  readonly workspace: Workspace
}

/** Plans what a rewind does to files: looks at each, and changes none. */
export async function planRestore(journal: Journal, { cut, asked, from, workspace }: Rewinding): Promise<RestorePlan> {
  const { moment, events } = cut
  const folder = from === asked ? { thread: from, events } : await readFolder(journal, from)
  const end: Moment = { thread: from, seq: folder.events.length }
  const pasts = await Promise.all([pastFor(journal, asked, moment.seq), pastFor(journal, from, end.seq)])
  const after = sharedUpTo(...pasts)
  if (after === 0)
    throw new LoomError(
      'LOOM_OPTION_INVALID',
      `${asked} and ${from} share no past: the files of one cannot be made those of the other. Name a fork of ${asked}.`,
      {
        context: { thread: asked, from },
      },
    )
  const undone = await recordedBetween(journal, folder.events, { after, upTo: end.seq })
  const made = await recordedBetween(journal, events, { after, upTo: moment.seq })
  const threads = new Set([...pasts.flat().map(({ thread }) => thread), ...undone.threads, ...made.threads])
  const wanted = wantedFiles({ undone: undone.changes, made: made.changes }, workspace.name)
  const chosen = await chooseFiles(wanted, workspace, contentReader(journal, threads))
  return { from: nameMoment(end), unseen: [...undone.unseen, ...made.unseen].map(({ words }) => words), ...chosen }
}

async function pastFor(journal: Journal, thread: string, upTo: number): ReturnType<typeof pastOf> {
  const head = await journal.head(thread)
  return head ? pastOf(journal, head, upTo) : []
}

async function readFolder(journal: Journal, thread: string): Promise<{ readonly thread: string; readonly events: readonly LoomEvent[] }> {
  checkThread(thread)
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  if (events.length === 0) throw threadNotFound(thread)
  return { thread, events }
}

interface ReadContent {
  (hash: string): Promise<Uint8Array | undefined>
  has(hash: string): Promise<boolean>
}

/** Reads contents that batches of these threads brought: a name alone gives nobody the bytes of another thread (JOURNAL-25). */
function contentReader(journal: Journal, threads: ReadonlySet<string>): ReadContent {
  let names: Promise<ReadonlySet<string>> | undefined
  const has = async (hash: string): Promise<boolean> => {
    names ??= Promise.all([...threads].map((thread) => journal.blobNames(thread))).then((lists) => new Set(lists.flat()))
    return (await names).has(hash)
  }
  return Object.assign(async (hash: string) => ((await has(hash)) ? journal.blob(hash) : undefined), { has })
}

async function chooseFiles(
  all: readonly Wanted[],
  workspace: Workspace,
  read: ReadContent,
): Promise<Pick<RestorePlan, 'files' | 'conflicts' | 'contents' | 'shared'>> {
  const files: FileChange[] = []
  const shared: string[] = []
  const conflicts: FileConflict[] = []
  const contents = new Map<string, Uint8Array>()
  let bytes = 0
  for (const one of all) {
    const chosen = chooseFile(one, await workspace.look(one.path), workspace.name)
    if (chosen === undefined) continue
    if ('reason' in chosen) {
      conflicts.push(chosen)
      continue
    }
    const { before, after } = chosen
    if (one.isSeen && before !== null && !isModeOnly(chosen) && !(await read.has(before))) {
      conflicts.push(notKept(chosen))
      continue
    }
    const isNeeded = after !== null && !contents.has(after) && !isModeOnly(chosen)
    const content = isNeeded ? await read(after) : undefined
    bytes += content?.length ?? 0
    if (isNeeded && !content) conflicts.push(notKept(chosen))
    else if (bytes > mostBytes) conflicts.push({ path: one.path, reason: 'refused', detail: `one rewind puts back at most ${mostBytes} bytes` })
    else {
      if (after !== null && content) contents.set(after, content)
      files.push(chosen)
      if (one.isSeen) shared.push(one.path)
    }
  }
  return { files, conflicts, contents, shared }
}

/** What is done about one file: nothing where it is as wanted, or why it stays as it is. */
function chooseFile({ path, wanted, expected, isMixed }: Wanted, found: FoundFile, workspace: string): FileChange | FileConflict | undefined {
  const known = { path, wanted: wanted.hash, expected: expected[0]?.hash ?? null }
  if ('refused' in found) return has(expected, wanted) ? undefined : { ...known, reason: 'refused', detail: found.refused }
  const mode = modeFor(wanted, expected, found)
  if (found.hash === wanted.hash && (mode === undefined || mode === found.mode)) return undefined
  if (!has(expected, found)) return { ...known, reason: 'edited', found: found.hash }
  if (isMixed) return { ...known, reason: 'mixed', found: found.hash }
  return {
    path,
    before: found.hash,
    after: wanted.hash,
    ...(workspace !== 'workspace' && { workspace }),
    ...(mode !== undefined && { modes: [found.mode, mode] }),
  }
}

const has = (states: readonly FileState[], { hash, mode }: FileState): boolean =>
  states.some((state) => state.hash === hash && (state.mode === undefined || mode === undefined || (state.mode === 'link') === (mode === 'link')))

/** How the file is to be stored: as it was, unless others have changed that since; undefined for a new file where it is not known. */
function modeFor(wanted: FileState, expected: readonly FileState[], found: FileState): FileState['mode'] {
  if (wanted.hash === null) return null
  const isOurs = found.hash === null || expected.some(({ mode }) => mode === undefined || mode === found.mode)
  if (wanted.mode !== undefined && wanted.mode !== null && isOurs) return wanted.mode
  return typeof found.mode === 'number' ? found.mode : wanted.mode === null ? undefined : wanted.mode
}

/** The first facts of a fork that puts files back. */
export function restoreDraft(at: string, { from, files, conflicts, contents }: RestorePlan, workspace: string): Draft {
  const refs = [...contents].map(([hash, { length }]): BlobRef => ({ $blob: hash, bytes: length }))
  return {
    type: 'workspace.restore-started',
    data: {
      at,
      from,
      ...(workspace !== 'workspace' && { workspace }),
      ...(files.length > 0 && { files }),
      ...(refs.length > 0 && { contents: refs }),
      ...(conflicts.length > 0 && { conflicts }),
    },
    blobs: contents.size > 0 ? contents : undefined,
  }
}
