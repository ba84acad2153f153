/** Appending to a thread for the handle of a run. */
import type { Draft, Frame } from '@loom-agent/kernel'
import { requireOwn } from '../thread/adoption.ts'
import { appendInput } from '../thread/append-input.ts'
import { awaitedByDrain } from '../thread/drain.ts'
import type { RunFollower } from './follower-state.ts'

/** Appends to the thread of the run as a contributor. */
export function contribute(follower: RunFollower, draftsFor: (frame: Frame) => readonly Draft[]): Promise<void> {
  return contributing(follower, () => append(follower, draftsFor))
}

/** Does work that appends to the thread, which must still belong to the agent (ADOPT-1). Draining waits for it. */
export function contributing<T>({ instance, request, incarnation }: RunFollower, work: () => Promise<T>): Promise<T> {
  const { drain, threads } = instance.runtime
  return awaitedByDrain(drain, async () => {
    requireOwn(instance, (await threads.load(request.thread, incarnation)).frame)
    return work()
  })
}

export async function append({ instance, request, incarnation }: RunFollower, draftsFor: (frame: Frame) => readonly Draft[]): Promise<void> {
  const { runtime } = instance
  await appendInput(runtime, await runtime.threads.load(request.thread, incarnation), draftsFor)
}
