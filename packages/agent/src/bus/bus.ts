/** The in-process bus: commits and signals of the threads that this process drives. `journal.watch` hints at those of others. */
import type { Frame, Incarnation, LoomEvent } from '@loom-agent/kernel'
import type { Signal } from '../types/signal.ts'

/** Called with what was committed and the frame after it. */
export type CommitListener = (events: readonly LoomEvent[], frame: Frame) => void

/** Follows a thread event by event and signal by signal. */
export interface Viewing {
  push(item: LoomEvent | Signal): void
  /** A reply is being streamed: what there is of it so far, for a viewer that joins in the middle. */
  join(soFar: SoFar): void
}

/** A thread that this process begins to drive. */
export interface DrivenThread {
  /** The id of the thread. */
  readonly thread: string
  readonly incarnation: Incarnation
  /** The thread that has started it as its child. */
  readonly parent: string | undefined
}

/** What one thread emits. */
export interface Channel {
  /** Whether the thread is viewed; signals are made only then. */
  isViewed(): boolean
  signal(signal: Signal): void
  commit(events: readonly LoomEvent[], frame: Frame): void
  /** Remembers the reply that is being streamed; undefined when there is none. */
  setReply(soFar: SoFar | undefined): void
  /** The thread is driven no longer. */
  close(): void
}

/** What there is so far of the reply that is being streamed. */
type SoFar = () => Signal | undefined

/** Connects threads, known by their incarnations, with their subscribers. Each subscription returns the function that ends it. */
export interface Bus {
  onCommit(incarnation: Incarnation, listener: CommitListener): () => void
  view(incarnation: Incarnation, viewing: Viewing): () => void
  /** Calls the listener each time this process begins to drive a child of the thread of this id, before anything of the child is emitted. */
  onChild(parent: string, listener: (child: DrivenThread) => void): () => void
  channel(driven: DrivenThread): Channel
}

/** A bus without subscribers. */
export function createBus(): Bus {
  const listeners = new Map<string, Set<CommitListener>>()
  const viewings = new Map<string, Set<Viewing>>()
  const parents = new Map<string, Set<(child: DrivenThread) => void>>()
  const replies = new Map<string, { soFar: SoFar | undefined }>()
  return {
    onCommit: (incarnation, listener) => add(listeners, incarnation, listener),
    view(incarnation, viewing) {
      const reply = replies.get(incarnation)
      // The reply of now may be over, and another under way, when the viewer is iterated.
      if (reply?.soFar) viewing.join(() => reply.soFar?.())
      return add(viewings, incarnation, viewing)
    },
    onChild: (parent, listener) => add(parents, parent, listener),
    channel(driven) {
      const { incarnation, parent } = driven
      if (parent !== undefined) for (const listener of parents.get(parent) ?? []) listener(driven)
      const reply: { soFar: SoFar | undefined } = { soFar: undefined }
      replies.set(incarnation, reply)
      const push = (item: LoomEvent | Signal): void => {
        for (const viewing of viewings.get(incarnation) ?? []) viewing.push(item)
      }
      return {
        isViewed: () => viewings.size > 0 && viewings.has(incarnation),
        signal: push,
        commit(events, frame) {
          if (viewings.size > 0) for (const event of events) push(event)
          for (const listener of listeners.get(incarnation) ?? []) listener(events, frame)
        },
        setReply(soFar) {
          reply.soFar = soFar
        },
        close() {
          if (replies.get(incarnation) === reply) replies.delete(incarnation)
        },
      }
    },
  }
}

function add<T>(subscribers: Map<string, Set<T>>, key: string, subscriber: T): () => void {
  const others = subscribers.get(key) ?? new Set<T>()
  subscribers.set(key, others.add(subscriber))
  return () => {
    if (others.delete(subscriber) && others.size === 0) subscribers.delete(key)
  }
}
