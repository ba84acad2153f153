/** Entering a tool's body: plain, durable, or after its performer was lost. */
import type { DurableContext, ToolContext } from '../tool/define.ts'
import { isCheckedFirst } from './authorize.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { type Entered, type Executed, execute } from './execute.ts'
import { mayEnter } from './may-enter.ts'
import { executionOf, toolContext } from './tool-context.ts'

/** Enters the body of a call whose intent is recorded, and calls back once: at once when a plain body returns its value at once. */
export function enterBody(work: CallWork, job: CallJob, done: (entered: Entered) => void): void {
  const { tool } = job
  const context = toolContext(work, job)
  const isLost = isCheckedFirst(job)
  // Only a durable body can be suspended.
  if (!tool.definition.durable && !isLost) {
    const execution = executionOf(work, job, () => tool.definition.run(job.value, context as DurableContext))
    return execute(execution, done as (executed: Executed) => void)
  }
  void enterLoaded(work, job, context).then(done, (error: unknown) => done({ kind: 'threw', error }))
}

let durableBodies: typeof import('./durable-body.ts') | undefined

/** Loads durable and lost bodies, which most calls are none of. Loaded, they are entered without a wait: a replay gives a stop the place that it had. */
export async function loadDurableBodies(): Promise<typeof import('./durable-body.ts')> {
  durableBodies ??= await import('./durable-body.ts')
  return durableBodies
}

async function enterLoaded(work: CallWork, job: CallJob, context: ToolContext): Promise<Entered> {
  const { enterDurable, enterLost } = durableBodies ?? (await loadDurableBodies())
  // Loading takes time, in which the lease may have ended.
  if (!mayEnter(work)) return { kind: 'facts', drafts: [] }
  return job.tool.definition.durable ? enterDurable(work, job, context) : enterLost(work, job, context)
}
