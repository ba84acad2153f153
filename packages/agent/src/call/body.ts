/** Entering a tool's body: plain, durable, or after its performer was lost. */

import { inDoubt } from '@loom-agent/kernel'
import type { Checked, DurableContext, ToolContext } from '../tool/define.ts'
import { isChecked } from '../types/effect-class.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { type Entered, type Executed, type Execution, execute } from './execute.ts'
import { mayEnter } from './may-enter.ts'
import { executionOf, toolContext } from './tool-context.ts'

/** Enters the body of a call whose intent is recorded, and calls back once: at once when a plain body returns its value at once. */
export function enterBody(work: CallWork, job: CallJob, done: (entered: Entered) => void): void {
  const { tool, call } = job
  const context = toolContext(work, job)
  const isLost = isChecked(tool.effect) && call.state === 'running'
  // Only a durable body can be suspended.
  if (!tool.definition.durable && !isLost) return execute(plainExecution(work, job, context), done as (executed: Executed) => void)
  const entering = tool.definition.durable ? enterDurably(work, job, context) : enterLost(work, job, context)
  void entering.then(done, (error: unknown) => done({ kind: 'threw', error }))
}

const plainExecution = (work: CallWork, job: CallJob, context: ToolContext): Execution =>
  executionOf(work, job, () => job.tool.definition.run(job.value, context as DurableContext))

let durableBodies: typeof import('./durable-body.ts') | undefined

/** Loads durable bodies, which most tools have none of. Loaded, they are entered without a wait: a replay gives a stop the place that it had. */
export async function loadDurableBodies(): Promise<typeof import('./durable-body.ts')> {
  durableBodies ??= await import('./durable-body.ts')
  return durableBodies
}

async function enterDurably(work: CallWork, job: CallJob, context: ToolContext): Promise<Entered> {
  const { enterDurable } = durableBodies ?? (await loadDurableBodies())
  // Loading takes time, in which the lease may have ended.
  if (!mayEnter(work)) return { kind: 'facts', drafts: [] }
  return enterDurable(work, job, context)
}

/** The performer of a call was lost, and its tool can check whether it happened. */
async function enterLost(work: CallWork, job: CallJob, context: ToolContext): Promise<Entered> {
  const checked = await reconcile(job, context)
  if (checked.status === 'done') return { kind: 'returned', value: checked.result }
  if (checked.status === 'unknown') {
    const why = `The process was lost while ${job.tool.name} ran, and its check cannot tell whether it happened.`
    return { kind: 'facts', drafts: inDoubt(work.outbox.frame, job.call, { why }) }
  }
  if (!mayEnter(work)) return { kind: 'facts', drafts: [] }
  return new Promise((done) => execute(plainExecution(work, job, context), done as (executed: Executed) => void))
}

async function reconcile({ tool }: CallJob, context: ToolContext): Promise<Checked> {
  try {
    return (await tool.definition.check?.(context.key, context)) ?? { status: 'unknown' }
  } catch {
    return { status: 'unknown' }
  }
}
