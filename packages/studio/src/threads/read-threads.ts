/** Reading threads until enough of them fit, and never the whole journal for a short list. */
import type { Client } from '@loom-agent/server/client'
import type { ThreadFilter } from './thread-filter.ts'

type ThreadPage = Awaited<ReturnType<Client['listThreads']>>

/** A thread of the list. */
export type ThreadItem = ThreadPage['items'][number]

/** Threads that were read. */
export interface ReadThreads {
  readonly items: readonly ThreadItem[]
  /** Whether there are no more. */
  readonly isEnd: boolean
}

/** Reads threads that fit, those that changed last first. */
export async function readThreads(client: Pick<Client, 'listThreads'>, filter: ThreadFilter, wanted: number): Promise<ReadThreads> {
  const items: ThreadItem[] = []
  let after: string | undefined
  for (;;) {
    const page = await client.listThreads({ sort: 'latest', status: filter.status, agent: filter.agent, after, limit: 200 })
    items.push(...page.items.filter(({ parent }) => filter.children || parent === undefined))
    after = page.next
    if (after === undefined) return { items, isEnd: true }
    if (items.length >= wanted) return { items, isEnd: false }
  }
}
