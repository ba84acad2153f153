/** Recording what was changed after a call had its result, with the journal alone. Loaded on use. */
import { type Draft, type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { fileFacts } from '../types/changed-files.ts'
import type { ChangedFiles } from '../types/noted.ts'
import { appendRequest } from './append-request.ts'

/** What was changed, and by whom. */
export interface LateChanges {
  /** Who changed it, such as a background job: what it has changed is recorded once. */
  readonly by: string
  /** What was changed, by what the thread has recorded. */
  readonly changed: (events: readonly LoomEvent[]) => ChangedFiles | Promise<ChangedFiles>
}

/** Records what was changed on a thread, unless it is recorded. Appends nothing where nothing was. */
export async function recordChanges(journal: Journal, thread: string, { by, changed }: LateChanges): Promise<void> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  if (events.some(({ type, data }) => type === 'workspace.changed' && data.by === by)) return
  const { facts, blobs } = fileFacts(await changed(events))
  if (!facts.files && facts.unseen === undefined) return
  const draft: Draft = { type: 'workspace.changed', data: { ...facts, by }, blobs }
  await appendRequest(journal, thread, () => [draft])
}
