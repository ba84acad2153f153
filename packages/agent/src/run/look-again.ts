/**
 * Looking at a thread again: where a start was recorded that is made again, and how far a run has come that waited. Loaded on use: most handles have
 * started their run, and move it on themselves.
 */
import { type Frame, type LoomEvent, readEvents } from '@loom-agent/kernel'
import type { Result } from '../types/result.ts'
import type { RunFollower } from './follower-state.ts'
import { attach, driveOrFollow, fail, lookBack, notice } from './run-follower.ts'

/** Events that a start may append before the one that names it: the thread, its adoption, and the results of calls that the run before has left. */
const openings: ReadonlySet<LoomEvent['type']> = new Set(['thread.started', 'thread.adopted', 'tool.finished', 'tool.denied'])

/** The seq of the first event that the start has appended, before a run, a place in the queue, or a message to the run that was under way. */
export async function findStart({ instance, request, incarnation }: RunFollower): Promise<number> {
  const { thread, start } = request
  let from = 1
  let opening: LoomEvent[] = []
  // A fork shares events with its parent, in which the id stands for a start of that one: the last is the thread's own.
  for await (const event of readEvents(instance.runtime.journal, thread, { incarnation })) {
    if (start && startIn(event) === start.id) from = openedBy(event, opening)
    if (openings.has(event.type)) opening.push(event)
    else if (opening.length > 0) opening = []
  }
  return from
}

/** Results that stand before a queued input, or before a message, are those of the run that was under way. */
function openedBy({ type, seq }: LoomEvent, opening: readonly LoomEvent[]): number {
  const [first] = type === 'run.started' ? opening : opening.slice(-1).filter((event) => event.type === 'thread.adopted')
  return first?.seq ?? seq
}

function startIn({ type, data }: LoomEvent): string | undefined {
  if (type === 'run.started') return 'request' in data ? data.request.start?.id : undefined
  if (type === 'run.queued') return data.request.start?.id
  return type === 'message.steered' ? data.start?.id : undefined
}

/** The newest result of a run that waited. One that still waits has the same; one that others have moved on is followed to its next. */
export async function resultAgain(follower: RunFollower): Promise<Result<unknown>> {
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
