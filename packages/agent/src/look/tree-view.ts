/**
 * The views of a thread and of its children, and theirs, as one.
 *
 * LOOK-1. The events of each thread come in order. Those of a child come after the `child.started` and before the `child.finished` that name it.
 * LOOK-2. One item of each view is taken in advance, whatever the consumer does: what a view has waiting is bounded by the view.
 */
import type { LoomEvent } from '@loom-agent/kernel'
import type { RunEvent } from '../types/run-event.ts'
import { isSignal } from '../types/signal.ts'
import { type LookSource, type ThreadView, viewThread } from './thread-view.ts'

/** The views of a tree of threads. */
export interface TreeView {
  next(): Promise<IteratorResult<RunEvent>>
  /** Adds the view of a child. */
  add(child: string, parent: string): void
  /** What is there up to this seq, and of the children so far, is delivered; then the iteration is done. */
  end(lastSeq: number): void
  fail(error: unknown): void
  close(): void
}

/** The view of one thread of the tree, and the item that was taken in advance. */
interface Branch {
  readonly thread: string
  readonly view: ThreadView
  item: IteratorResult<RunEvent> | undefined
  isAsked: boolean
  isEnding: boolean
}

interface Tree {
  readonly source: LookSource
  readonly root: string
  readonly nested: boolean
  readonly branches: Map<string, Branch>
  /** Children of which everything was delivered, until their end is delivered too. */
  readonly delivered: Set<string>
  /** Everything is delivered up to where it is now: children that are found later, too. */
  isEnding: boolean
  isClosed: boolean
  failure: { readonly error: unknown } | undefined
  wake: () => void
}

/** The view of a thread from a seq on, with its children if `nested`. */
export function viewTree(source: LookSource, root: string, { from, nested }: { from: number; nested: boolean }): TreeView {
  const tree: Tree = {
    source,
    root,
    nested,
    branches: new Map(),
    delivered: new Set(),
    isEnding: false,
    isClosed: false,
    failure: undefined,
    wake: () => {},
  }
  tree.branches.set(root, branchOf(root, viewThread(source, root, { from })))
  return {
    next: () => next(tree),
    add: (child, parent) => addChild(tree, child, parent),
    end(lastSeq) {
      tree.isEnding = true
      for (const branch of tree.branches.values()) endBranch(branch, branch.thread === root ? lastSeq : undefined)
    },
    fail: (error) => fail(tree, error),
    close: () => close(tree),
  }
}

const branchOf = (thread: string, view: ThreadView): Branch => ({ thread, view, item: undefined, isAsked: false, isEnding: false })

function addChild(tree: Tree, child: string, parent: string): void {
  if (tree.isClosed || tree.branches.has(child) || tree.delivered.has(child)) return
  const branch = branchOf(child, viewThread(tree.source, child, { from: 1, parent }))
  tree.branches.set(child, branch)
  if (tree.isEnding) endBranch(branch)
  tree.wake()
}

function fail(tree: Tree, error: unknown): void {
  tree.failure = { error }
  tree.wake()
}

function close(tree: Tree): void {
  tree.isClosed = true
  for (const { view } of tree.branches.values()) void view.viewer.return?.()
  tree.branches.clear()
  tree.wake()
}

async function next(tree: Tree): Promise<IteratorResult<RunEvent>> {
  for (;;) {
    if (tree.failure) {
      close(tree)
      throw tree.failure.error
    }
    const branch = readyBranch(tree)
    if (branch) return { done: false, value: take(tree, branch) }
    if (tree.branches.size === 0) return { done: true, value: undefined }
    const { promise, resolve } = Promise.withResolvers<void>()
    tree.wake = resolve
    for (const waiting of tree.branches.values()) ask(tree, waiting)
    await promise
  }
}

function ask(tree: Tree, branch: Branch): void {
  if (branch.isAsked || branch.item) return
  branch.isAsked = true
  branch.view.viewer.next().then(
    (item) => {
      branch.isAsked = false
      branch.item = item
      tree.wake()
    },
    (error: unknown) => fail(tree, error),
  )
}

/** The first branch whose next item may be delivered (LOOK-1). Branches that are done are removed before: what waits for them may be delivered then. */
function readyBranch(tree: Tree): Branch | undefined {
  const { branches, delivered, root } = tree
  for (const { item, thread } of [...branches.values()]) {
    if (!item?.done) continue
    branches.delete(thread)
    if (thread !== root) delivered.add(thread)
  }
  return [...branches.values()].find(({ item }) => item !== undefined && mayDeliver(tree, item.value as RunEvent))
}

function mayDeliver(tree: Tree, event: RunEvent): boolean {
  if (!tree.nested || isSignal(event) || event.type !== 'child.finished') return true
  const { child } = event.data
  if (tree.delivered.has(child)) return true
  // A child that was started before the first seq is met at its end.
  addChild(tree, child, event.thread)
  const branch = tree.branches.get(child)
  if (branch) endBranch(branch)
  return false
}

/** A child that has ended, or whose tree is at rest, has no more than what is in its journal now. */
function endBranch(branch: Branch, lastSeq?: number): void {
  if (branch.isEnding) return
  branch.isEnding = true
  void branch.view.end(lastSeq)
}

function take(tree: Tree, branch: Branch): RunEvent {
  const event = branch.item?.value as RunEvent
  branch.item = undefined
  ask(tree, branch)
  if (tree.nested && !isSignal(event)) noteChild(tree, event)
  return event
}

function noteChild(tree: Tree, event: LoomEvent): void {
  if (event.type === 'child.started') addChild(tree, event.data.child, event.thread)
  else if (event.type === 'child.finished') tree.delivered.delete(event.data.child)
}
