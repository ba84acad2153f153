/** The in-process bus: commits and signals of the threads that this process drives. `journal.watch` hints at those of others. */
import type { Frame, Incarnation, LoomEvent } from '@loom-agent/kernel'
import type { Signal } from '../types/signal.ts'

/** Called with what was committed and the frame after it. */
export type CommitListener = (events: readonly LoomEvent[], frame: Frame) => void

/** Follows a thread event by event and signal by signal. */
export interface Viewing {
  /** Whether it follows the thread's children too. */
  readonly nested: boolean
  push(item: LoomEvent | Signal): void
  /** A reply is being streamed: what there is of it so far, for a viewer that joins in the middle. */
  join(soFar: () => Signal | undefined): void
}

/** What one thread emits, to its own subscribers and to those of its ancestors. */
export interface Channel {
  /** Whether the thread is viewed; signals are made only then. */
  isViewed(): boolean
  signal(signal: Signal): void
  commit(events: readonly LoomEvent[], frame: Frame): void
  /** Remembers the reply that is being streamed; undefined when there is none. */
  setReply(soFar: (() => Signal | undefined) | undefined): void
}

/** Connects threads, known by their incarnations, with their subscribers. Each subscription returns the function that ends it. */
export interface Bus {
  onCommit(thread: Incarnation, listener: CommitListener): () => void
  view(thread: Incarnation, viewing: Viewing): () => void
  /** `lineage` is the thread, then its parent, up to the root. */
  channel(lineage: readonly [Incarnation, ...Incarnation[]]): Channel
}

/** A bus without subscribers. */
export function createBus(): Bus {
  const listeners = new Map<string, Set<CommitListener>>()
  const viewings = new Map<string, Set<Viewing>>()
  const replies = new Map<string, () => Signal | undefined>()
  return {
    onCommit: (thread, listener) => add(listeners, thread, listener),
    view(thread, viewing) {
      const soFar = replies.get(thread)
      if (soFar) viewing.join(soFar)
      return add(viewings, thread, viewing)
    },
    channel(lineage) {
      const [thread] = lineage
      const pushAll = (items: readonly (LoomEvent | Signal)[]): void => {
        if (viewings.size === 0) return
        lineage.forEach((ancestor, distance) => {
          for (const viewing of viewings.get(ancestor) ?? []) {
            if (distance === 0 || viewing.nested) for (const item of items) viewing.push(item)
          }
        })
      }
      return {
        isViewed: () => viewings.size > 0 && lineage.some((ancestor) => viewings.has(ancestor)),
        signal: (signal) => pushAll([signal]),
        commit(events, frame) {
          pushAll(events)
          for (const listener of listeners.get(thread) ?? []) listener(events, frame)
        },
        setReply(soFar) {
          if (soFar) replies.set(thread, soFar)
          else replies.delete(thread)
        },
      }
    },
  }
}

function add<T>(subscribers: Map<string, Set<T>>, thread: string, subscriber: T): () => void {
  const others = subscribers.get(thread) ?? new Set<T>()
  subscribers.set(thread, others.add(subscriber))
  return () => {
    if (others.delete(subscriber) && others.size === 0) subscribers.delete(thread)
  }
}
