/**
 * Observers: notified of the durable events of threads that this process drives, from when it has loaded them on, in order and once each. Loaded for
 * agents that have observers.
 */
import { type LoomEvent, readEvents } from '@loom-agent/kernel'
import { notify } from '../platform/call-user.ts'
import type { AgentInstance } from './agent-instance.ts'
import { isContributed } from './contributed.ts'
import type { Runtime } from './runtime.ts'
import type { CachedThread } from './thread-cache.ts'

/** Notifies observers of what contributors appended, then of every commit until the returned function is called. */
export async function startObserving({ definition, runtime }: AgentInstance, cached: CachedThread): Promise<() => void> {
  const { observers } = definition
  const { thread, incarnation, seq } = cached.frame
  const notifyAll = (events: readonly LoomEvent[]): void => {
    for (const event of events) {
      if (event.seq <= cached.observed) continue
      cached.observed = event.seq
      // Observers cannot change a run, and so cannot break it.
      for (const observer of observers) notify(() => observer(event, cached.frame), undefined)
    }
  }
  if (cached.isFoldedAnew) cached.observed = (await lastDrivenHere(runtime, cached)) ?? cached.observed
  cached.isFoldedAnew = false
  // The driver commits what is appended from here on.
  const events: LoomEvent[] = []
  if (cached.observed < seq) {
    for await (const event of readEvents(runtime.journal, thread, { from: cached.observed + 1, incarnation })) {
      if (event.seq <= seq) events.push(event)
    }
  }
  notifyAll(events)
  return runtime.bus.onCommit(incarnation, notifyAll)
}

/** The last event that a driver of this process wrote, up to which it has notified observers; undefined when it has never driven the thread. */
async function lastDrivenHere({ journal, worker }: Runtime, { frame }: CachedThread): Promise<number | undefined> {
  let last: number | undefined
  let isOurs = false
  for await (const event of readEvents(journal, frame.thread, { incarnation: frame.incarnation })) {
    // The drivers of the thread that a fork was made of are not its own.
    if (event.type === 'thread.forked') last = undefined
    if (event.type === 'thread.forked' || event.type === 'driver.acquired') isOurs = 'worker' in event.data && event.data.worker === worker
    if (isOurs && !isContributed(event)) last = event.seq
  }
  return last
}
