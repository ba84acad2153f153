/** A view of one thread: its events from a seq on, and its signals where this process drives it. A view reads and never writes. */
import type { Clock, Head, Incarnation, Journal } from '@loom-agent/kernel'
import type { Bus } from '../bus/bus.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import { threadNotFound, threadRemoved } from '../types/thread-id.ts'
import type { SharesChild } from './shared-past.ts'
import { createViewer, type Viewer } from './viewer.ts'

/** What viewing a thread needs. The runtime of an agent has all of it. */
export interface ViewSource {
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
  /** Tells a child of that thread's shared past from another's. */
  readonly shares?: SharesChild
}

/** Milliseconds after which the head is read although nothing hinted at news: hints may be missed. */
const lookAgain = 10_000

/** A view of one thread. */
export interface ThreadView {
  readonly viewer: Viewer
  /** Begins before the head is read: a child that this process begins to drive emits its first signals before. */
  begin(incarnation: Incarnation): void
  /** What is there now, or up to the given seq, is delivered; then the view is done. */
  end(lastSeq?: number): Promise<void>
}

interface OpenView {
  readonly source: ViewSource
  readonly thread: string
  readonly range: ViewRange
  readonly viewer: Viewer
  /** Which thread of this id is shown; undefined before it was found. */
  incarnation: Incarnation | undefined
  /** The highest seq that was heard of. */
  known: number
  isClosed: boolean
  stopViewing: () => void
  cancelLook: () => void
}

/** Opens a view. It is closed when its viewer is returned, has ended or has failed. */
export function viewThread(source: ViewSource, thread: string, range: ViewRange): ThreadView {
  const viewer = createViewer(source.journal, thread, () => {
    view.isClosed = true
    unwatch()
    view.stopViewing()
    view.cancelLook()
  })
  const nothing = (): void => {}
  const state = { incarnation: undefined, known: 0, isClosed: false, stopViewing: nothing, cancelLook: nothing }
  const view: OpenView = { source, thread, range, viewer, ...state }
  const unwatch = source.journal.watch(thread, (seq) => {
    // A seq that is not higher is that of another thread, which has taken the name.
    if (view.incarnation === undefined || seq <= view.known) void look(view)
    else hint(view, seq)
  })
  void look(view)
  return {
    viewer,
    begin: (incarnation) => (view.incarnation === undefined && !view.isClosed ? begin(view, incarnation) : undefined),
    end: (lastSeq) => end(view, lastSeq),
  }
}

function hint(view: OpenView, seq: number): void {
  view.known = Math.max(view.known, seq)
  view.viewer.hint(seq)
}

function begin(view: OpenView, incarnation: Incarnation): void {
  const { viewer, source, range } = view
  view.incarnation = incarnation
  viewer.start(range.from, incarnation)
  if (source.bus) view.stopViewing = source.bus.view(incarnation, viewer)
}

/** Whether a thread is a child of the past that the parent of this view shares. */
const isShared = async ({ shares }: ViewRange, { thread, summary: { parent } }: Head): Promise<boolean> =>
  shares !== undefined && parent !== undefined && shares(thread, parent)

/** Reads the head, and begins when the thread is there. Undefined when there is nothing to show: no child yet, or another's thread. */
async function readHead(view: OpenView): Promise<Head | undefined> {
  const { source, thread, range, viewer } = view
  const { incarnation } = view
  const head = await source.journal.head(thread)
  if (view.isClosed) return head
  // It began meanwhile: what was read may be from before that, when there was no such thread.
  if (view.incarnation !== incarnation) return readHead(view)
  if (!head?.seq) {
    if (incarnation === undefined && range.parent !== undefined) return undefined
    throw incarnation === undefined ? threadNotFound(thread) : threadRemoved(thread)
  }
  const isOwn = range.parent === undefined || head.summary.parent === range.parent
  if (!isOwn && !(await isShared(range, head))) {
    void viewer.return?.()
    return undefined
  }
  if (view.isClosed) return head
  if (view.incarnation === undefined) begin(view, head.incarnation)
  else if (view.incarnation !== head.incarnation) throw threadRemoved(thread)
  hint(view, head.seq)
  return head
}

async function look(view: OpenView): Promise<void> {
  const { clock } = view.source.ports
  view.cancelLook()
  await readHead(view).catch(view.viewer.fail)
  view.cancelLook()
  if (!view.isClosed) view.cancelLook = clock.at(clock.now() + lookAgain, () => void look(view))
}

async function end(view: OpenView, lastSeq: number | undefined): Promise<void> {
  const { viewer } = view
  try {
    const head = await readHead(view)
    if (head) viewer.end(lastSeq ?? head.seq)
    else await viewer.return?.()
  } catch (error) {
    viewer.fail(error)
  }
}
