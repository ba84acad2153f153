/** The stages before execution, in order: discover, validate, authorize, check-cancel. Execute and format follow in `run-call.ts`. */
import type { Call } from '@loom-agent/kernel'
import type { Cancellation } from '../platform/cancellation.ts'
import { elapsedOn } from '../platform/system-clock.ts'
import { authorize } from './authorize.ts'
import { type CallJob, isRefusal, type Prepared, type Refusal } from './call-job.ts'
import type { PreparingWork } from './call-work.ts'
import { checkCancel } from './check-cancel.ts'
import { discover } from './discover.ts'
import { validateInput } from './validate.ts'

/** A stage fills in what it finds out about the call, or returns what ends the call. */
type Stage = (job: CallJob, work: PreparingWork) => Refusal | undefined | Promise<Refusal | undefined>

const stages: readonly (readonly [string, Stage])[] = [
  ['validate', validateInput],
  ['authorize', authorize],
  ['check-cancel', checkCancel],
]

/** Takes a call through the stages. Synchronous unless a schema or a rule is not. */
export function prepare(work: PreparingWork, call: Call, cancellation: Cancellation): Prepared | Promise<Prepared> {
  const found = discover(call, cancellation, work)
  return isRefusal(found) ? found : passStages(work, found, 0)
}

function passStages(work: PreparingWork, job: CallJob, first: number): Prepared | Promise<Prepared> {
  const { clock } = work.definition.ports
  let since = elapsedOn(clock)
  for (let index = first; index < stages.length; index += 1) {
    const [name, stage] = stages[index] as (typeof stages)[number]
    const refusal = stage(job, work)
    if (refusal instanceof Promise) return passLater(work, job, { index, since, refusal })
    const now = elapsedOn(clock)
    if (now > since) job.times = { ...job.times, [name]: now - since }
    since = now
    if (refusal) return withTimes(job, refusal)
  }
  return job
}

/** A stage that takes time. */
interface PendingStage {
  readonly index: number
  readonly since: number
  readonly refusal: Promise<Refusal | undefined>
}

async function passLater(work: PreparingWork, job: CallJob, { index, since, refusal }: PendingStage): Promise<Prepared> {
  const settled = await refusal
  const took = elapsedOn(work.definition.ports.clock) - since
  const [name] = stages[index] as (typeof stages)[number]
  if (took > 0) job.times = { ...job.times, [name]: took }
  return settled ? withTimes(job, settled) : passStages(work, job, index + 1)
}

const withTimes = ({ times }: CallJob, refusal: Refusal): Refusal =>
  times ? refusal.map((draft) => (draft.type === 'tool.finished' ? { ...draft, data: { ...draft.data, stages: times } } : draft)) : refusal
