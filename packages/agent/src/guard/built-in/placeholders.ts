/** Placeholders: numbered marks, so that a program can put back what they stand for. */
import type { Detector } from './detector.ts'

/** What the placeholders of each thread stand for, in this process. */
export interface Placeholders {
  /** The placeholder for an item on a thread: the same for the same item. */
  readonly markOf: (thread: string, item: string, detector: Detector) => string
  /** A text with the items in place of their placeholders; those of which nothing is known stay. */
  readonly restore: (thread: string, text: string) => string
}

interface Known {
  readonly marks: Map<string, string>
  readonly items: Map<string, string>
}

/** Threads of which placeholders are kept, and items for each: the oldest go first. */
const most = { threads: 1_000, items: 10_000 }

/** Placeholders of which nothing is known yet. */
export function createPlaceholders(): Placeholders {
  const threads = new Map<string, Known>()
  const knownOf = (thread: string): Known => {
    const known = threads.get(thread) ?? { marks: new Map<string, string>(), items: new Map<string, string>() }
    threads.delete(thread)
    threads.set(thread, known)
    for (const oldest of threads.keys()) {
      if (threads.size <= most.threads) break
      threads.delete(oldest)
    }
    return known
  }
  return {
    markOf(thread, item, { name }) {
      const { marks, items } = knownOf(thread)
      const key = `${name} ${item}`
      const known = marks.get(key)
      if (known !== undefined) return known
      if (items.size >= most.items) return `[${name}]`
      const mark = `[${name} ${items.size + 1}]`
      marks.set(key, mark)
      items.set(mark, item)
      return mark
    },
    restore: (thread, text) => text.replace(/\[[a-z-]+ \d+\]/g, (mark) => threads.get(thread)?.items.get(mark) ?? mark),
  }
}
