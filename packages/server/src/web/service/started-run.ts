/** Waiting for a start to be durable, and finding the run that it has led to. */
import { isSignal, type RunEvent, type RunHandle } from '@loom-agent/agent'
import { LoomError, type LoomEvent } from '@loom-agent/kernel'

/** A run that has started. */
export interface StartedRun {
  readonly thread: string
  readonly run: string
  readonly seq: number
}

/** The id of the run that an event has started, queued or been added to by the start of this id. */
function runStartedBy(event: LoomEvent, id: string): string | undefined {
  if (event.type === 'message.steered') return event.data.start?.id === id ? event.run : undefined
  if (event.type !== 'run.queued' && event.type !== 'run.started') return undefined
  return 'request' in event.data && event.data.request.start?.id === id ? event.data.run : undefined
}

/** Waits until the start is durable. Throws what refused it. */
export async function startOf(handle: RunHandle<unknown>, id: string): Promise<StartedRun> {
  const events: AsyncIterableIterator<RunEvent> = handle.events()
  for await (const event of events) {
    if (isSignal(event)) continue
    const run = runStartedBy(event, id)
    if (run !== undefined) return { thread: handle.thread, run, seq: event.seq }
  }
  throw new LoomError('LOOM_RUN_FAILED', `The start ${id} of ${handle.thread} was not found in its events.`, {
    context: { thread: handle.thread, id },
  })
}
