/** Entering a tool's body: plain, durable, or after its performer was lost. */
import { inDoubt } from '@loom-agent/kernel'
import type { Checked, DurableContext, ToolContext } from '../tool/define.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { enterDurable } from './durable-body.ts'
import { type Entered, type Executed, execute } from './execute.ts'
import { executionOf, toolContext } from './tool-context.ts'

/** Enters the body of a call whose intent is recorded, and calls back once: at once when a plain body returns its value at once. */
export function enterBody(work: CallWork, job: CallJob, done: (entered: Entered) => void): void {
  const { tool, call } = job
  const context = toolContext(work, job)
  const failed = (error: unknown): void => done({ kind: 'threw', error })
  if (tool.definition.durable) void enterDurable(work, job, context).then(done, failed)
  else if (tool.effect === 'reconcilable' && call.state === 'running') void enterLost(work, job, context).then(done, failed)
  else enterPlain(work, job, { context, done })
}

function enterPlain(work: CallWork, job: CallJob, { context, done }: { context: ToolContext; done: (entered: Entered) => void }): void {
  const { tool, value } = job
  // Only a durable body can be suspended.
  execute(
    executionOf(work, job, () => tool.definition.run(value, context as DurableContext)),
    done as (executed: Executed) => void,
  )
}

/** The performer of a call was lost, and its tool can check whether it happened. */
async function enterLost(work: CallWork, job: CallJob, context: ToolContext): Promise<Entered> {
  const checked = await reconcile(job, context)
  if (checked.status === 'done') return { kind: 'returned', value: checked.result }
  if (checked.status === 'unknown') {
    const why = `The process was lost while ${job.tool.name} ran, and its check cannot tell whether it happened.`
    return { kind: 'facts', drafts: inDoubt(work.outbox.frame, job.call, { why }) }
  }
  return new Promise((done) => enterPlain(work, job, { context, done }))
}

async function reconcile({ tool }: CallJob, context: ToolContext): Promise<Checked> {
  try {
    return (await tool.definition.check?.(context.key, context)) ?? { status: 'unknown' }
  } catch {
    return { status: 'unknown' }
  }
}
