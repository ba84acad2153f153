/**
 * The headers of the events of a thread, page by page: those that were looked at are kept.
 *
 * HEADERS-1. Of a thread of a hundred thousand events the pages in view are read, and no others.
 * HEADERS-2. A page that was not full when it was read is read again when the thread has grown.
 */
import type { EventHeader } from '@loom-agent/telemetry'

/** Events of a page. */
export const pageSize = 200

/** Reads a page of headers that begins with `from`. */
export type ReadPage = (from: number, limit: number) => Promise<readonly EventHeader[]>

/** The pages of one thread. */
export interface HeaderPages {
  /** The header of an event, where its page was read. */
  at(seq: number): EventHeader | undefined
  /** Reads the pages of a range of events that are not there, of a thread that ends at `last`. */
  need(from: number, to: number, last: number): void
  /** Why the last page could not be read. */
  error(): unknown
  /** Pages that could not be read are read again when they are needed. */
  retry(): void
}

/** Pages that are kept at most: the one that was read first goes first. */
const most = 60

/** Makes the pages of a thread. `changed` is called when one was read. */
export function createHeaderPages(read: ReadPage, changed: () => void): HeaderPages {
  const pages = new Map<number, readonly EventHeader[]>()
  const underWay = new Set<number>()
  const failed = new Set<number>()
  let failure: unknown

  const isWhole = (page: number, last: number): boolean => {
    const known = pages.get(page)
    return known !== undefined && known.length >= Math.min(pageSize, last - page * pageSize)
  }

  const load = async (page: number): Promise<void> => {
    underWay.add(page)
    try {
      const headers = await read(page * pageSize + 1, pageSize)
      pages.delete(page)
      pages.set(page, headers)
      for (const [oldest] of pages) {
        if (pages.size <= most) break
        pages.delete(oldest)
      }
      failure = undefined
    } catch (error) {
      failure = error
      failed.add(page)
    }
    underWay.delete(page)
    changed()
  }

  return {
    at: (seq) => pages.get(Math.floor((seq - 1) / pageSize))?.[(seq - 1) % pageSize],
    need(from, to, last) {
      for (let page = Math.floor((Math.max(1, from) - 1) / pageSize); page * pageSize < Math.min(to, last); page += 1) {
        if (!isWhole(page, last) && !underWay.has(page) && !failed.has(page)) void load(page)
      }
    },
    error: () => failure,
    retry: () => failed.clear(),
  }
}
