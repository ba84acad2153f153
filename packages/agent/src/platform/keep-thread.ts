/** Keeping a thread that is read, in a journal that drops threads. */
import type { Journal } from '@loom-agent/kernel'

/** The key of the function by which a journal keeps threads. Only the journal in memory has one: the others drop none. */
export const keeping: unique symbol = Symbol('keeping')

/** Keeps a thread, with the tree that it is of, until the returned function is called. */
export type KeepThread = (thread: string) => () => void

/** Keeps a thread where its journal could drop it. */
export function keepThread(journal: Journal & { readonly [keeping]?: KeepThread }, thread: string): () => void {
  return journal[keeping]?.(thread) ?? (() => {})
}
