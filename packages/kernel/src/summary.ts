/** What the thread table says of a thread: a projection of its frame, stored with every batch. */
import type { Frame } from './frame.ts'
import type { Summary } from './journal.ts'
import { nearestWake } from './wake.ts'

const statuses = { active: 'running', suspended: 'waiting', finished: 'done', failed: 'failed', stopped: 'stopped' } as const

/** The summary of a frame. A thread with queued runs counts as running: somebody must drive it. */
export function summarize(frame: Frame): Summary {
  const { run, queue, agent, labels, parent } = frame
  const status = run ? statuses[run.status] : 'idle'
  const over = status !== 'running' && status !== 'waiting'
  const wakeAt = run && status === 'waiting' ? nearestWake(frame, run)?.at : undefined
  return { status: over && queue.length > 0 ? 'running' : status, agent, parent: parent?.thread, wakeAt, labels }
}
