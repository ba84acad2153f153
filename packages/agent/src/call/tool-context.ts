/** What a body is given besides its input, and the time it has. */
import { signalOf } from '../platform/cancellation.ts'
import type { ToolContext } from '../tool/define.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import type { Execution } from './execute.ts'

const defaultTimeout = 120_000

/** The context of a plain body. Key and signal are made when the body asks for them: most tools never do. */
export function toolContext(work: CallWork, job: CallJob): ToolContext {
  const { thread, incarnation } = work.outbox.frame
  const { id } = job.call
  return {
    thread,
    call: id,
    get key() {
      return work.definition.ports.hash(`${incarnation}/${id}`)
    },
    get signal() {
      return signalOf(job.cancellation)
    },
    deps: work.context.deps,
    progress: (data) => progress(work, job, data),
  }
}

/** How a body is executed. */
export function executionOf(work: CallWork, job: CallJob, enter: () => unknown): Execution {
  return {
    enter,
    deadlines: work.deadlines,
    timeout: job.tool.definition.schedule?.timeout ?? defaultTimeout,
    cancellation: job.cancellation,
    progress: (data) => progress(work, job, data),
  }
}

function progress({ channel, outbox, context }: CallWork, { call, tool }: CallJob, data: unknown): void {
  if (!channel.isViewed()) return
  const turn = Number(call.id.slice(0, call.id.indexOf('.')))
  channel.signal({ type: 'tool-delta', thread: outbox.frame.thread, run: context.run, turn, call: call.id, tool: tool.name, data })
}
