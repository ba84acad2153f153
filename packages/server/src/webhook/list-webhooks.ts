/** The webhooks of a journal: what it knows of them. */
import type { DroppedDelivery, Journal } from '@loom-agent/kernel'
import { positionOf, webhookAgent, webhookThread } from './webhook-lease.ts'

/** How far a webhook is. */
export interface WebhookPosition {
  readonly name: string
  /** Its position in the feed. */
  readonly cursor: string
  /** When it moved last, in milliseconds since 1970. */
  readonly moved: number
  /** The worker that delivers. */
  readonly holder?: string | undefined
  /** What it gave up when it moved last. */
  readonly dropped: readonly DroppedDelivery[]
}

const pageSize = 100

/** All webhooks that a journal knows, by name. */
export async function listWebhooks(journal: Pick<Journal, 'threads' | 'head' | 'read'>): Promise<readonly WebhookPosition[]> {
  const found: WebhookPosition[] = []
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ agent: webhookAgent, limit: pageSize, ...(after !== undefined && { after }) })
    for (const { thread, holder } of page) {
      const name = thread.slice(webhookThread('').length)
      const moved = (await positionOf(journal, name))?.moved
      if (moved) found.push({ name, cursor: moved.data.cursor, moved: moved.time, holder, dropped: moved.data.dropped ?? [] })
    }
    after = page.at(-1)?.thread
    if (page.length < pageSize) return found
  }
}
