/** Showing how far a body is. */
import { ignoreWithin } from '../platform/call-user.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { isOpenCall } from './current-call.ts'

/** Shows what a body reports of its work to those who view the thread. */
export function showProgress(
  { channel, outbox, context }: Pick<CallWork, 'channel' | 'outbox' | 'context'>,
  { call, tool }: CallJob,
  data: unknown,
): void {
  ignoreWithin(data)
  // A body that is no longer waited for may go on.
  if (!channel.isViewed() || !isOpenCall(outbox, call)) return
  const turn = Number(call.id.slice(0, call.id.indexOf('.')))
  channel.signal({ type: 'tool-delta', thread: outbox.frame.thread, run: context.run, turn, call: call.id, tool: tool.name, data })
}
