/** Appending to a thread for the handle of a run. */
import type { Draft, Frame } from '@loom-agent/kernel'
import { requireOwn } from '../thread/adoption.ts'
import { appendInput } from '../thread/append-input.ts'
import { awaitedByDrain } from '../thread/drain.ts'
import type { CachedThread } from '../thread/thread-cache.ts'
import type { RunFollower } from './follower-state.ts'

/** Appends to the thread of the run as a contributor. */
export function contribute(follower: RunFollower, draftsFor: (frame: Frame) => readonly Draft[]): Promise<Frame> {
  return contributing(follower, (cached) => appendInput(follower.instance.runtime, cached, draftsFor))
}

/** Does work that appends to the thread, which must still belong to the agent (ADOPT-1). Draining waits for it. */
export function contributing<T>({ instance, request, incarnation }: RunFollower, work: (cached: CachedThread) => Promise<T>): Promise<T> {
  const { drain, threads } = instance.runtime
  return awaitedByDrain(drain, async () => {
    const cached = await threads.load(request.thread, incarnation)
    requireOwn(instance, cached.frame)
    return work(cached)
  })
}
