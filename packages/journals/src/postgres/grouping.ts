/** Many questions of one kind as one statement: what is asked in one pass, or while a statement is under way, is asked together. */

/** Asks, together with whoever else does. */
export type Ask<I, O> = (item: I) => Promise<O>

interface Asked<I, O> {
  readonly item: I
  resolve(answer: O): void
  reject(error: unknown): void
}

/** Items in one statement at most. */
const groupLimit = 512

/**
 * Groups questions about threads, in the order that all use (P1); `send` has an answer for each. Where a group fails each is asked alone, so that it
 * fails alone.
 */
export function createGrouping<I extends { readonly thread: string }, O>(send: (items: readonly I[]) => Promise<readonly O[]>): Ask<I, O> {
  const queue: Asked<I, O>[] = []
  let isUnderWay = false
  const ask = async (group: readonly Asked<I, O>[]): Promise<void> => {
    try {
      const answers = await send(group.map(({ item }) => item))
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as O)
    } catch (error) {
      if (group.length === 1) for (const { reject } of group) reject(error)
      else for (const one of group) await ask([one])
    }
  }
  const work = async (): Promise<void> => {
    while (queue.length > 0) await ask(queue.splice(0, groupLimit).sort(byThread))
    isUnderWay = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      setImmediate(() => void work())
    })
}

function byThread(a: { readonly item: { readonly thread: string } }, b: { readonly item: { readonly thread: string } }): number {
  if (a.item.thread === b.item.thread) return 0
  return a.item.thread < b.item.thread ? -1 : 1
}
