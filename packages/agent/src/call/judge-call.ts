/**
 * Judging a call by the tool's own verdict and by all policies that apply. Loaded on use: most tools have no verdict, and most agents no policy.
 *
 * PERM-8. What is judged, shown and approved is what would run: the arguments as the schema made them.
 * PERM-9. An approval is bound to a digest of the tool's definition, the canonical arguments and the whole text of the deciding rules; when any of
 *     them has changed since it was given, the question is asked again and shows the old answer.
 * PERM-10. An edit of the arguments is no approval by others: where several people must approve, all of them are asked about the new arguments.
 */
import { type Answer, type Call, canonicalJson, type Json, type JsonObject } from '@loom-agent/kernel'
import { type JudgedCall, judgeAll, type OwnVerdict } from '../permission/judge.ts'
import { isVerdict, type Judgement, type Ruling, type Verdict } from '../permission/policy.ts'
import { isThenable } from '../platform/chain.ts'
import { jsonText, messageOf, toJson } from '../platform/normalize.ts'
import { type CallJob, isUnattended, type Refusal } from './call-job.ts'
import type { PreparingWork } from './call-work.ts'

/** Judges a call: what refuses it, or a question; undefined when it may run. */
export function judgeCall(job: CallJob, work: PreparingWork): Refusal | undefined | Promise<Refusal | undefined> {
  const own = ownVerdict(job, work)
  if (own instanceof Promise) return own.then((settled) => ruled(job, work, settled))
  return ruled(job, work, own)
}

function ruled(job: CallJob, work: PreparingWork, own: OwnVerdict | undefined): Refusal | undefined | Promise<Refusal | undefined> {
  const ruling = judgeAll(work.policies, judgedCall(job, work), own)
  return ruling instanceof Promise ? ruling.then((settled) => conclude(job, work, settled)) : conclude(job, work, ruling)
}

function judgedCall({ tool: { name, effect, spec }, value }: CallJob, { outbox, context: { deps } }: PreparingWork): JudgedCall {
  return { tool: name, effect, schema: spec.schema, facts: () => ({ tool: name, effect, input: toJson(value), thread: outbox.frame.thread, deps }) }
}

const ownVerdicts: Readonly<Record<Verdict, OwnVerdict>> = { allow: { verdict: 'allow' }, ask: { verdict: 'ask' }, deny: { verdict: 'deny' } }

/** The tool's own verdict. A function that throws, or returns what is no verdict, has denied. */
function ownVerdict({ tool, value }: CallJob, { outbox, context }: PreparingWork): OwnVerdict | undefined | Promise<OwnVerdict> {
  const { permission } = tool.definition
  if (permission === undefined) return undefined
  if (typeof permission !== 'function') return ownVerdicts[permission]
  try {
    const returned = permission(value, { thread: outbox.frame.thread, deps: context.deps })
    return isThenable(returned) ? Promise.resolve(returned).then(toOwnVerdict, failed) : toOwnVerdict(returned)
  } catch (error) {
    return failed(error)
  }
}

const toOwnVerdict = (returned: unknown): OwnVerdict =>
  isVerdict(returned) ? ownVerdicts[returned] : { verdict: 'deny', reason: `its permission returned ${jsonText(returned)}, which is no verdict` }
const failed = (error: unknown): OwnVerdict => ({ verdict: 'deny', reason: `its permission failed: ${messageOf(error)}` })

const denied = ({ call }: CallJob, reason: string): Refusal => [{ type: 'tool.denied', data: { call: call.id, reason, errorType: 'permission' } }]

/** The call is allowed, and the job notes by what. */
function allow(job: CallJob, allowedBy: string, digest?: string): undefined {
  job.allowedBy = allowedBy
  job.digest = digest
}

function conclude(job: CallJob, work: PreparingWork, ruling: Ruling): Refusal | undefined {
  const { frame } = work.outbox
  const { judgement, allowedBy } = ruling
  const { tool } = job
  if (judgement.verdict === 'allow') return allowedBy === '' ? undefined : allow(job, allowedBy)
  if (judgement.verdict === 'deny') {
    const { reason, decidedBy } = judgement
    return denied(job, `${tool.name} is not permitted${reason ? `: ${reason}` : ''} (${decidedBy.join(', ')}). Do without it.`)
  }
  // What is left out needs no approval.
  if (work.standIns?.stubs(tool.effect)) return undefined
  const asking = askingFor(job, work, ruling)
  const { digest, grant, former } = asking
  if (frame.grants.includes(grant)) return allow(job, 'granted for the thread', digest)
  if (former && isGiven(former, asking)) return allow(job, 'approved', digest)
  if (isUnattended(frame)) return denied(job, `${tool.name} needs an approval, and nobody is there to give it. Do without it.`)
  return ask(job, work, asking)
}

interface Asking {
  readonly judgement: Judgement
  /** The arguments as the tool would get them. */
  readonly input: Json
  /** Tool and rules, then the arguments: the first half alone is what an approval for the whole thread covers. */
  readonly digest: string
  readonly grant: string
  readonly former: Call['answer']
}

function askingFor({ call, tool, input: proposed, value }: CallJob, { definition: { ports } }: PreparingWork, { judgement, basis }: Ruling): Asking {
  const input = toJson(value)
  const definition: JsonObject = { name: tool.name, schema: tool.spec.schema, effect: tool.effect }
  const grant = ports.hash(canonicalJson({ definition, rules: [...basis].sort() }))
  const digest = `${grant}.${ports.hash(canonicalJson([proposed, input]))}`
  return { judgement, input, digest, grant, former: call.answer?.kind === 'approval' ? call.answer : undefined }
}

/** Whether an earlier answer holds for what would run now. */
function isGiven({ answer, digest }: NonNullable<Call['answer']>, asking: Asking): boolean {
  if (answer.kind !== 'edit') return digest === asking.digest
  return (asking.judgement.approvers ?? 1) === 1 && digest?.startsWith(`${asking.grant}.`) === true
}

function ask({ call, tool, input: proposed }: CallJob, { outbox, definition }: PreparingWork, asking: Asking): Refusal {
  const { judgement, input, digest, grant, former } = asking
  const { reason, approvers = 1, expires } = judgement
  const isChanged = canonicalJson(input) !== canonicalJson(proposed)
  const show = {
    tool: tool.name,
    input,
    ...(isChanged && { proposed }),
    ...(former && { former: former.answer as Json }),
  }
  return [
    {
      type: 'question.asked',
      data: {
        id: `${call.id}#${outbox.frame.asked + 1}`,
        kind: 'approval',
        call: call.id,
        prompt: `May ${tool.name} run with these arguments?${reason ? ` (${reason})` : ''}${former ? again(former.answer, approvers) : ''}`,
        show,
        digest,
        // One of several approvers cannot approve for the whole thread.
        ...(approvers === 1 ? { grant } : { approvers }),
        ...(expires !== undefined && { expires: definition.ports.clock.now() + expires }),
      },
    },
  ]
}

const again = ({ kind }: Answer, approvers: number): string =>
  kind === 'edit' && approvers > 1 ? ' They were edited: all approvers are asked again.' : ' What was approved before has changed since.'
