/**
 * Stage 3: may it run?
 *
 * PERM-13. A call that was begun is judged again by every driver that would run it: a start in the journal is no permission. The verdict governs running
 *     again, and never how the call is settled: what can be checked is checked first, what is in doubt stays a question, and a call that is refused now
 *     has an unknown outcome.
 */
import type { CompiledPolicy } from '../permission/compile-policy.ts'
import type { ReadyTool, Toolbox } from '../tool/toolbox.ts'
import { isChecked } from '../types/effect-class.ts'
import type { CallJob, Refusal } from './call-job.ts'
import type { Admission, CallWork, PreparingWork } from './call-work.ts'

/** The agent's own policy, and those that are above it. */
type Policies = readonly (CompiledPolicy | undefined)[]

const isRuled = (policies: Policies): boolean => policies.some((policy) => policy !== undefined)

/** Judges a call, unless this driver has begun it, or it is checked first. */
export function authorize(job: CallJob, work: PreparingWork): Refusal | undefined | Promise<Refusal | undefined> {
  const { start, state, epoch } = job.call
  const isBegunHere = start !== undefined && epoch === work.outbox.frame.epoch && state !== 'cleared'
  return isBegunHere || isCheckedFirst(job) ? undefined : judge(job, work)
}

/** Whether the tool of a call that was lost can say whether it happened: then it may be settled without being run. */
export function isCheckedFirst({ call: { start, state, answer }, tool: { definition, effect } }: CallJob): boolean {
  if (start === undefined || !isChecked(effect) || definition.durable) return false
  // After a question about running it again it may have happened meanwhile. A human who was asked whether it happened has said so.
  return state === 'running' || (state === 'cleared' && answer?.kind === 'approval')
}

/** Judges a call, where anything has a verdict on it. */
export function judge(job: CallJob, work: PreparingWork): Refusal | undefined | Promise<Refusal | undefined> {
  const { permission, taint } = job.tool.definition
  const { run } = work.outbox.frame
  if (permission === undefined && !taint?.sends && !isRuled(work.policies) && run?.request.permissions === undefined) return undefined
  return judging ? judging.judgeCall(job, work) : loadJudgement().then(({ judgeCall }) => judgeCall(job, work))
}

/** Admits a call whose verdict may have changed since it was proposed. */
export function admit(work: CallWork, job: CallJob, admission: Admission): void {
  void loadJudgement().then((loaded) => loaded.admit(work, job, admission))
}

let judging: typeof import('./judge-call.ts') | undefined

/** Loads how calls are judged. */
export async function loadJudgement(): Promise<typeof import('./judge-call.ts')> {
  judging ??= await import('./judge-call.ts')
  return judging
}

const hasVerdict = ({ definition: { permission, taint } }: ReadyTool): boolean => permission !== undefined || Boolean(taint?.sends)

/** Whether calls of these tools will be judged. Tools that are not known yet may be. */
export function needsJudgement(policies: Policies, toolbox: Toolbox | undefined): boolean {
  return isRuled(policies) || !toolbox || [...toolbox.tools.values()].some(hasVerdict)
}
