/** Ending a call that waits for children. Loaded on use: few calls that were begun may not go on. */
import type { Call } from '@loom-agent/kernel'
import type { Refusal } from './call-job.ts'
import type { CallWork } from './call-work.ts'

/** What ends the call, and what records it. */
interface Ending {
  readonly refusal: Refusal
  readonly end: () => void
}

/** Stops the children of a call that ends, then ends it. A question leaves them as they are. Does not reject. */
export async function leaveChildren({ outbox, children }: CallWork, call: Call, { refusal, end }: Ending): Promise<void> {
  const open = refusal.some(({ type }) => type === 'tool.finished') ? call.open : []
  try {
    await Promise.all(open.map(async ({ key, child }) => child && children.stop(child, 'its call may not go on', { outbox, call: call.id, key })))
    end()
  } catch (error) {
    outbox.fail(error)
  }
}
