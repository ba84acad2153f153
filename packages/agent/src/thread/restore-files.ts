/**
 * Putting files back, as the first batch of a fork says. Loaded on use: few threads are rewound.
 *
 * RESTORE-1. One driver does it, under a lease: any other one that goes on with the thread waits until the files are back.
 * RESTORE-2. What is to become of each file is recorded before any is touched. After a crash the next driver does all of it again: a file that is back already
 *     is found so, and one that was changed since is a conflict.
 */
import {
  type EventOf,
  evolve,
  type FileChange,
  type FileConflict,
  type Journal,
  LoomError,
  nextPlace,
  place,
  readEvents,
  summarize,
} from '@loom-agent/kernel'
import { callUser } from '../platform/call-user.ts'
import { messageOf } from '../platform/normalize.ts'
import { isModeOnly, type Workspace } from '../types/workspace.ts'
import type { AgentInstance } from './agent-instance.ts'
import { acquireLease, createEntryCheck, releaseLease } from './lease.ts'
import type { Lease } from './runtime.ts'
import { type CachedThread, foldNews } from './thread-cache.ts'

/** The intent of a fork to put files back. */
export type RestoreIntent = EventOf<'workspace.restore-started'>['data']
/** What became of it. */
export type Restored = EventOf<'workspace.restored'>['data']

/** Puts the files of a fork back, unless that is done. Returns `held` where another driver has the thread. */
export async function restoreFiles(instance: AgentInstance, cached: CachedThread): Promise<'restored' | 'held'> {
  const { runtime, definition } = instance
  const { journal } = runtime
  const { intent } = await recordedRestore(journal, cached.frame.thread)
  const workspace = requireWorkspace(definition.options.workspace, intent, cached.frame.thread)
  const lease = await acquireLease(runtime, cached.frame)
  if (!lease) return 'held'
  try {
    await foldNews(journal, cached, lease.head.seq)
    if (!cached.frame.restoring) return 'restored'
    const mayEnter = createEntryCheck(journal, lease)
    const restored = await putFiles(workspace, intent, { journal, key: cached.frame.incarnation, mayEnter })
    return restored && (await recordEnd(instance, cached, { lease, restored })) ? 'restored' : 'held'
  } finally {
    const last = await releaseLease(runtime, lease, false)
    if (last) await foldNews(journal, cached, last.seq)
  }
}

/** What is recorded of the files that the fork of this name puts back. */
export async function recordedRestore(
  journal: Journal,
  thread: string,
): Promise<{ readonly intent: RestoreIntent | undefined; readonly end?: Restored }> {
  const head = await journal.head(thread)
  if (!head?.forkOf) return { intent: undefined }
  let intent: RestoreIntent | undefined
  for await (const { type, data } of readEvents(journal, thread, { from: head.forkOf.seq + 1, incarnation: head.incarnation })) {
    if (type === 'workspace.restore-started') intent = data
    if (type === 'workspace.restored') return { intent, end: data }
  }
  return { intent }
}

/** The workspace of an agent, if it is the one whose files are to be put back. */
function requireWorkspace(given: Workspace | undefined, intent: RestoreIntent | undefined, thread: string): Workspace {
  const name = intent?.workspace ?? 'workspace'
  if (given?.name === name) return given
  const has = given ? `has the workspace ${given.name}` : 'has no workspace'
  const message = `Files of the workspace ${name} are to be put back for ${thread}, and the agent ${has}. Give it the one: agent({ workspace }).`
  throw new LoomError('LOOM_WORKSPACE_MISSING', message, { context: { thread, workspace: name } })
}

/** What files are put back with. */
interface Putting {
  readonly journal: Journal
  readonly key: string
  readonly mayEnter: () => boolean
}

/** Puts each file back; undefined when the lease may have ended meanwhile. */
async function putFiles(workspace: Workspace, intent: RestoreIntent | undefined, { journal, key, mayEnter }: Putting): Promise<Restored | undefined> {
  const kept = new Set((intent?.contents ?? []).map(({ $blob }) => $blob))
  const files: FileChange[] = []
  const conflicts: FileConflict[] = [...(intent?.conflicts ?? [])]
  for (const change of intent?.files ?? []) {
    const { path, after } = change
    // A name alone gives nobody bytes that this thread does not have (JOURNAL-25).
    const content = after === null ? null : kept.has(after) ? await journal.blob(after) : undefined
    if (!mayEnter()) return undefined
    const isMissing = content === undefined && !isModeOnly(change)
    const conflict = isMissing
      ? notKept(change)
      : await putFile(workspace, change, { content: isModeOnly(change) ? undefined : content, key: `${key}/${path}` })
    if (conflict) conflicts.push(conflict)
    else files.push(change)
  }
  return { files, ...(conflicts.length > 0 && { conflicts }) }
}

/** The conflict of a file whose content is not in the journal. */
export const notKept = ({ path, before, after }: FileChange): FileConflict => ({ path, reason: 'not-kept', wanted: after, found: before })

async function putFile(
  workspace: Workspace,
  change: FileChange,
  given: { content: Uint8Array | null | undefined; key: string },
): Promise<FileConflict | undefined> {
  try {
    return await callUser(() => workspace.put({ change, ...given }))
  } catch (error) {
    return { path: change.path, reason: 'refused', detail: messageOf(error) }
  }
}

/** Records what became of the files; false when another driver has taken the thread over. */
async function recordEnd(
  { runtime }: AgentInstance,
  cached: CachedThread,
  { lease, restored }: { readonly lease: Lease; readonly restored: Restored },
): Promise<boolean> {
  const { journal, ports, worker } = runtime
  const id = ports.ids()
  for (;;) {
    const { frame } = cached
    const { epoch } = lease
    const events = [
      { type: 'driver.acquired', data: { epoch, worker } },
      { type: 'workspace.restored', data: restored },
    ] as const
    const start = nextPlace(frame, ports.clock.now())
    const next = place(start, events).reduce(evolve, frame)
    const { time, run, turn } = start
    const { thread, incarnation } = next
    const summary = summarize(next)
    const { kind } = await journal.append(thread, { id, incarnation, epoch, expected: frame.seq, time, run, turn, events, summary })
    if (kind !== 'conflict') return kind === 'appended'
    // A contributor was faster.
    await foldNews(journal, cached)
  }
}
