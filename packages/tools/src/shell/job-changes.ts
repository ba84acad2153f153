/**
 * What a background job has changed of the files of a workspace.
 *
 * JOB-4. How the files were when the job began is kept with the job, so that also another process finds what it has changed. What the thread has recorded
 *     since is not recorded again: a job and calls may change the same files.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type ChangedFiles, fileHistory, recordChanges } from '@loom-agent/agent/kit'
import type { FileChange, FileMode, Journal, LoomEvent } from '@loom-agent/kernel'
import type { Scan, SeenFile } from '../workspace/scan.ts'
import { watcherOf } from '../workspace/watcher.ts'
import type { FolderWorkspace } from '../workspace/workspace.ts'
import { type JobRecord, jobFile } from './job-files.ts'

/** Where a job is kept, and the workspace that it may change. */
export interface WatchedJobs {
  readonly folder: string
  readonly journal?: Journal | undefined
  readonly workspace?: FolderWorkspace | undefined
}

/** What is kept of the files: hashes and how they are stored. */
interface KeptFiles {
  readonly files: readonly (readonly [path: string, hash: string, mode: FileMode])[]
  readonly unseen?: string
}

/** The contents of files when jobs of this process began, by job: they are not written down. */
const inMemory = new Map<string, Scan>()
/** The most jobs whose contents are in memory. */
const mostInMemory = 16

/** Keeps how the files are when a job begins. */
export async function keepFiles({ folder, workspace }: WatchedJobs, { id }: JobRecord): Promise<void> {
  const watcher = workspace && watcherOf(workspace)
  if (!watcher || existsSync(jobFile(folder, id, 'files'))) return
  const scan = await watcher.scan()
  const files = [...scan.files].map(([path, { hash, mode }]) => [path, hash, mode] as const)
  const kept: KeptFiles = { files, ...(scan.unseen !== undefined && { unseen: scan.unseen }) }
  writeFileSync(jobFile(folder, id, 'files'), JSON.stringify(kept), { mode: 0o600 })
  inMemory.set(jobFile(folder, id, 'files'), scan)
  const [oldest] = inMemory.keys()
  if (oldest !== undefined && inMemory.size > mostInMemory) inMemory.delete(oldest)
}

/** Records what a job has changed, once. */
export async function recordJobChanges({ folder, journal, workspace }: WatchedJobs, { id, thread, call }: JobRecord): Promise<void> {
  const watcher = workspace && watcherOf(workspace)
  const place = jobFile(folder, id, 'files')
  if (!watcher || !journal || !existsSync(place)) return
  const before = inMemory.get(place) ?? readKept(place)
  await recordChanges(journal, thread, {
    by: `job:${id}`,
    async changed(events) {
      return withoutRecorded(await watcher.changesSince(before), events, call)
    },
  })
  inMemory.delete(place)
}

function readKept(place: string): Scan {
  try {
    const { files, unseen } = JSON.parse(readFileSync(place, 'utf8')) as KeptFiles
    return { files: new Map(files.map(([path, hash, mode]): [string, SeenFile] => [path, { hash, mode }])), unseen }
  } catch {
    return { files: new Map(), unseen: 'how the files were before was not kept whole' }
  }
}

/** Changes that begin where those have ended that are recorded since the call began which started the job. */
function withoutRecorded({ files, ...rest }: ChangedFiles, events: readonly LoomEvent[], call: string | undefined): ChangedFiles {
  const begun = events.findIndex(({ type, data }) => type === 'tool.started' && data.call === call)
  const since = begun === -1 ? [] : events.slice(begun)
  const recorded = new Map(fileHistory(since).changes.map(({ change }) => [change.path, change]))
  const going = ({ path, before, after, modes, ...more }: FileChange): FileChange => {
    const last = recorded.get(path)
    if (!last || !modes) return { path, before, after, ...more, ...(modes && { modes }) }
    return { path, before: last.after, after, ...more, modes: [last.after === null ? null : (last.modes?.[1] ?? modes[0] ?? modes[1]), modes[1]] }
  }
  return { ...rest, files: files.map(going) }
}
