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
  join(soFar: SoFar): void
}

/** What one thread emits, to its own subscribers and to those of its ancestors. */
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
  onCommit(thread: Incarnation, listener: CommitListener): () => void
  view(thread: Incarnation, viewing: Viewing): () => void
  /** `lineage` is the thread, then its parent, up to the root. */
  channel(lineage: readonly [Incarnation, ...Incarnation[]]): Channel
}

/** A bus without subscribers. */
export function createBus(): Bus {
  const listeners = new Map<string, Set<CommitListener>>()
  const viewings = new Map<string, Set<Viewing>>()
  const replies = new Map<string, { soFar: SoFar | undefined }>()
  return {
    onCommit: (thread, listener) => add(listeners, thread, listener),
    view(thread, viewing) {
      const reply = replies.get(thread)
      // The reply of now may be over, and another under way, when the viewer is iterated.
      if (reply?.soFar) viewing.join(() => reply.soFar?.())
      return add(viewings, thread, viewing)
    },
    channel(lineage) {
      const [thread] = lineage
      const reply: { soFar: SoFar | undefined } = { soFar: undefined }
      replies.set(thread, reply)
      const push = (item: LoomEvent | Signal): void => {
        for (let distance = 0; distance < lineage.length; distance += 1) {
          for (const viewing of viewings.get(lineage[distance] ?? thread) ?? []) if (distance === 0 || viewing.nested) viewing.push(item)
        }
      }
      return {
        isViewed() {
          if (viewings.size === 0) return false
          for (const ancestor of lineage) if (viewings.has(ancestor)) return true
          return false
        },
        signal: push,
        commit(events, frame) {
          if (viewings.size > 0) for (const event of events) push(event)
          for (const listener of listeners.get(thread) ?? []) listener(events, frame)
        },
        setReply(soFar) {
          reply.soFar = soFar
        },
        close() {
          if (replies.get(thread) === reply) replies.delete(thread)
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
