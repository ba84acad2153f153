/** Who watches which thread. */
import type { Seq } from '@loom-agent/kernel'

/** The watchers of a journal. */
export interface Watchers {
  /** Adds a watcher; the answer takes it away again, also when called twice. */
  add(thread: string, hint: (seq: Seq) => void): () => void
  /** Tells those who watch a thread, soon. */
  tell(thread: string, seq: Seq): void
  isWatched(thread: string): boolean
  /** The threads that somebody watches. */
  watched(): readonly string[]
  /** Nobody is told anything any more. */
  clear(): void
}

/** Watchers; `changed` is told when the first one comes (true) and when the last one has gone (false), for polls that run only meanwhile. */
export function createWatchers(changed: (any: boolean) => void = () => {}): Watchers {
  const threads = new Map<string, Set<(seq: Seq) => void>>()
  return {
    add(thread, hint) {
      const hints = threads.get(thread) ?? new Set()
      // One function may watch twice: each watching ends by itself.
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
    tell(thread, seq) {
      const hints = threads.get(thread)
      // Each in a task of its own: after whoever appended has its answer, and without one that throws being anybody else's problem.
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
