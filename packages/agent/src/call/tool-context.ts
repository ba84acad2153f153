/** What a body is given besides its input, and the time it has. */
import { signalOf } from '../platform/cancellation.ts'
import type { ToolContext } from '../tool/define.ts'
import { made } from '../tool/thread-record.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import type { Execution } from './execute.ts'
import { showProgress } from './progress.ts'

const defaultTimeout = 120_000

interface Made {
  readonly [made]: { readonly work: CallWork; readonly job: CallJob; readonly incarnation: string }
}

/** These are made when the body asks for them: most tools never do. Shared by all contexts, so that a context costs four fields. */
const onDemand: Pick<ToolContext, 'key' | 'signal' | 'progress'> & ThisType<Made> = {
  get key() {
    const { work, job, incarnation } = this[made]
    return work.definition.ports.hash(`${incarnation}/${job.call.id}`)
  },
  get signal() {
    return signalOf(this[made].job.cancellation)
  },
  get progress() {
    const { work, job } = this[made]
    return (data: unknown): void => showProgress(work, job, data)
  },
}

/** The context of a plain body. */
export function toolContext(work: CallWork, job: CallJob): ToolContext {
  const { thread, incarnation } = work.outbox.frame
  const own = {
    thread,
    call: job.call.id,
    deps: work.context.deps,
    [made]: { work, job, incarnation },
  }
  return Object.assign(Object.create(onDemand) as typeof onDemand, own)
}

/** How a body is executed. */
export function executionOf(work: CallWork, job: CallJob, enter: () => unknown): Execution {
  return {
    enter,
    work,
    job,
    timeout: job.tool.definition.schedule?.timeout ?? defaultTimeout,
    cancellation: job.cancellation,
  }
}
