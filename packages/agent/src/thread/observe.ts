/** Observers: notified of the durable events of threads that this process drives, from when it has loaded them on, in order and once each. */
import { type LoomEvent, readEvents } from '@loom-agent/kernel'
import type { AgentInstance } from './agent-instance.ts'
import type { CachedThread } from './thread-cache.ts'

/** Notifies observers of what contributors appended, then of every commit until the returned function is called. */
export async function startObserving({ definition, runtime }: AgentInstance, cached: CachedThread): Promise<() => void> {
  const { observers } = definition
  if (observers.length === 0) return () => {}
  const { thread, incarnation, seq } = cached.frame
  const notify = (events: readonly LoomEvent[]): void => {
    for (const event of events) {
      if (event.seq <= cached.observed) continue
      cached.observed = event.seq
      for (const observer of observers) {
        try {
          observer(event, cached.frame)
        } catch {
          // Observers cannot change a run, and so cannot break it.
        }
      }
    }
  }
  // The driver commits what is appended from here on.
  const events: LoomEvent[] = []
  if (cached.observed < seq) {
    for await (const event of readEvents(runtime.journal, thread, { from: cached.observed + 1, incarnation })) {
      if (event.seq <= seq) events.push(event)
    }
  }
  notify(events)
  return runtime.bus.onCommit(incarnation, notify)
}
