/** The hub: where what happens on the threads of this process is passed on to those who watch. */
import type { LoomEvent } from '@loom-agent/kernel'
import type { Signal } from '../types/signal.ts'
import type { Viewer } from '../run/viewer.ts'

/** A viewer's interest in a thread, and whether it wants the thread's children too. */
interface Subscription {
  readonly viewer: Viewer
  readonly nested: boolean
}

/** Passes events and signals to viewers. */
export interface Hub {
  subscribe(thread: string, subscription: Subscription): () => void
  /** Whether anybody watches one of the threads; signals are not even made otherwise. */
  isWatched(lineage: readonly string[]): boolean
  /** `lineage` is the thread, then its parent, up to the root. */
  publish(lineage: readonly string[], items: readonly (LoomEvent | Signal)[]): void
  /** Remembers the reply under way, for who joins in the middle of it. */
  reply(thread: string, soFar: (() => Signal | undefined) | undefined): void
}

/** A hub without viewers. */
export function createHub(): Hub {
  const subscriptions = new Map<string, Set<Subscription>>()
  const replies = new Map<string, () => Signal | undefined>()
  return {
    subscribe(thread, subscription) {
      const others = subscriptions.get(thread) ?? new Set()
      subscriptions.set(thread, others.add(subscription))
      const soFar = replies.get(thread)
      if (soFar) subscription.viewer.join(soFar)
      return () => {
        if (others.delete(subscription) && others.size === 0) subscriptions.delete(thread)
      }
    },
    isWatched: (lineage) => subscriptions.size > 0 && lineage.some((thread) => subscriptions.has(thread)),
    publish(lineage, items) {
      if (subscriptions.size === 0) return
      lineage.forEach((thread, distance) => {
        for (const { viewer, nested } of subscriptions.get(thread) ?? []) {
          if (distance === 0 || nested) for (const item of items) viewer.push(item)
        }
      })
    },
    reply(thread, soFar) {
      if (soFar) replies.set(thread, soFar)
      else replies.delete(thread)
    },
  }
}
