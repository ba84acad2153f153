/** Sends many requests of one kind as one statement: those that come at the same time, or while statements are under way. */
import { isLoomError } from '@loom-agent/kernel'

/** Sends a request, together with others of its kind. */
export type Ask<I, O> = (item: I) => Promise<O>

interface Request<I, O> {
  readonly item: I
  resolve(result: O): void
  reject(error: unknown): void
}

/** How many items are in a statement, and how many statements are under way, at most. */
export type GroupLimits = Readonly<{ items: number; atOnce: number }>

/**
 * Groups requests about threads, in the order that every transaction uses (PG-1); `send` returns a result for each. When a group fails for good, each
 * request is sent alone, so that it fails alone.
 */
export function createGrouping<I extends { readonly thread: string }, O>(
  { items, atOnce }: GroupLimits,
  send: (items: readonly I[]) => Promise<readonly O[]>,
): Ask<I, O> {
  const queue: Request<I, O>[] = []
  let underWay = 0
  let scheduled = false
  const ask = async (group: readonly Request<I, O>[]): Promise<void> => {
    try {
      const results = await send(group.map(({ item }) => item))
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as O)
    } catch (error) {
      if (group.length > 1 && isLoomError(error) && !error.recoverable) for (const one of group) await ask([one])
      else for (const { reject } of group) reject(error)
    }
  }
  const work = async (): Promise<void> => {
    scheduled = false
    underWay += 1
    while (queue.length > 0) await ask(queue.splice(0, items).sort(byThread))
    underWay -= 1
  }
  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (scheduled || underWay >= atOnce) return
      scheduled = true
      queueMicrotask(() => void work())
    })
}

function byThread(a: { readonly item: { readonly thread: string } }, b: { readonly item: { readonly thread: string } }): number {
  if (a.item.thread === b.item.thread) return 0
  return a.item.thread < b.item.thread ? -1 : 1
}
