/** A view of one thread: its events from a seq on, and its signals where this process drives it. A view reads and never writes. */
import type { Clock, Head, Incarnation, Journal } from '@loom-agent/kernel'
import type { Bus } from '../bus/bus.ts'
import { createViewer, type Viewer } from '../run/viewer.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import { threadNotFound, threadRemoved } from '../types/thread-id.ts'

/** What looking needs. The runtime of an agent has all of it. */
export interface LookSource {
  readonly journal: Journal
  readonly ports: { readonly clock: Clock }
  readonly threads: ThreadCache
  /** The signals of this process; undefined for a caller without an agent. */
  readonly bus?: Bus | undefined
}

/** Where a view begins. */
export interface ViewRange {
  /** The first seq. */
  readonly from: number
  /** The thread that has started this one as its child: the view waits for the child, and shows nothing of a thread that is another's. */
  readonly parent?: string
}

/** Milliseconds after which the head is read although nothing hinted at news: hints may be missed. */
const lookAgain = 10_000

/** A view of one thread. */
export interface ThreadView {
  readonly viewer: Viewer
  /** What is there now, or up to the given seq, is delivered; then the view is done. */
  end(lastSeq?: number): Promise<void>
}

/** Opens a view. It is closed when its viewer is returned, has ended or has failed. */
export function viewThread({ journal, ports, bus }: LookSource, thread: string, { from, parent }: ViewRange): ThreadView {
  const { clock } = ports
  let incarnation: Incarnation | undefined
  let known = 0
  let isClosed = false
  let stopViewing = (): void => {}
  let cancel = (): void => {}
  const viewer = createViewer(journal, thread, () => {
    isClosed = true
    unwatch()
    stopViewing()
    cancel()
  })
  const unwatch = journal.watch(thread, (seq) => {
    // A seq that is not higher is that of another thread, which has taken the name.
    if (incarnation === undefined || seq <= known) void look()
    else hint(seq)
  })
  const hint = (seq: number): void => {
    known = Math.max(known, seq)
    viewer.hint(seq)
  }

  const begin = (found: Incarnation): void => {
    incarnation = found
    viewer.start(from, found)
    if (bus) stopViewing = bus.view(found, { nested: false, push: viewer.push, join: viewer.join })
  }
  const readHead = async (): Promise<Head | undefined> => {
    const head = await journal.head(thread)
    if (isClosed) return head
    const isThere = head !== undefined && head.seq > 0
    if (!isThere && incarnation === undefined && parent !== undefined) return undefined
    if (!isThere) throw incarnation === undefined ? threadNotFound(thread) : threadRemoved(thread)
    if (parent !== undefined && head.summary.parent !== parent) {
      void viewer.return?.()
      return undefined
    }
    if (incarnation === undefined) begin(head.incarnation)
    else if (incarnation !== head.incarnation) throw threadRemoved(thread)
    hint(head.seq)
    return head
  }
  const look = async (): Promise<void> => {
    cancel()
    await readHead().catch(viewer.fail)
    cancel()
    if (!isClosed) cancel = clock.at(clock.now() + lookAgain, () => void look())
  }
  void look()
  return {
    viewer,
    async end(lastSeq) {
      try {
        const head = await readHead()
        if (head) viewer.end(lastSeq ?? head.seq)
        else await viewer.return?.()
      } catch (error) {
        viewer.fail(error)
      }
    },
  }
}
