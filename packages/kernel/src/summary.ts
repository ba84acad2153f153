/** The row of a thread in the thread table. */
import { isAtRest } from './decide.ts'
import type { Frame } from './frame.ts'
import type { Summary } from './journal.ts'
import { openCalls } from './open-calls.ts'
import { nearestWake } from './wake.ts'

const statuses = { active: 'running', suspended: 'waiting', finished: 'done', failed: 'failed', stopped: 'stopped' } as const

/** The summary of a frame. A thread that needs a driver counts as running: one with queued runs, an answer that has not taken effect, or files that are to be put back. */
export function summarize(frame: Frame): Summary {
  const { run, queue, agent, labels, parent } = frame
  const status = run ? statuses[run.status] : 'idle'
  const left = status === 'waiting' ? isAtRest(frame) : queue.length === 0
  const wakeAt = run && status === 'waiting' && !run.pause ? nearestWake(frame, openCalls(run))?.at : frame.wakeAt
  return { status: left && !frame.restoring ? status : 'running', agent, parent: parent?.thread, wakeAt, labels }
}
