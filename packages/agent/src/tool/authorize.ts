/**
 * Stage 3: may it run?
 *
 * An approval is bound to a digest of the tool's definition, the canonical arguments and the deciding rules; when any of them has changed since
 * it was given, the question is asked again and shows the old answer.
 */
import { canonicalJson, type Json, type JsonObject } from '@loom-agent/kernel'
import { type Judgement, judge, strictestOf, type Verdict } from '../permission/policy.ts'
import { chain } from '../platform/chain.ts'
import { messageOf } from '../platform/normalize.ts'
import type { CallJob, CallScene, Staged } from './call-job.ts'

/** Judges a call by all policies that apply. A rule that throws has denied. */
export function authorize(job: CallJob, scene: CallScene): Staged | Promise<Staged> {
  if (job.call.start) return { kind: 'go', job }
  try {
    const judged = chain(ownVerdict(job, scene), (own) => judgeAll(job, scene, own))
    const concluded = chain(judged, (judgement) => conclude(job, scene, judgement))
    return concluded instanceof Promise ? concluded.catch((error: unknown) => denied(job, `A rule failed: ${messageOf(error)}`)) : concluded
  } catch (error) {
    return denied(job, `A rule failed: ${messageOf(error)}`)
  }
}

function ownVerdict({ tool, value }: CallJob, { thread, deps }: CallScene): Verdict | undefined | Promise<Verdict> {
  const { permission } = tool.definition
  return typeof permission === 'function' ? permission(value, { thread, deps }) : permission
}

function judgeAll(job: CallJob, scene: CallScene, own: Verdict | undefined): Judgement | Promise<Judgement> {
  const facts = { tool: job.tool.name, effect: job.tool.effect, input: job.input, thread: scene.thread, deps: scene.deps }
  const [first, ...ancestors] = scene.policies
  if (ancestors.length === 0) {
    const alone = judge(first, facts, { verdict: own })
    return alone instanceof Promise ? alone.then((judgement) => strictestOf([judgement])) : alone.shadow ? strictestOf([alone]) : alone
  }
  const judgements = [judge(first, facts, { verdict: own }), ...ancestors.map((policy) => judge(policy, facts, { verdict: undefined }))]
  const settled = judgements.filter((judgement) => !(judgement instanceof Promise))
  return settled.length === judgements.length
    ? strictestOf(settled as Judgement[])
    : Promise.all(judgements.map(async (judgement) => judgement)).then(strictestOf)
}

const denied = ({ call }: CallJob, reason: string): Staged => ({
  kind: 'done',
  drafts: [{ type: 'tool.denied', data: { call: call.id, reason, errorType: 'permission' } }],
})

function conclude(job: CallJob, scene: CallScene, judgement: Judgement): Staged {
  const { call, tool } = job
  const by = judgement.decidedBy.join(', ')
  if (judgement.verdict === 'deny') {
    return denied(job, `${tool.name} is not permitted${judgement.reason ? `: ${judgement.reason}` : ''} (${by || 'policy'}). Do without it.`)
  }
  if (judgement.verdict === 'allow') return { kind: 'go', job: by === '' || by === 'default' ? job : { ...job, allowedBy: by } }
  const rules = canonicalJson({ definition: definitionDigest(job), rules: [...judgement.decidedBy] })
  const grant = scene.ports.hash(rules)
  const digest = scene.ports.hash(`${rules}\n${canonicalJson(job.input)}`)
  if (scene.grants.includes(grant)) return { kind: 'go', job: { ...job, digest, allowedBy: 'granted for the thread' } }
  const answer = call.answer?.kind === 'approval' ? call.answer : undefined
  const approved = answer && (answer.answer.kind === 'edit' || answer.digest === digest)
  if (approved) return { kind: 'go', job: { ...job, digest, allowedBy: 'approved' } }
  if (scene.unattended) return denied(job, `${tool.name} needs an approval, and nobody is there to give it. Do without it.`)
  return ask(job, scene, { judgement, digest, grant, former: answer && (answer.answer as Json) })
}

const definitionDigest = ({ tool }: CallJob): JsonObject => ({ name: tool.name, schema: tool.spec.schema, effect: tool.effect })

interface Asking {
  readonly judgement: Judgement
  readonly digest: string
  readonly grant: string
  readonly former: Json | undefined
}

function ask({ call, tool, input }: CallJob, scene: CallScene, asking: Asking): Staged {
  const { judgement, digest, grant, former } = asking
  const { reason, approvers, expires } = judgement
  const again = former === undefined ? '' : ' What was approved before has changed since.'
  return {
    kind: 'done',
    drafts: [
      {
        type: 'question.asked',
        data: {
          id: `${call.id}#${scene.asked + 1}`,
          kind: 'approval',
          call: call.id,
          prompt: `May ${tool.name} run with these arguments?${reason ? ` (${reason})` : ''}${again}`,
          show: former === undefined ? { tool: tool.name, input } : { tool: tool.name, input, former },
          digest,
          grant,
          ...(approvers !== undefined && { approvers }),
          ...(expires !== undefined && { expires: scene.ports.clock.now() + expires }),
        },
      },
    ],
  }
}
