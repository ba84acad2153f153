/** What changes in the threads of a journal, as messages: one for each commit and each removal. */
import type { FeedEntry } from '@loom-agent/kernel'
import type { Identity } from '../access/identity.ts'
import { mayUse, rootOf } from '../service/find-thread.ts'
import type { Service } from '../service/service.ts'
import type { StreamMessage } from './message.ts'

/** What is shown of the feed. */
export interface FeedView {
  readonly identity: Identity
  /** Where it begins; undefined: with the first entry. */
  readonly after: string | undefined
  readonly signal: AbortSignal
}

/** Whether an identity may see an entry. A thread that is gone cannot be judged by its root: its own name counts. */
async function maySee(service: Pick<Service, 'journal'>, identity: Identity, { thread, parent }: FeedEntry): Promise<boolean> {
  if (!identity.threads) return true
  const head = parent === undefined ? undefined : await service.journal.head(thread)
  return mayUse(identity, head ? (await rootOf(service.journal, head)).thread : thread)
}

/** The entries of the feed that an identity may see. */
export async function* feedMessages(service: Pick<Service, 'journal' | 'feed'>, view: FeedView): AsyncGenerator<StreamMessage, void> {
  const { identity, after, signal } = view
  for await (const entry of service.feed.follow(after, signal)) {
    if (!(await maySee(service, identity, entry))) continue
    const { position, ...data } = entry
    yield { event: entry.kind === 'removed' ? 'removed' : 'thread', data, cursor: position }
  }
}
