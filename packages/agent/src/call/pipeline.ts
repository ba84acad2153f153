/** The stages before execution, in order: discover, validate, authorize, check-cancel. Execute and format follow in the runner. */
import type { Call, JsonObject } from '@loom-agent/kernel'
import { chain } from '../platform/chain.ts'
import { authorize } from './authorize.ts'
import type { CallJob, CallScene, Staged } from './call-job.ts'
import { checkCancel } from './check-cancel.ts'
import { discover } from './discover.ts'
import { validateInput } from './validate.ts'

type Stage = (job: CallJob, scene: CallScene) => Staged | Promise<Staged>

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
export function prepare(call: Call, scene: CallScene): Prepared | Promise<Prepared> {
  return go(discover(call, scene), scene, { next: 0, times: {}, since: scene.ports.clock.now() })
}

interface Way {
  readonly next: number
  readonly times: { [stage: string]: number }
  readonly since: number
}

function go(staged: Staged, scene: CallScene, way: Way): Prepared | Promise<Prepared> {
  const stage = stages[way.next]
  if (staged.kind === 'done' || !stage) return { staged, times: way.times }
  const [name, run] = stage
  return chain(run(staged.job, scene), (result) => {
    const now = scene.ports.clock.now()
    if (now > way.since) way.times[name] = now - way.since
    return go(result, scene, { next: way.next + 1, times: way.times, since: now })
  })
}
