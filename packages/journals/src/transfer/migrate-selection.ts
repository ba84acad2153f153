/** Which threads a migration copies. What a fork was cut from comes before it: a copy is never there without its past. */
import type { Head, Journal } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'

/** The ids of all threads, or of those that are asked for with everything they cannot do without. */
export async function* selected(journal: Journal, wanted: readonly string[] | ((head: Head) => boolean) | undefined): AsyncGenerator<string, void> {
  const seen = new Set<string>()
  if (wanted !== undefined && typeof wanted !== 'function') {
    for (const thread of wanted) yield* family(journal, thread, seen)
    return
  }
  for await (const head of allHeads(journal)) {
    if (!wanted) yield* withPast(journal, head, seen)
    else if (wanted(head)) yield* family(journal, head.thread, seen)
  }
}

/** A fork cannot be read without the threads it was cut from; a parent that goes on looks for its children. */
async function* family(journal: Journal, start: string, seen: Set<string>): AsyncGenerator<string, void> {
  const visited = new Set<string>()
  for (const open = [start]; open.length > 0; ) {
    const thread = open.pop() as string
    if (visited.has(thread)) continue
    visited.add(thread)
    const head = await journal.head(thread)
    const copied: string[] = []
    for await (const each of head ? withPast(journal, head, seen) : [thread]) {
      copied.push(each)
      yield each
    }
    for (const each of copied) for await (const child of allHeads(journal, { parent: each })) open.push(child.thread)
  }
}

/** A thread that was not seen yet, after those it was cut from. */
async function* withPast(journal: Journal, head: Head, seen: Set<string>): AsyncGenerator<string, void> {
  const line: string[] = []
  for (let current: Head | undefined = head; current && !seen.has(current.thread); ) {
    seen.add(current.thread)
    line.unshift(current.thread)
    current = current.forkOf && (await journal.head(current.forkOf.thread))
  }
  yield* line
}
