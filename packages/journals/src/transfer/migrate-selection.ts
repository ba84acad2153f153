/** Selects the threads that a migration copies. The threads that a fork was cut from come before it: no copy ever lacks its past. */
import type { Head, Journal } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'

/** The ids of all threads, or of the wanted ones with the threads that they need. */
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

/** A thread with its ancestors and children: a fork cannot be read without its ancestors, and a parent that continues needs its children. */
async function* family(journal: Journal, start: string, seen: Set<string>): AsyncGenerator<string, void> {
  const done = new Set<string>()
  for (const open = [start]; open.length > 0; ) {
    const thread = open.pop() as string
    if (done.has(thread)) continue
    done.add(thread)
    const head = await journal.head(thread)
    const copied: string[] = []
    for await (const each of head ? withPast(journal, head, seen) : [thread]) {
      copied.push(each)
      yield each
    }
    for (const each of copied) for await (const child of allHeads(journal, { parent: each })) open.push(child.thread)
  }
}

/** A thread that is not in `seen`, after those that it was cut from. */
async function* withPast(journal: Journal, head: Head, seen: Set<string>): AsyncGenerator<string, void> {
  const lineage: string[] = []
  for (let current: Head | undefined = head; current && !seen.has(current.thread); ) {
    seen.add(current.thread)
    lineage.unshift(current.thread)
    current = current.forkOf && (await journal.head(current.forkOf.thread))
  }
  yield* lineage
}
