/** The watchers of threads inside this process. */
import type { Seq } from '@loom-agent/kernel'

/** The watchers of a journal. */
export interface Watchers {
  /** Adds a watcher, and returns a function that removes it. That function may be called twice. */
  add(thread: string, hint: (seq: Seq) => void): () => void
  /** Notifies the watchers of a thread, soon. */
  notify(thread: string, seq: Seq): void
  isWatched(thread: string): boolean
  /** The threads that have watchers. */
  watched(): readonly string[]
  /** Removes all watchers. */
  clear(): void
}

/** Makes a set of watchers, which has none. `changed` is called with true when there is a first one and with false when there is none left: a poll runs only in between. */
export function createWatchers(changed: (any: boolean) => void = () => {}): Watchers {
  const threads = new Map<string, Set<(seq: Seq) => void>>()
  return {
    add(thread, hint) {
      const hints = threads.get(thread) ?? new Set()
      // One function may watch a thread twice: each watch ends separately.
      const own = (seq: Seq): void => hint(seq)
      hints.add(own)
      threads.set(thread, hints)
      if (threads.size === 1 && hints.size === 1) changed(true)
      return () => {
        if (!hints.delete(own) || hints.size > 0) return
        threads.delete(thread)
        if (threads.size === 0) changed(false)
      }
    },
    notify(thread, seq) {
      const hints = threads.get(thread)
      // Each in its own microtask: the writer gets its result first, and a watcher that throws does not affect the others.
      for (const hint of hints ?? []) queueMicrotask(() => hints?.has(hint) && hint(seq))
    },
    isWatched: (thread) => threads.has(thread),
    watched: () => [...threads.keys()],
    clear() {
      if (threads.size === 0) return
      for (const hints of threads.values()) hints.clear()
      threads.clear()
      changed(false)
    },
  }
}
