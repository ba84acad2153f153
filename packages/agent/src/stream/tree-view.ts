/**
 * The views of a thread and of its children, and theirs, as one.
 *
 * LOOK-1. The events of each thread come in order. Those of a child come after the `child.started` and before the `child.finished` that name it.
 * LOOK-2. One item of each view is taken in advance, whatever the consumer does: what a view has waiting is bounded by the view. The view of a child that
 *     this process begins to drive is opened before its start is delivered, so that its signals are kept; there is a bound to how many are.
 * LOOK-6. What a stream shows follows from the journals and its cursor alone: of each thread the events from its seq on, and of the children those that
 *     are started from there on or were open there. So live, joined again and read afterwards, each thread has the same events.
 */
import { type LoomEvent, readEvents } from '@loom-agent/kernel'
import type { DrivenThread } from '../bus/bus.ts'
import { keepThread } from '../platform/keep-thread.ts'
import type { RunEvent } from '../types/run-event.ts'
import { isSignal } from '../types/signal.ts'
import { type Cursor, childSeq } from './cursor.ts'
import { type SharesChild, sharedPastOf } from './shared-past.ts'
import { type ThreadView, type ViewSource, viewThread } from './thread-view.ts'

/** Children that are viewed before their start is delivered. */
const mostEarly = 100

/** The views of a tree of threads. */
export interface TreeView {
  next(): Promise<IteratorResult<RunEvent>>
  /** What is there up to this seq, and of the children so far, is delivered; then the iteration is done. */
  end(lastSeq: number): void
  fail(error: unknown): void
  close(): void
}

/** The thread at the root of a tree, and where its view and those of its children begin. */
export interface TreeRoot {
  readonly thread: string
  readonly view: ThreadView
  /** The first seq of the root; it may not be known yet. */
  readonly from: number | Promise<number>
  /** Where the views of children begin. */
  readonly cursor: Cursor | undefined
}

/** The view of one thread of the tree, and the item that was taken in advance. */
interface Branch {
  readonly thread: string
  readonly view: ThreadView
  readonly shares: SharesChild
  /** Ends the listening for children. */
  readonly stopListening: () => void
  /** Resolves when the children that are open where the view begins are in the tree: no item is taken before. */
  readonly opened: Promise<void>
  item: IteratorResult<RunEvent> | undefined
  isAsked: boolean
  isEnding: boolean
}

interface Tree {
  readonly source: ViewSource
  readonly root: string
  readonly cursor: Cursor | undefined
  readonly branches: Map<string, Branch>
  /** The views of children whose start is not delivered yet. */
  readonly early: Map<string, Branch>
  /** Children of which everything was delivered, until their end is delivered too. */
  readonly delivered: Set<string>
  /** Everything is delivered up to where it is now: children that are found later, too. */
  isEnding: boolean
  isClosed: boolean
  /** Keeps the children that are not viewed yet, with their root; undefined before the first item is asked for. */
  release: (() => void) | undefined
  failure: { readonly error: unknown } | undefined
  wake: () => void
}

/** The view of a thread and of its children. */
export function viewTree(source: ViewSource, { thread: root, view, from, cursor }: TreeRoot): TreeView {
  const tree: Tree = {
    source,
    root,
    cursor,
    branches: new Map(),
    early: new Map(),
    delivered: new Set(),
    isEnding: false,
    isClosed: false,
    release: undefined,
    failure: undefined,
    wake: () => {},
  }
  tree.branches.set(root, openBranch(tree, { thread: root, view, from }))
  return {
    next: () => next(tree),
    end(lastSeq) {
      tree.isEnding = true
      for (const branch of [...tree.branches.values(), ...tree.early.values()]) endBranch(branch, branch.thread === root ? lastSeq : undefined)
    },
    fail: (error) => fail(tree, error),
    close: () => close(tree),
  }
}

function openBranch(tree: Tree, { thread, view, from }: Pick<TreeRoot, 'thread' | 'view' | 'from'>): Branch {
  const opened = addOpenChildren(tree, thread, from).catch((error: unknown) => fail(tree, error))
  const stopListening = tree.source.bus?.onChild(thread, (child) => viewEarly(tree, child, thread)) ?? (() => {})
  return { thread, view, shares: sharedPastOf(tree.source.journal, thread), stopListening, opened, item: undefined, isAsked: false, isEnding: false }
}

function openChild(tree: Tree, child: string, parent: string): Branch {
  const from = childSeq(tree.cursor, child) ?? 1
  const shares = tree.branches.get(parent)?.shares
  return openBranch(tree, { thread: child, view: viewThread(tree.source, child, { from, parent, ...(shares && { shares }) }), from })
}

/** This process begins to drive a child: its view begins, and is opened before its start is delivered. */
function viewEarly(tree: Tree, { thread: child, incarnation }: DrivenThread, parent: string): void {
  const isNew = !tree.branches.has(child) && !tree.early.has(child) && !tree.delivered.has(child)
  if (isNew && tree.early.size < mostEarly) tree.early.set(child, openChild(tree, child, parent))
  const branch = tree.branches.get(child) ?? tree.early.get(child)
  branch?.view.begin(incarnation)
}

/** Children that were started before the first seq of a thread and had not ended there. */
async function addOpenChildren(tree: Tree, thread: string, from: number | Promise<number>): Promise<void> {
  const first = await from
  if (first <= 1) return
  const open = new Set<string>()
  for await (const { seq, type, data } of readEvents(tree.source.journal, thread)) {
    if (seq >= first) break
    if (type === 'child.started') open.add(data.child)
    else if (type === 'child.finished') open.delete(data.child)
  }
  for (const child of open) addChild(tree, child, thread)
}

function addChild(tree: Tree, child: string, parent: string): void {
  if (tree.isClosed || tree.branches.has(child) || tree.delivered.has(child)) return
  const branch = tree.early.get(child) ?? openChild(tree, child, parent)
  tree.early.delete(child)
  tree.branches.set(child, branch)
  if (tree.isEnding) endBranch(branch)
  tree.wake()
}

function fail(tree: Tree, error: unknown): void {
  tree.failure ??= { error }
  close(tree)
}

/** Ends all views. No listener is left, also when the iteration does not go on. */
function close(tree: Tree): void {
  tree.isClosed = true
  for (const { view, stopListening } of [...tree.branches.values(), ...tree.early.values()]) {
    stopListening()
    void view.viewer.return?.()
  }
  tree.branches.clear()
  tree.early.clear()
  release(tree)
  tree.wake()
}

function release(tree: Tree): void {
  tree.release?.()
  tree.release = () => {}
}

async function next(tree: Tree): Promise<IteratorResult<RunEvent>> {
  if (!tree.isClosed) tree.release ??= keepThread(tree.source.journal, tree.root)
  for (;;) {
    if (tree.failure) throw tree.failure.error
    const branch = readyBranch(tree)
    if (branch) return { done: false, value: take(tree, branch) }
    if (tree.branches.size === 0) {
      release(tree)
      return { done: true, value: undefined }
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    tree.wake = resolve
    for (const waiting of tree.branches.values()) void ask(tree, waiting)
    await promise
  }
}

async function ask(tree: Tree, branch: Branch): Promise<void> {
  if (branch.isAsked || branch.item) return
  branch.isAsked = true
  try {
    await branch.opened
    branch.item = await branch.view.viewer.next()
    branch.isAsked = false
    tree.wake()
  } catch (error) {
    fail(tree, error)
  }
}

/** The first branch whose next item may be delivered (LOOK-1). Branches that are done are removed before: what waits for them may be delivered then. */
function readyBranch(tree: Tree): Branch | undefined {
  const { branches, delivered, root } = tree
  for (const { item, thread, stopListening } of [...branches.values()]) {
    if (!item?.done) continue
    stopListening()
    branches.delete(thread)
    if (thread !== root) delivered.add(thread)
  }
  return [...branches.values()].find(({ item }) => item !== undefined && mayDeliver(tree, item.value as RunEvent))
}

function mayDeliver(tree: Tree, event: RunEvent): boolean {
  if (isSignal(event) || event.type !== 'child.finished') return true
  const branch = tree.branches.get(event.data.child)
  if (branch) endBranch(branch)
  return branch === undefined
}

/** A child that has ended, or whose tree is at rest, has no more than what is in its journal now. */
function endBranch(branch: Branch, lastSeq?: number): void {
  if (branch.isEnding) return
  branch.isEnding = true
  branch.stopListening()
  void branch.view.end(lastSeq)
}

function take(tree: Tree, branch: Branch): RunEvent {
  const event = branch.item?.value as RunEvent
  branch.item = undefined
  void ask(tree, branch)
  if (!isSignal(event)) noteChild(tree, event)
  return event
}

function noteChild(tree: Tree, event: LoomEvent): void {
  if (event.type === 'child.started') addChild(tree, event.data.child, event.thread)
  else if (event.type === 'child.finished') tree.delivered.delete(event.data.child)
}
