/** The result of a run that waited, asked for again. Loaded on use: most runs wait for nothing, or are moved on by their own handle. */
import type { Frame } from '@loom-agent/kernel'
import type { Result } from '../types/result.ts'
import { attach, driveOrFollow, fail, lookBack, notice, type RunFollower } from './run-follower.ts'

/** Looks at the thread again: others may have moved the run on. A run that still waits has the same result; one that goes on is followed to its next. */
export async function lookAgain(follower: RunFollower): Promise<Result<unknown>> {
  const { instance, request, incarnation, settlement } = follower
  const pinned = await instance.runtime.threads.pin(request.thread, incarnation)
  // Another caller of this handle may be faster.
  if (settlement.isWaiting() && settlement.reopen()) {
    attach(follower, pinned)
    void goOn(follower, pinned.cached.frame).catch((error: unknown) => fail(follower, error))
  } else pinned.unpin()
  return settlement.result()
}

async function goOn(follower: RunFollower, frame: Frame): Promise<void> {
  notice(follower, frame)
  await lookBack(follower, frame)
  if (!follower.settlement.isSettled()) await driveOrFollow(follower, {})
}
