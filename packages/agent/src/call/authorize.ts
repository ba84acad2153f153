/** Stage 3: may it run? */
import type { CompiledPolicy } from '../permission/policy.ts'
import type { Toolbox } from '../tool/toolbox.ts'
import type { CallJob, Refusal } from './call-job.ts'
import type { PreparingWork } from './call-work.ts'

/** The agent's own policy, and those that are above it. */
type Policies = readonly (CompiledPolicy | undefined)[]

const isRuled = (policies: Policies): boolean => policies.some((policy) => policy !== undefined)

/** Judges a call, where anything has a verdict on it. A call that was started was judged before. */
export function authorize(job: CallJob, work: PreparingWork): Refusal | undefined | Promise<Refusal | undefined> {
  if (job.call.start || (job.tool.definition.permission === undefined && !isRuled(work.policies))) return undefined
  return judging ? judging.judgeCall(job, work) : loadJudgement().then(({ judgeCall }) => judgeCall(job, work))
}

let judging: typeof import('./judge-call.ts') | undefined

/** Loads how calls are judged. */
export async function loadJudgement(): Promise<typeof import('./judge-call.ts')> {
  judging ??= await import('./judge-call.ts')
  return judging
}

/** Whether calls of these tools will be judged. Tools that are not known yet may be: the first call waits for the code then. */
export function needsJudgement(policies: Policies, toolbox: Toolbox | undefined): boolean {
  return isRuled(policies) || (toolbox !== undefined && [...toolbox.tools.values()].some(({ definition }) => definition.permission !== undefined))
}
