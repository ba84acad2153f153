/**
 * Judging a call by the tool's own verdict and by all policies that apply. Loaded on use: most tools have no verdict, and most agents no policy.
 *
 * PERM-8. What is judged, shown and approved is what would run: the arguments as the schema made them.
 * PERM-9. An approval is bound to a digest of the tool's definition, the canonical arguments and the whole text of the deciding rules; when any of
 *     them has changed since it was given, the question is asked again and shows the old answer.
 * PERM-10. An edit of the arguments is no approval by others: where several people must approve, all of them are asked about the new arguments. It
 *     approves the arguments that it names: the hooks before the call see them, and what they make of them is asked about.
 */
import { type Answer, type Call, canonicalJson, type Json, stepsNote, unknownOutcome } from '@loom-agent/kernel'
import { type JudgedCall, judgeAll, knownRuling, type OwnVerdict } from '../permission/judge.ts'
import { kindsIn } from '../permission/matcher.ts'
import type { AdmittedCall, Judgement, Ruling } from '../permission/policy.ts'
import { withRunLayer } from '../permission/run-layer.ts'
import { callUser } from '../platform/call-user.ts'
import { messageOf, toJson } from '../platform/normalize.ts'
import { type Caution, cautionOf } from '../tool/caution.ts'
import { type CallJob, isUnattended, type Refusal } from './call-job.ts'
import type { Admission, CallWork, PreparingWork } from './call-work.ts'
import { ownVerdictOf } from './own-verdict.ts'
import type { RunCalls } from './run-calls.ts'
import { isSent, leastFor, taintOf } from './taint.ts'
import { toolIdentity } from './tool-identity.ts'

// What imagined calls need is loaded together with this.
export { imagine } from './imagined-call.ts'

// What rules see of a run is loaded with how they judge.
export { runCallsOf } from './run-calls.ts'

/** Judges a call: what refuses it, or a question; undefined when it may run. */
export function judgeCall(job: CallJob, work: PreparingWork): Refusal | undefined | Promise<Refusal | undefined> {
  const loading = mayLook(job, work) ? readyUpTo(work.runCalls) : undefined
  return loading ? loading.then(() => judge(job, work)) : judge(job, work)
}

/** Judges a call again when all before it in the tree are started or refused, and then starts or refuses it (ADMIT-2). */
export function admit(work: CallWork, job: CallJob, { inFlight, run, leave, refuse }: Admission): void {
  const admissions = work.runCalls?.admissions ?? { last: undefined }
  let isLeft = false
  // Its place here is given up like one in the queue of the scheduler.
  const gone = new Promise<void>((resolve) => {
    inFlight.leaveQueue = () => {
      isLeft = true
      resolve()
      leave()
    }
  })
  const judged = async (): Promise<void> => {
    const refusal = isLeft || job.cancellation.isAborted ? undefined : await judgeCall(job, work)
    if (isLeft) return
    if (job.cancellation.isAborted) return leave()
    if (!refusal) return run()
    leave()
    refuse(refusal)
  }
  // A call that leaves while it waits does not change the order of the others; one that leaves while it is judged lets the next one go on.
  admissions.last = (admissions.last ?? Promise.resolve())
    .then(() => Promise.race([judged(), gone]))
    .catch((error: unknown) => work.outbox.fail(error))
}

/** Whether a function that judges the call may look at the calls of the run. */
function mayLook({ tool }: CallJob, { policies }: PreparingWork): boolean {
  return typeof tool.definition.permission === 'function' || policies.some((policy) => policy?.isConditional)
}

/** Resolves when the calls of the run and of those above it are known; undefined when they are. */
function readyUpTo(runCalls: RunCalls | undefined): Promise<unknown> | undefined {
  const waits: Promise<unknown>[] = []
  for (let calls = runCalls; calls; calls = calls.parent) {
    const wait = calls.ready()
    if (wait) waits.push(wait)
  }
  return waits.length > 0 ? Promise.all(waits) : undefined
}

function judge(job: CallJob, work: PreparingWork): Refusal | undefined | Promise<Refusal | undefined> {
  const { permission, taint } = job.tool.definition
  const sends = Boolean(taint?.sends) && isSent(job)
  if (sends) job.taint = taintOf(job, work.outbox.frame)
  // What is read meanwhile may taint it.
  if (sends || typeof permission === 'function') job.isConditional = true
  const own = ownVerdictOf(job.tool.definition, job.value, () => {
    return { thread: work.outbox.frame.thread, deps: work.context.deps, calls: callsBefore(job, work, 0) }
  })
  if (own instanceof Promise) return own.then((settled) => ruled(job, work, settled))
  return ruled(job, work, own)
}

function ruled(job: CallJob, work: PreparingWork, own: OwnVerdict | undefined): Refusal | undefined | Promise<Refusal | undefined> {
  const policies = withRunLayer(work.policies, work.outbox.frame.run?.request.permissions)
  const least = leastFor(job.taint)
  const known = least ? undefined : knownRuling(policies, job.tool, own)
  const ruling = known ?? judgeAll(policies, judgedCall(job, work, least), own)
  if (!(ruling instanceof Promise)) return conclude(job, work, ruling)
  job.isConditional = true
  return ruling.then((settled) => conclude(job, work, settled))
}

function judgedCall(job: CallJob, work: PreparingWork, least: OwnVerdict | undefined): JudgedCall {
  const { tool, value } = job
  const { name, ruleName, effect, spec, definition } = tool
  const { matcher } = definition
  const { thread } = work.outbox.frame
  const { deps } = work.context
  const facts: JudgedCall['facts'] = (level) => ({ tool: name, effect, input: toJson(value), thread, deps, calls: callsBefore(job, work, level) })
  return { tool: name, ruleName, effect, schema: spec.schema, least, facts, ...(matcher && { matcher, parts: () => matcher.parts(value) }) }
}

/** The calls that were admitted before this one in the run of the agent, or in that of the ancestor so many above it (ADMIT-1). */
function callsBefore({ call }: CallJob, { outbox, runCalls }: PreparingWork, level: number): Iterable<AdmittedCall> {
  let calls = runCalls
  for (let above = 0; above < level; above += 1) calls = calls?.parent
  const { thread } = outbox.frame
  return {
    *[Symbol.iterator]() {
      for (const admitted of calls?.admitted() ?? []) if (admitted.id !== call.id || admitted.thread !== thread) yield admitted
    },
  }
}

/** A call that is not permitted. One that was begun may have happened, and says what of it has (PERM-13); its children are stopped first. */
function denied({ call, tool }: CallJob, work: PreparingWork, reason: string): Refusal | Promise<Refusal> {
  if (!call.start) return [{ type: 'tool.denied', data: { call: call.id, reason, errorType: 'permission' } }]
  const outcome = unknownOutcome(`${tool.name} was begun before, and may not run again: ${reason}`, stepsNote(call))
  const refusal: Refusal = [{ type: 'tool.finished', data: { call: call.id, ...outcome } }]
  const left = call.open.flatMap(({ key, child }) => (child === undefined || !isPerforming(work) ? [] : [stopChild(work, call, { key, child })]))
  return left.length > 0 ? Promise.all(left).then(() => refusal) : refusal
}

/** Whether calls are performed, and not only planned. */
const isPerforming = (work: PreparingWork): work is CallWork => 'children' in work

const stopChild = ({ children, outbox }: CallWork, { id }: Call, { key, child }: { readonly key: string; readonly child: string }): Promise<void> =>
  children.stop(child, 'its call may not go on', { outbox, call: id, key })

/** The call is allowed, and the job notes by what. */
function allow(job: CallJob, allowedBy: string, digest?: string): undefined {
  // A looser verdict at admission changes nothing.
  job.allowedBy ??= allowedBy
  job.digest ??= digest
}

function conclude(job: CallJob, work: PreparingWork, ruling: Ruling): Refusal | undefined | Promise<Refusal> {
  const { frame } = work.outbox
  const { judgement, allowedBy } = ruling
  const { tool } = job
  if (judgement.verdict === 'allow') return allowedBy === '' ? undefined : allow(job, allowedBy)
  if (judgement.verdict === 'deny') {
    const { reason, decidedBy } = judgement
    return denied(job, work, `${tool.name} is not permitted${reason ? `: ${reason}` : ''} (${decidedBy.join(', ')}). Do without it.`)
  }
  // What is left out needs no approval.
  if (work.standIns?.stubs(tool.effect)) return undefined
  const asking = askingFor(job, work, ruling)
  const { digest, grant, former } = asking
  if (frame.grants.includes(grant)) return allow(job, 'granted for the thread', digest)
  if (former && isGiven(former, asking)) return allow(job, 'approved', digest)
  if (isUnattended(frame)) return denied(job, work, `${tool.name} needs an approval, and nobody is there to give it. Do without it.`)
  const caution = cautionOf(tool.definition)
  return caution ? cautioned(caution).then((words) => ask(job, work, { ...asking, caution: words })) : ask(job, work, asking)
}

/** A caution that cannot be given is one. */
async function cautioned(caution: Caution): Promise<string | undefined> {
  try {
    return await callUser(caution)
  } catch (error) {
    return `What there is to know about it could not be found out: ${messageOf(error)}`
  }
}

interface Asking {
  /** How far above the agent of this thread the policy is that asks. */
  readonly above: number
  readonly judgement: Judgement
  /** The arguments as the model, a hook or a human has left them. */
  readonly proposed: Json
  /** The arguments as the tool would get them. */
  readonly input: Json
  /** Tool and rules, then the arguments: the first half alone is what an approval for the whole thread covers. */
  readonly digest: string
  readonly grant: string
  readonly former: Call['answer']
  /** What people should know besides. */
  readonly caution?: string | undefined
}

function askingFor({ call, tool, input: proposed, value }: CallJob, work: PreparingWork, { judgement, basis, level = 0 }: Ruling): Asking {
  const { ports } = work.definition
  const input = toJson(value)
  // A fork asks for the root of its tree.
  const above = Math.min(level, work.policies.length - (work.standIns?.policies.length ?? 0) - 1)
  const grant = ports.hash(canonicalJson({ definition: toolIdentity(tool), rules: [...basis].sort() }))
  const digest = `${grant}.${ports.hash(canonicalJson([proposed, input]))}`
  return { above, judgement, proposed, input, digest, grant, former: formerOf(call) }
}

/** The approval that a call has. Who was asked about a call that had begun, and lets it run, approves what was approved before it began. */
function formerOf({ answer, start }: Call): Call['answer'] {
  if (answer?.kind === 'approval') return answer
  const isLetRun = start?.digest !== undefined && (answer?.kind === 'in-doubt' || answer?.kind === 'incompatible') && answer.answer.kind === 'approve'
  return isLetRun ? { ...answer, digest: start.digest } : undefined
}

/** Whether an earlier answer holds for what would run now. */
function isGiven({ answer, digest }: NonNullable<Call['answer']>, asking: Asking): boolean {
  if (answer.kind !== 'edit') return digest === asking.digest
  const isAsEdited = canonicalJson(answer.input) === canonicalJson(asking.proposed)
  return isAsEdited && (asking.judgement.approvers ?? 1) === 1 && digest?.startsWith(`${asking.grant}.`) === true
}

function ask({ call, tool, input: proposed, taint }: CallJob, { outbox, definition }: PreparingWork, asking: Asking): Refusal {
  const { above, judgement, input, digest, grant, former, caution } = asking
  const { reason, approvers = 1, expires } = judgement
  const isChanged = canonicalJson(input) !== canonicalJson(proposed)
  const kinds = kindsIn(input, tool.definition.matcher)
  const show = {
    tool: tool.name,
    input,
    ...(kinds && { kinds }),
    ...(isChanged && { proposed }),
    ...(former && { former: former.answer as Json }),
    ...(taint && { taint }),
  }
  return [
    {
      type: 'question.asked',
      data: {
        id: `${call.id}#${outbox.frame.asked + 1}`,
        kind: 'approval',
        call: call.id,
        prompt: `May ${tool.name} run with these arguments?${reason ? ` (${reason})` : ''}${caution === undefined ? '' : ` ${caution}`}${former ? again(former.answer, approvers) : ''}`,
        show,
        digest,
        // One of several approvers cannot approve for the whole thread.
        ...(approvers === 1 ? { grant } : { approvers }),
        ...(above > 0 && { above }),
        ...(expires !== undefined && { expires: definition.ports.clock.now() + expires }),
      },
    },
  ]
}

const again = ({ kind }: Answer, approvers: number): string =>
  kind === 'edit' && approvers > 1 ? ' They were edited: all approvers are asked again.' : ' What was approved before has changed since.'
