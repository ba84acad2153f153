/** Blobs by the thread that has them. */
import type { Journal } from '@loom-agent/kernel'

/**
 * The bytes of a blob that batches of a thread brought, or of one that it was forked from. A name alone gives nobody the bytes of another thread: an event
 * that came from outside may name any (JOURNAL-25).
 */
export async function ownBlob(journal: Journal, thread: string, name: string): Promise<Uint8Array | undefined> {
  for (let owner: string | undefined = thread; owner !== undefined; ) {
    if ((await journal.blobNames(owner)).includes(name)) return journal.blob(name)
    owner = (await journal.head(owner))?.forkOf?.thread
  }
  return undefined
}
