/**
 * The end of a durable body: what it has begun and no longer waits for ends before its call does. Loaded on use, as durable bodies are.
 *
 * BODY-1. A step that may not run twice is waited for, within the time of the tool and of a stop, and its end is recorded.
 * BODY-2. A child is stopped, and its end and what it has spent are recorded; of one that has not ended by then, what it has spent so far.
 * BODY-3. What has not ended by then is in doubt, and the call says so. A failure names what went on beside it, whatever came of it.
 */
import { items, keysInDoubt, stepName, stepsNote, unknownOutcome } from '@loom-agent/kernel'
import { isAgentTool } from '../tool/agent-tool.ts'
import type { BodyEntry } from './body-entry.ts'
import { currentCall } from './current-call.ts'
import { type Ended, type Entered, execute } from './execute.ts'
import { executionOf } from './tool-context.ts'

/** The end of a call whose body has ended, once nothing of it is at work. */
export async function endCall(entry: BodyEntry, ended: Ended): Promise<Entered> {
  const left = [...entry.atWork.keys()]
  if (ended.kind !== 'aborted') await stopChildren(entry)
  if (ended.kind === 'returned' || ended.kind === 'threw') await workEnded(entry)
  // A driver that only releases the thread leaves its children to the next one.
  if (ended.kind !== 'aborted' || entry.work.outbox.frame.run?.stop) await leaveChildren(entry)
  return outcomeOf(entry, ended, left)
}

/** Asks the children that are open to stop, and waits until they have, as long as a stop of the run would. */
async function stopChildren(entry: BodyEntry): Promise<void> {
  const { work, call, job } = entry
  const { outbox, children } = work
  for (const stop of entry.onEnded.splice(0)) stop()
  // A stop of the run reaches them by itself.
  if (outbox.frame.run?.stop) return
  const reason = `${job.tool.name} has ended`
  const stops = currentCall(outbox, call).open.flatMap(({ key, child }) =>
    child === undefined ? [] : [children.stop(child, reason, entry.atWork.has(key) ? undefined : { outbox, call: call.id, key })],
  )
  await Promise.all(stops).catch((error: unknown) => outbox.fail(error))
}

/** Records what is known of the children that have not ended in time. */
async function leaveChildren({ work, call }: BodyEntry): Promise<void> {
  const { outbox, children } = work
  const open = currentCall(outbox, call).open.flatMap(({ key, child }) =>
    child === undefined ? [] : [children.leave(child, { outbox, call: call.id, key })],
  )
  await Promise.all(open).catch((error: unknown) => outbox.fail(error))
}

/** Resolves when nothing is at work that may not be done twice, or has taken as long as a body may, or the grace period of a stop is over. */
async function workEnded({ work, job, atWork }: BodyEntry): Promise<void> {
  if (atWork.size === 0) return
  await new Promise((done) =>
    execute(
      executionOf(work, job, () => Promise.all(atWork.values())),
      done,
    ),
  )
}

/** The end of a body, unless something that it has begun may have done more than it says. A body that returns by itself knows how its children ended. */
function outcomeOf(entry: BodyEntry, ended: Ended, left: readonly string[]): Entered {
  const { work, job, call } = entry
  const current = currentCall(work.outbox, call)
  const knows = ended.kind === 'returned' && !work.outbox.frame.run?.stop && !isAgentTool(job.tool.definition)
  const isUnknown = (key: string): boolean => {
    if (ended.kind === 'threw' && current.open.some((step) => step.key === key)) return true
    return left.includes(key) || (!knows && key.startsWith('run:'))
  }
  const isOver = ended.kind === 'returned' || ended.kind === 'threw'
  if (keysInDoubt(current).some(isOver ? isUnknown : (key) => key.startsWith('run:')))
    return { kind: 'in-doubt', outcome: unknownOutcome(`${job.tool.name} ended before it was done.`, stepsNote(current)) }
  const notRun = new Set([...items(current.done)].filter(({ error }) => error?.code === 'LOOM_ABORTED').map(({ key }) => key))
  const beside = left.filter((key) => !notRun.has(key))
  return ended.kind === 'threw' && beside.length > 0 ? { ...ended, advice: adviceAfter(beside.map(stepName)) } : ended
}

const adviceAfter = (beside: readonly string[]): string =>
  `It had begun and did not wait for: ${beside.join(', ')}, which ended afterwards. Verify what was done before you call this again.`
