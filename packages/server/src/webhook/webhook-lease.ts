/**
 * The thread of a webhook: how far it is, and which process delivers.
 *
 * WEBHOOK-1. One process delivers for a webhook at a time: it holds the lease on the webhook's thread. A process that has lost it is fenced, and what it
 *            has delivered since may be delivered again.
 */
import type { Draft, EventOf, FeedPage, Journal, LoomEvent } from '@loom-agent/kernel'
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { appendKept, beginKept, type KeptThread, readKept } from '../kept/kept-thread.ts'

/** The agent that the threads of webhooks belong to. */
export const webhookAgent = 'loom:webhooks'

/** The thread of a webhook. */
export const webhookThread = (name: string): string => `webhook:${name}`

const isMoved = (event: LoomEvent): event is EventOf<'webhook.moved'> => event.type === 'webhook.moved'

/** A webhook that this process delivers for. */
export interface WebhookLease {
  /** Where the webhook is in the feed; undefined before it was ever stored. */
  readonly cursor: string | undefined
  /** Stores how far it is. Throws when another process delivers now. */
  move(data: EventOf<'webhook.moved'>['data']): Promise<void>
  release(): Promise<void>
}

/** How far a webhook is; undefined when nothing was stored of it. */
export async function positionOf(
  journal: Pick<Journal, 'head' | 'read'>,
  name: string,
): Promise<{ readonly kept: KeptThread; readonly moved: EventOf<'webhook.moved'> | undefined } | undefined> {
  const kept = await readKept(journal, webhookThread(name), (tail) => tail.some(isMoved))
  return kept && { kept, moved: kept.tail.findLast(isMoved) }
}

const tries = 20

/** Acquires the thread of a webhook; undefined when another process has it. */
export async function acquireWebhook(journal: Journal, name: string, worker: string): Promise<WebhookLease | undefined> {
  const thread = webhookThread(name)
  const known = await positionOf(journal, name)
  if (!known) {
    if ((await journal.head(thread))?.seq) throw foreign(name, thread)
    await beginKept(journal, { thread, agent: webhookAgent })
    return acquireWebhook(journal, name, worker)
  }
  const { head } = known.kept
  if (head.summary.agent !== webhookAgent) throw foreign(name, thread)
  const claimed = await journal.acquire(thread, { worker, incarnation: head.incarnation, seen: head.epoch })
  if (claimed.kind !== 'acquired') return undefined
  const { epoch } = claimed
  const append = async (drafts: readonly Draft[]): Promise<void> => {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const now = await positionOf(journal, name)
      if (!now || (await appendKept(journal, now.kept, { drafts, epoch }))) return
    }
  }
  // It may have been moved between the look and the claim.
  const cursor = (await positionOf(journal, name))?.moved?.data.cursor
  let isFirst = true
  return {
    cursor,
    async move(data) {
      const acquired: readonly Draft[] = isFirst ? [{ type: 'driver.acquired', data: { epoch, worker } }] : []
      await append([...acquired, { type: 'webhook.moved', data }])
      isFirst = false
    },
    async release() {
      await journal.release(thread, { epoch, incarnation: head.incarnation })
    },
  }
}

function foreign(name: string, thread: string): LoomError {
  const message = `The thread ${thread} is no webhook, or was imported and not adopted. Adopt or remove it, or give the webhook another name.`
  return new LoomError('LOOM_OPTION_INVALID', message, { context: { webhook: name, thread } })
}

/** A page of the feed after a cursor; undefined where the cursor is not in this journal. */
export async function feedAfter(journal: Pick<Journal, 'feed'>, from: string, limit: number): Promise<FeedPage | undefined> {
  try {
    return await journal.feed({ from, limit })
  } catch (error) {
    if (isLoomError(error) && error.code === 'LOOM_CURSOR_STALE') return undefined
    throw error
  }
}

/** The end of the feed. */
export async function endOfFeed(journal: Pick<Journal, 'feed'>): Promise<string> {
  for (let from: string | undefined; ; ) {
    const page = await journal.feed({ ...(from !== undefined && { from }), limit: 1000 })
    if (page.isEnd) return page.cursor
    from = page.cursor
  }
}
