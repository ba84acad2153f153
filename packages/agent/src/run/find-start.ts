/** Finds where a run began that a start with an id attached to. Loaded on use: most handles have started their run. */
import { type LoomEvent, readEvents } from '@loom-agent/kernel'
import type { RunFollower } from './run-follower.ts'

/** The seq of the event that the start has appended: a run, a place in the queue, or a message to the run that was under way. */
export async function findStart({ instance, request, incarnation }: RunFollower): Promise<number> {
  const { thread, start } = request
  let from = 1
  // A fork shares events with its parent, in which the id stands for a start of that one: the last is the thread's own.
  for await (const event of readEvents(instance.runtime.journal, thread, { incarnation })) if (start && startIn(event) === start.id) from = event.seq
  return from
}

function startIn({ type, data }: LoomEvent): string | undefined {
  if (type === 'run.started') return 'request' in data ? data.request.start?.id : undefined
  if (type === 'run.queued') return data.request.start?.id
  return type === 'message.steered' ? data.start?.id : undefined
}
