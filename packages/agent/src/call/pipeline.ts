/** The stages before execution, in order: discover, validate, authorize, check-cancel. Execute and format follow in the runner. */
import type { Call, JsonObject } from '@loom-agent/kernel'
import type { Cancellation } from '../platform/cancellation.ts'
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
  return passStages(work, discover(call, cancellation, work), { next: 0, times: {} })
}

/** How far a call has come, and how long its stages took. */
interface Progress {
  next: number
  readonly times: { [stage: string]: number }
}

function passStages(work: CallWork, discovered: Staged, progress: Progress): Prepared | Promise<Prepared> {
  const { clock } = work.definition.ports
  let staged = discovered
  for (let since = clock.now(); staged.kind === 'go' && progress.next < stages.length; ) {
    const [name, stage] = stages[progress.next] as (typeof stages)[number]
    progress.next += 1
    const result = stage(staged.job, work)
    if (result instanceof Promise)
      return result.then((settled) => {
        const took = clock.now() - since
        if (took > 0) progress.times[name] = took
        return passStages(work, settled, progress)
      })
    staged = result
    const now = clock.now()
    if (now > since) progress.times[name] = now - since
    since = now
  }
  return { staged, times: progress.times }
}
