/**
 * The thread table: where each thread stands, without reading its file.
 *
 * It is a cache. In memory it is made of the ends of the files, when it is first asked for. It is written when the journal is closed, and removed,
 * durably, before the first change after that: a table that is there was true of its files, and what others did to them since shows in their sizes.
 */
import { matches, type ThreadQuery } from '@loom-agent/kernel'
import type { DiskEntry } from './disk.ts'
import { readSaved, removeSaved, type Saved, writeSaved } from './saved-table.ts'
import type { Tail } from './tail.ts'
import { ending, type Folder } from './thread.ts'

/** The thread table of a folder. */
export interface Table {
  list(query: ThreadQuery): Promise<readonly Tail[]>
  /** A thread stands somewhere else, or is gone. */
  set(thread: string, tail: Tail | undefined): void
  /** Nobody knows where a thread stands, or whether it is there. */
  forget(thread: string): void
  /** Sees to it that the written table is not believed any more: something is about to change. */
  spoil(): Promise<void>
  /** Writes the table, if it is known. */
  save(): Promise<void>
}

/** Where the thread with this file stands; undefined if it is the file of no thread, which must be told. */
export type Look = (stem: string) => Promise<Tail | undefined>

/** The table of a folder. */
export function createTable(folder: Folder, look: Look): Table {
  const changes = new Map<string, Tail | undefined>()
  let saved: Saved | undefined
  let loading: Promise<Map<string, Tail>> | undefined
  let rows: Map<string, Tail> | undefined
  let order: readonly string[] | undefined
  let isSpoilt = false
  const put = (thread: string, tail: Tail | undefined): void => {
    if (rows?.has(thread) !== (tail !== undefined)) order = undefined
    if (tail) rows?.set(thread, tail)
    else rows?.delete(thread)
  }
  const load = async (): Promise<Map<string, Tail>> => {
    saved ??= await readSaved(folder)
    const read = await readRows(folder, look, saved)
    rows = read
    for (const [thread, tail] of changes) put(thread, tail)
    return read
  }
  const loaded = (): Promise<Map<string, Tail>> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    async list(query) {
      const known = await loaded()
      order ??= [...known.keys()].sort((a, b) => (a < b ? -1 : 1))
      const found: Tail[] = []
      for (const thread of order) {
        if (found.length >= (query.limit ?? Number.POSITIVE_INFINITY)) break
        const tail = known.get(thread)
        if (tail && tail.seq > 0 && matches(tail, query)) found.push(tail)
      }
      return found
    },
    set(thread, tail) {
      changes.set(thread, tail)
      put(thread, tail)
    },
    forget(thread) {
      changes.delete(thread)
      loading = undefined
      rows = undefined
      order = undefined
    },
    async spoil() {
      if (isSpoilt) return
      saved ??= await readSaved(folder)
      await removeSaved(folder)
      isSpoilt = true
    },
    async save() {
      const isKnown = loading !== undefined || (saved?.size ?? 0) > 0
      if (isKnown && (isSpoilt || !saved?.size)) await writeSaved(folder, await loaded())
    },
  }
}

/** How many files are looked at together. */
const atOnce = 16

async function readRows(folder: Folder, look: Look, saved: Saved): Promise<Map<string, Tail>> {
  const files = (await folder.disk.list(folder.path)).filter(({ name }) => name.endsWith(ending))
  const tailOf = async ({ name, size }: DiskEntry): Promise<Tail | undefined> => {
    const stem = name.slice(0, -ending.length)
    const known = saved.get(stem)
    return known?.size === size ? known.tail : look(stem)
  }
  const rows = new Map<string, Tail>()
  for (let begin = 0; begin < files.length; begin += atOnce) {
    const tails = await Promise.all(files.slice(begin, begin + atOnce).map(tailOf))
    for (const tail of tails) if (tail) rows.set(tail.thread, tail)
  }
  return rows
}
