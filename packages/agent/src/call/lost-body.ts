/**
 * Entering the body of a call whose performer was lost, where its tool can check whether it happened. Loaded on use.
 *
 * LOST-1. A check has the time of its tool and ends with its run, as the body does. A check that does not end, or fails, cannot tell.
 */
import { type Draft, inDoubt } from '@loom-agent/kernel'
import { messageOf, toSentence } from '../platform/normalize.ts'
import type { Checked, DurableContext, ToolContext } from '../tool/define.ts'
import { judge } from './authorize.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { checkCancel } from './check-cancel.ts'
import { type Ended, type Entered, type Executed, execute } from './execute.ts'
import { mayEnter } from './may-enter.ts'
import { executionOf } from './tool-context.ts'

/** Checks whether the call happened: then that is its result; it is judged and entered if it did not, and a human is asked where that is not known. */
export async function enterLost(work: CallWork, job: CallJob, context: ToolContext): Promise<Entered> {
  const { definition } = job.tool
  const ended = (enter: () => unknown): Promise<Ended> =>
    new Promise((done) => execute(executionOf(work, job, enter), done as (executed: Executed) => void))
  const check = await ended(() => definition.check?.(context.key, context))
  const checked = check.kind === 'returned' ? (check.value as Checked | undefined) : undefined
  if (checked?.status === 'done') return { kind: 'returned', value: checked.result }
  if (checked?.status === 'not-done') {
    const cancelled = checkCancel(job)
    if (cancelled) return { kind: 'facts', drafts: cancelled }
    const refusal = await judge(job, work)
    if (refusal) return { kind: 'facts', drafts: refusal }
    return mayEnter(work) ? ended(() => definition.run(job.value, context as DurableContext)) : { kind: 'facts', drafts: [] }
  }
  const { stop } = work.outbox.frame.run ?? {}
  if (stop) return { kind: 'aborted', reason: stop.reason }
  return check.kind === 'aborted' ? check : { kind: 'facts', drafts: cannotTell(work, job, check) }
}

function cannotTell({ outbox }: CallWork, { tool, call }: CallJob, check: Ended): readonly Draft[] {
  const because =
    check.kind === 'threw' ? `: ${toSentence(messageOf(check.error))}` : check.kind === 'timed-out' ? `: it did not end within ${check.ms} ms.` : '.'
  return inDoubt(outbox.frame, call, { why: `The process was lost while ${tool.name} ran, and its check cannot tell whether it happened${because}` })
}
