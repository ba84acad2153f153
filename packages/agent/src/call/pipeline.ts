/** The stages before execution, in order: discover, validate, authorize, check-cancel. Execute and format follow in the runner. */
import type { Call, JsonObject } from '@loom-agent/kernel'
import type { Cancellation } from '../platform/cancellation.ts'
import { chain } from '../platform/chain.ts'
import { authorize } from './authorize.ts'
import type { CallJob, Staged } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { checkCancel } from './check-cancel.ts'
import { discover } from './discover.ts'
import { validateInput } from './validate.ts'

type Stage = (job: CallJob, work: CallWork) => Staged | Promise<Staged>

const stages: readonly (readonly [string, Stage])[] = [
  ['validate', validateInput],
  ['authorize', authorize],
  ['check-cancel', checkCancel],
]

/** What the stages came to, and how long each took (milliseconds; those that took none are left out). */
export interface Prepared {
  readonly staged: Staged
  readonly times: JsonObject
}

/** Takes a call through the stages. Synchronous unless a schema or a rule is not. */
export function prepare(work: CallWork, call: Call, cancellation: Cancellation): Prepared | Promise<Prepared> {
  return go(discover(call, cancellation, work), work, { next: 0, times: {}, since: work.definition.ports.clock.now() })
}

/** How far a call has come. */
interface Progress {
  readonly next: number
  readonly times: { [stage: string]: number }
  readonly since: number
}

function go(staged: Staged, work: CallWork, progress: Progress): Prepared | Promise<Prepared> {
  const stage = stages[progress.next]
  if (staged.kind === 'done' || !stage) return { staged, times: progress.times }
  const [name, run] = stage
  return chain(run(staged.job, work), (result) => {
    const now = work.definition.ports.clock.now()
    if (now > progress.since) progress.times[name] = now - progress.since
    return go(result, work, { next: progress.next + 1, times: progress.times, since: now })
  })
}
