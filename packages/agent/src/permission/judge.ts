/**
 * Judging calls.
 *
 * PERM-4. A tool's own verdict applies when no rule of the policy matches it, and before the default.
 *     A policy that keeps denials, such as a mode, never loosens a tool's own `deny`.
 * PERM-15. The least verdict of a tool is never loosened: not by a rule, not by a mode, and not by an approval for the thread that has another reason.
 * PERM-5. A child is judged by its own policy and by every ancestor's: its authority only ever shrinks.
 * PERM-6. What cannot be judged is denied: a rule that throws, a `when` that returns no boolean, a value that is no verdict.
 * PERM-7. A policy in shadow mode changes nothing: the call is judged as if the policy were not there, and its verdict is noted.
 */
import { type EffectClass, type Json, type JsonObject, own as ownField } from '@loom-agent/kernel'
import { callUser } from '../platform/call-user.ts'
import { jsonText, messageOf } from '../platform/normalize.ts'
import { isNamed, matchesPattern, mayBeMeant } from './pattern.ts'
import type { CallFacts, CompiledPolicy, CompiledRule, Judgement, Rule, Ruling, Verdict } from './policy.ts'

/** A call to be judged. Its facts are collected only where a rule looks at them. */
export interface JudgedCall {
  readonly tool: string
  readonly effect: EffectClass
  /** The JSON Schema of its arguments, where there is one: a body may fill in the defaults that it declares. */
  readonly schema?: JsonObject
  /** For the policy of the agent, or of the ancestor so many above it. */
  facts(level: number): CallFacts
}

/** A tool's own verdict. */
export interface OwnVerdict {
  readonly verdict: Verdict
  /** Why, where it is not what the tool's author wrote down. */
  readonly reason?: string
  /** Set when it is the least that the call meets (PERM-15). */
  readonly isLeast?: true
}

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }
const unruled: Ruling = { judgement: { verdict: 'allow', decidedBy: [] }, basis: [], allowedBy: '' }

/** Judges a call by the agent's own policy, which comes first, and by those of all its ancestors. Synchronous unless a rule is not. */
export function judgeAll(policies: readonly (CompiledPolicy | undefined)[], call: JudgedCall, own: OwnVerdict | undefined): Ruling | Promise<Ruling> {
  const first = policies[0]
  if (policies.length === 1 && !first?.shadow) return judge(first, call, own)
  const verdictFor = (index: number): OwnVerdict | undefined => (index === 0 ? own : undefined)
  const seenFrom = (level: number): JudgedCall => ({ ...call, facts: () => call.facts(level) })
  const inForce = policies.map((policy, index) => judge(policy?.shadow ? undefined : policy, seenFrom(index), verdictFor(index)))
  const shadows = policies.flatMap((policy, index) => (policy?.shadow ? [judge(policy, seenFrom(index), verdictFor(index))] : []))
  const conclusion = (all: readonly Ruling[]): Ruling => withShadows(withLevel(all.slice(0, inForce.length)), all.slice(inForce.length))
  const rulings = [...inForce, ...shadows]
  return rulings.every((ruling) => !(ruling instanceof Promise))
    ? conclusion(rulings as readonly Ruling[])
    : Promise.all(rulings.map(async (ruling) => ruling)).then(conclusion)
}

/** Judges a call by one policy; asynchronous only when a rule that might match has a `when`. */
export function judge(policy: CompiledPolicy | undefined, call: JudgedCall, own: OwnVerdict | undefined): Ruling | Promise<Ruling> {
  if (!policy) return own && !demandsNothing(own) ? ownRuling(call, own) : unruled
  const name = `${call.tool} ${call.effect} ${own?.verdict ?? ''}`
  const isFixed = own?.reason === undefined && !own?.isLeast
  const known = isFixed ? policy.known.get(name) : undefined
  if (known) return known
  const rules = policy.rules.filter((rule) => matchesTool(rule, call))
  const asked: Asked = { policy, call, own }
  if (rules.every((rule) => rule.input === undefined && rule.when === undefined)) {
    const ruling = conclude(asked, rules)
    if (isFixed) policy.known.set(name, ruling)
    return ruling
  }
  const facts = call.facts(0)
  const candidates = rules.filter((rule) => matchesInput(rule, facts.input, call.schema))
  if (candidates.every((rule) => rule.when === undefined)) return conclude(asked, candidates)
  return Promise.all(candidates.map((rule) => matching(rule, facts))).then((met) => conclude(asked, met.flat()))
}

const matchesTool = (rule: Rule, { tool, effect }: JudgedCall): boolean =>
  matchesPattern(rule.tool, tool) && (rule.effect === undefined || [rule.effect].flat().includes(effect))

/** Whether arguments meet a rule: those that a rule allows are named by it, and what a rule may be about is denied or asked about (PERM-12). */
function matchesInput({ input: patterns, verdict }: Rule, given: Json, schema: JsonObject | undefined): boolean {
  if (!patterns) return true
  const input = fieldsOf(given)
  if (verdict === 'allow') return Object.entries(patterns).every(([key, pattern]) => isNamed(pattern as Json, input && ownField(input, key)))
  const properties = fieldsOf(schema?.['properties'])
  return Object.entries(patterns).every(([key, pattern]) => {
    // Arguments that are no object have no names: a body may find anything in them.
    if (!input) return true
    const declared = fieldsOf(properties && ownField(properties, key))
    return mayBeMeant(pattern as Json, Object.hasOwn(input, key) ? ownField(input, key) : declared?.['default'])
  })
}

const fieldsOf = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

/** The rule if it matches; a rule that throws or returns no boolean has denied. */
async function matching(rule: CompiledRule, facts: CallFacts): Promise<readonly CompiledRule[]> {
  if (!rule.when) return [rule]
  try {
    const { when } = rule
    const returned: unknown = await callUser(() => when(facts))
    if (typeof returned === 'boolean') return returned ? [rule] : []
    return [broken(rule, `its when returned ${jsonText(returned)}, which is neither true nor false`)]
  } catch (error) {
    return [broken(rule, messageOf(error))]
  }
}

const broken = (rule: CompiledRule, problem: string): CompiledRule => ({ ...rule, verdict: 'deny', reason: `a rule failed: ${problem}` })

interface Asked {
  readonly policy: CompiledPolicy
  readonly call: JudgedCall
  readonly own: OwnVerdict | undefined
}

/** The ruling of the policy, and no less than the least verdict of the tool. */
function conclude(asked: Asked, rules: readonly CompiledRule[]): Ruling {
  const { call, own } = asked
  if (!own?.isLeast) return concludeBy(asked, rules)
  const ruling = concludeBy({ ...asked, own: undefined }, rules)
  return demandsNothing(own) ? ruling : strictestOf([ruling, ownRuling(call, own)])
}

function concludeBy({ policy, call, own }: Asked, rules: readonly CompiledRule[]): Ruling {
  const shadow = policy.shadow ? ({ shadow: true } as const) : {}
  if (rules.length > 0 && !(policy.keepDenials && own?.verdict === 'deny')) {
    const ruling = strictestOf(rules.map(rulingOfRule))
    return policy.shadow ? { ...ruling, judgement: { ...ruling.judgement, ...shadow } } : ruling
  }
  if (own) return rulingOf({ ...ownJudgement(call, own), ...shadow }, [ownContent(call, own)])
  return rulingOf({ verdict: policy.defaultVerdict, decidedBy: ['default'], ...shadow }, [`default ${policy.defaultVerdict}`])
}

const ownJudgement = ({ tool }: JudgedCall, { verdict, reason }: OwnVerdict): Judgement => ({
  verdict,
  decidedBy: [`tool ${tool}`],
  ...(reason !== undefined && { reason }),
})
const ownContent = ({ tool }: JudgedCall, { verdict, reason, isLeast }: OwnVerdict): string =>
  `tool ${tool} ${verdict}${isLeast ? ` at least: ${reason ?? ''}` : ''}`
const ownRuling = (call: JudgedCall, own: OwnVerdict): Ruling => rulingOf(ownJudgement(call, own), [ownContent(call, own)])
const demandsNothing = ({ isLeast, verdict }: OwnVerdict): boolean => isLeast === true && verdict === 'allow'

function rulingOfRule({ verdict, id, reason, approvers = 1, expires, content }: CompiledRule): Ruling {
  const judgement: Judgement = {
    verdict,
    decidedBy: [id],
    ...(reason !== undefined && { reason }),
    ...(approvers > 1 && { approvers }),
    ...(expires !== undefined && { expires }),
  }
  return rulingOf(judgement, [content])
}

function rulingOf(judgement: Judgement, basis: readonly string[]): Ruling {
  return { judgement, basis, allowedBy: judgement.decidedBy.filter((id) => id !== 'default').join(', ') }
}

/** The strictest of several rulings. Those that agree with it decide together: most approvers, shortest time, all reasons. */
function strictestOf(rulings: readonly Ruling[]): Ruling {
  const verdict = rulings.map(({ judgement }) => judgement.verdict).reduce((a, b) => (strictness[b] > strictness[a] ? b : a))
  const deciding = rulings.filter(({ judgement }) => judgement.verdict === verdict)
  const [only] = deciding
  if (only && deciding.length === 1) return only
  const judgements = deciding.map(({ judgement }) => judgement)
  const reasons = new Set(judgements.flatMap(({ reason }) => reason ?? []))
  const approvers = Math.max(...judgements.map((judgement) => judgement.approvers ?? 1))
  const expires = Math.min(...judgements.map((judgement) => judgement.expires ?? Number.POSITIVE_INFINITY))
  const judgement: Judgement = {
    verdict,
    decidedBy: judgements.flatMap(({ decidedBy }) => decidedBy),
    ...(reasons.size > 0 && { reason: [...reasons].join('; ') }),
    ...(approvers > 1 && { approvers }),
    ...(Number.isFinite(expires) && { expires }),
  }
  return rulingOf(
    judgement,
    deciding.flatMap(({ basis }) => basis),
  )
}

/** The strictest of the rulings of an agent and of its ancestors, and whose it is. */
function withLevel(rulings: readonly Ruling[]): Ruling {
  const ruling = strictestOf(rulings)
  return { ...ruling, level: rulings.findLastIndex(({ judgement }) => judgement.verdict === ruling.judgement.verdict) }
}

/** Notes the verdict of policies in shadow mode on a call that runs. */
function withShadows(ruling: Ruling, shadows: readonly Ruling[]): Ruling {
  const other = shadows.find(({ judgement }) => judgement.verdict !== 'allow')?.judgement
  return other ? { ...ruling, allowedBy: `shadow ${other.verdict} by ${other.decidedBy.join(', ')}` } : ruling
}
