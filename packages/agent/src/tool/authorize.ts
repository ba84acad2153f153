/**
 * Stage 3: may it run?
 *
 * PERM-8. What is judged, shown and approved is what would run: the arguments as the schema made them.
 * PERM-9. An approval is bound to a digest of the tool's definition, the canonical arguments and everything the deciding rules say; when any of
 *     them has changed since it was given, the question is asked again and shows the old answer.
 * PERM-10. Who edits the arguments speaks for nobody else: where several must approve, all of them are asked about the new ones.
 */
import { type Answer, type Call, canonicalJson, type Json, type JsonObject } from '@loom-agent/kernel'
import { judgeAll, type OwnWord } from '../permission/judge.ts'
import { isVerdict, type Judgement, type Ruling, type Verdict } from '../permission/policy.ts'
import { chain } from '../platform/chain.ts'
import { jsonText, messageOf, toJson } from '../platform/normalize.ts'
import type { CallJob, CallScene, Staged } from './call-job.ts'
import { isThenable } from './execute.ts'

/** Judges a call by all policies that apply. A call that had begun was judged before. */
export function authorize(job: CallJob, scene: CallScene): Staged | Promise<Staged> {
  if (job.call.start) return { kind: 'go', job }
  const { tool } = job
  const { thread, deps } = scene
  const judged = {
    tool: tool.name,
    effect: tool.effect,
    facts: () => ({ tool: tool.name, effect: tool.effect, input: toJson(job.value), thread, deps }),
  }
  return chain(ownWord(job, scene), (own) => chain(judgeAll(scene.policies, judged, own), (ruling) => conclude(job, scene, ruling)))
}

const words: Readonly<Record<Verdict, OwnWord>> = { allow: { verdict: 'allow' }, ask: { verdict: 'ask' }, deny: { verdict: 'deny' } }

/** What the tool says of itself. A function that throws, or says what is no verdict, has denied. */
function ownWord({ tool, value }: CallJob, { thread, deps }: CallScene): OwnWord | undefined | Promise<OwnWord> {
  const { permission } = tool.definition
  if (permission === undefined) return undefined
  if (typeof permission !== 'function') return words[permission]
  try {
    const said = permission(value, { thread, deps })
    return isThenable(said) ? Promise.resolve(said).then(wordOf, failed) : wordOf(said)
  } catch (error) {
    return failed(error)
  }
}

const wordOf = (said: unknown): OwnWord =>
  isVerdict(said) ? words[said] : { verdict: 'deny', reason: `its permission answered ${jsonText(said)}, which is no verdict` }
const failed = (error: unknown): OwnWord => ({ verdict: 'deny', reason: `its permission failed: ${messageOf(error)}` })

const denied = ({ call }: CallJob, reason: string): Staged => ({
  kind: 'done',
  drafts: [{ type: 'tool.denied', data: { call: call.id, reason, errorType: 'permission' } }],
})

function conclude(job: CallJob, scene: CallScene, ruling: Ruling): Staged {
  const { judgement, allowedBy } = ruling
  const { tool } = job
  if (judgement.verdict === 'allow') return { kind: 'go', job: allowedBy === '' ? job : { ...job, allowedBy } }
  if (judgement.verdict === 'deny') {
    const { reason, decidedBy } = judgement
    return denied(job, `${tool.name} is not permitted${reason ? `: ${reason}` : ''} (${decidedBy.join(', ')}). Do without it.`)
  }
  const asking = askingFor(job, scene, ruling)
  const { digest, grant, former } = asking
  if (scene.grants.includes(grant)) return { kind: 'go', job: { ...job, digest, allowedBy: 'granted for the thread' } }
  if (former && isGiven(former, asking)) return { kind: 'go', job: { ...job, digest, allowedBy: 'approved' } }
  if (scene.unattended) return denied(job, `${tool.name} needs an approval, and nobody is there to give it. Do without it.`)
  return ask(job, scene, asking)
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

function askingFor({ call, tool, input: proposed, value }: CallJob, { ports }: CallScene, { judgement, basis }: Ruling): Asking {
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

function ask({ call, tool, input: proposed }: CallJob, scene: CallScene, asking: Asking): Staged {
  const { judgement, input, digest, grant, former } = asking
  const { reason, approvers = 1, expires } = judgement
  const isChanged = canonicalJson(input) !== canonicalJson(proposed)
  const show = {
    tool: tool.name,
    input,
    ...(isChanged && { proposed }),
    ...(former && { former: former.answer as Json }),
  }
  return {
    kind: 'done',
    drafts: [
      {
        type: 'question.asked',
        data: {
          id: `${call.id}#${scene.asked + 1}`,
          kind: 'approval',
          call: call.id,
          prompt: `May ${tool.name} run with these arguments?${reason ? ` (${reason})` : ''}${former ? again(former.answer, approvers) : ''}`,
          show,
          digest,
          // One of several cannot speak for the whole thread.
          ...(approvers === 1 ? { grant } : { approvers }),
          ...(expires !== undefined && { expires: scene.ports.clock.now() + expires }),
        },
      },
    ],
  }
}

const again = ({ kind }: Answer, approvers: number): string =>
  kind === 'edit' && approvers > 1 ? ' They were edited: all who must approve are asked again.' : ' What was approved before has changed since.'
