/**
 * Judging calls.
 *
 * PERM-4. A tool's own verdict applies when no rule of the policy matches it, and before the default.
 *     A policy that keeps denials, such as a mode, never loosens a tool's own `deny`.
 * PERM-5. A child is judged by its own policy and by every ancestor's: its authority only ever shrinks.
 * PERM-6. What cannot be judged is denied: a rule that throws, a `when` that returns no boolean, a value that is no verdict.
 * PERM-15. Who asks is who answers: what a rule of an ancestor asks is another question than what the same rule of the agent asks, and no approval of
 *     the one holds for the other.
 * PERM-7. A policy in shadow mode changes nothing: the call is judged as if the policy were not there, and its verdict is noted.
 * PERM-16. Each part of a call is judged by itself, and the strictest verdict counts: what allows one part allows no other.
 * PERM-17. A mode settles only what a tool's own verdict or a default asks; `plan` denies whatever changes the world. Rules are never loosened by a mode.
 * PERM-18. The least verdict of a tool, such as that on a protected path, is loosened by no mode and by no approval for the thread that has another
 *     reason; an `ask` gives way to a rule that allows and names what the call asks for, and a `deny` to nothing.
 */
import type { EffectClass, JsonObject } from '@loom-agent/kernel'
import { callUser } from '../platform/call-user.ts'
import { chain } from '../platform/chain.ts'
import { messageOf, shown } from '../platform/normalize.ts'
import { isHarmless } from '../types/effect-class.ts'
import type { CompiledPolicy, CompiledRule, KnownRuling } from './compile-policy.ts'
import { meetsPart, type NamedTool, namesTool } from './judge-parts.ts'
import type { CallPart, ErasedMatcher } from './matcher.ts'
import { matchesInput } from './pattern.ts'
import type { CallFacts, Judgement, Mode, Ruling, Verdict } from './policy.ts'
import { rulingOf, rulingOfDefault, rulingOfRule, strictestOf, withLevel, withShadows } from './rulings.ts'
import { enforcedPart } from './run-layer.ts'

/** A call to be judged. Its facts are collected only where a rule looks at them. */
export interface JudgedCall {
  readonly tool: string
  /** The other name by which rules know the tool. */
  readonly ruleName?: string | undefined
  readonly effect: EffectClass
  /** The JSON Schema of its arguments, where there is one: a body may fill in the defaults that it declares. */
  readonly schema?: JsonObject
  /** How rules name what its calls ask for, where the tool says it. */
  readonly matcher?: ErasedMatcher | undefined
  /** What it asks for, part by part; called only where the tool has a matcher. */
  parts?(): readonly CallPart[] | Promise<readonly CallPart[]>
  /** What its taint demands at least of the agent's own policy. */
  readonly least?: OwnVerdict | undefined
  /** For the policy of the agent, or of the ancestor so many above it. */
  facts(level: number): CallFacts
}

/** A tool's own verdict. */
export interface OwnVerdict {
  readonly verdict: Verdict
  /** Why, where it is not what the tool's author wrote down. */
  readonly reason?: string
  /** Set when it is the least that the call meets (PERM-18). */
  readonly isLeast?: true
}

const unruled: Ruling = { judgement: { verdict: 'allow', decidedBy: [] }, basis: [], allowedBy: '' }

/** Judges a call by the agent's own policy, which comes first, and by those of all its ancestors. Synchronous unless a rule is not. */
export function judgeAll(policies: readonly (CompiledPolicy | undefined)[], call: JudgedCall, own: OwnVerdict | undefined): Ruling | Promise<Ruling> {
  const first = policies[0]
  if (policies.length === 1 && !first?.shadow) return judge(first, call, own)
  const verdictFor = (index: number): OwnVerdict | undefined => (index === 0 ? own : undefined)
  const seenFrom = (level: number): JudgedCall => ({ ...call, least: level === 0 ? call.least : undefined, facts: () => call.facts(level) })
  const inForce = policies.map((policy, index) => {
    const ruling = judge(enforcedPart(policy), seenFrom(index), verdictFor(index))
    return policy?.isOfFork ? ruling : from(index, ruling)
  })
  const shadows = policies.flatMap((policy, index) => (policy?.shadow ? [judgeBy(policy, seenFrom(index), verdictFor(index))] : []))
  const conclusion = (all: readonly Ruling[]): Ruling => withShadows(withLevel(all.slice(0, inForce.length)), all.slice(inForce.length))
  const rulings = [...inForce, ...shadows]
  return rulings.every((ruling) => !(ruling instanceof Promise))
    ? conclusion(rulings as readonly Ruling[])
    : Promise.all(rulings.map(async (ruling) => ruling)).then(conclusion)
}

/** A ruling of the policy so many above the agent: what it is based on says so (PERM-15). */
function from(level: number, ruling: Ruling | Promise<Ruling>): Ruling | Promise<Ruling> {
  if (level === 0) return ruling
  return chain(ruling, (made) => ({ ...made, basis: made.basis.map((content) => `${level} above: ${content}`) }))
}

/** A tool, as far as rulings are known by it. */
interface JudgedTool extends NamedTool {
  readonly effect: EffectClass
}

/** The ruling on a call of this tool, where one policy is in force and has judged such a call before by the tool alone. */
export function knownRuling(policies: readonly (CompiledPolicy | undefined)[], tool: JudgedTool, own: OwnVerdict | undefined): Ruling | undefined {
  const policy = policies[0]
  return policy && policies.length === 1 && !policy.shadow && !policy.layer ? knownBy(policy, tool, own) : undefined
}

function knownBy(policy: CompiledPolicy, { name, ruleName, effect }: JudgedTool, own: OwnVerdict | undefined): Ruling | undefined {
  const rulings = isFixed(own) ? policy.known.get(name) : undefined
  if (rulings)
    for (const known of rulings) if (known.effect === effect && known.own === own?.verdict && known.ruleName === ruleName) return known.ruling
  return undefined
}

/** Whether a tool's own verdict is the same for every call of the tool. */
const isFixed = (own: OwnVerdict | undefined): boolean => own?.reason === undefined && !own?.isLeast

function remember({ known }: CompiledPolicy, tool: string, ruling: KnownRuling): void {
  const rulings = known.get(tool)
  if (rulings) rulings.push(ruling)
  else known.set(tool, [ruling])
}

/** Judges a call by one policy, and by the layer that the run was given; asynchronous only when a rule that might match has a `when`. */
export function judge(policy: CompiledPolicy | undefined, call: JudgedCall, own: OwnVerdict | undefined): Ruling | Promise<Ruling> {
  if (!policy) return unruledBy(call, own)
  const ruling = judgeBy(policy, call, own)
  const { layer } = policy
  // What is demanded of the call is demanded once, of the policy: a layer loosens it no more than a rule of an ancestor does.
  return layer
    ? chain(ruling, (one) => chain(judgeBy(layer, { ...call, least: undefined }, undefined), (other) => strictestOf([one, other])))
    : ruling
}

/** The ruling where no policy is. */
const unruledBy = (call: JudgedCall, own: OwnVerdict | undefined): Ruling =>
  atLeast(call, own && !demandsNothing(own) ? ownRuling(call, own) : unruled, call.least)

function judgeBy(policy: CompiledPolicy, call: JudgedCall, own: OwnVerdict | undefined): Ruling | Promise<Ruling> {
  const known = call.least ? undefined : knownBy(policy, { name: call.tool, ruleName: call.ruleName, effect: call.effect }, own)
  if (known) return known
  if (policy.mode === 'plan' && !isHarmless(call.effect)) return planned
  if (policy.isAbsent) return unruledBy(call, own)
  const rules = policy.rules.filter((rule) => matchesTool(rule, call))
  const asked: Asked = { policy, call, own, part: undefined }
  const looksAtParts = call.matcher !== undefined && (policy.mode === 'accept-edits' || policy.mode === 'auto')
  if (!looksAtParts && rules.every((rule) => rule.input === undefined && rule.when === undefined && rule.pattern === undefined)) {
    const ruling = conclude(asked, rules)
    if (isFixed(own) && !call.least) remember(policy, call.tool, { effect: call.effect, ruleName: call.ruleName, own: own?.verdict, ruling })
    return ruling
  }
  const facts = call.facts(0)
  const candidates = rules.filter((rule) => matchesInput(rule, facts.input, call.schema))
  const isAsked = candidates.some((rule) => rule.when !== undefined)
  const met = isAsked ? Promise.all(candidates.map((rule) => matching(rule, facts))).then((found) => found.flat()) : candidates
  if (!looksAtParts && candidates.every((rule) => rule.pattern === undefined)) return chain(met, (found) => conclude(asked, found))
  return chain(met, (found) => judgeParts(asked, found))
}

/** What plan mode says of a call that changes the world. */
const planned: Ruling = { judgement: { verdict: 'deny', decidedBy: ['plan mode'] }, basis: ['plan mode'], allowedBy: '' }

/** Parts that are judged at most: a call that asks for more is denied. */
const mostParts = 1000

function judgeParts(asked: Asked, rules: readonly CompiledRule[]): Ruling | Promise<Ruling> {
  const { matcher, parts: partsOf } = asked.call
  if (!matcher || !partsOf) return conclude(asked, rules.filter(isMetUntold))
  const judged = (parts: readonly CallPart[]): Ruling => {
    if (parts.length > mostParts) return unjudged(`it asks for ${parts.length} things, and ${mostParts} are judged at most`)
    if (parts.length === 0)
      return conclude(
        asked,
        rules.filter(({ pattern }) => pattern === undefined),
      )
    return strictestOf(
      parts.map((part) =>
        conclude(
          { ...asked, part },
          rules.flatMap((rule) => meetsPart(rule, matcher, part)),
        ),
      ),
    )
  }
  try {
    const parts = callUser(() => partsOf())
    return parts instanceof Promise ? parts.then(judged).catch((error: unknown) => unjudged(messageOf(error))) : judged(parts)
  } catch (error) {
    return unjudged(messageOf(error))
  }
}

/** Whether a rule holds for a call that cannot be taken apart: one with a pattern only if it denies or asks. */
const isMetUntold = ({ pattern, verdict }: CompiledRule): boolean => pattern === undefined || verdict !== 'allow'

/** A call whose parts cannot be told is denied (PERM-6). */
const unjudged = (problem: string): Ruling =>
  rulingOf({ verdict: 'deny', decidedBy: ['its matcher'], reason: `what it asks for cannot be told: ${problem}` }, [])

const matchesTool = (rule: CompiledRule, { tool, ruleName, effect }: JudgedCall): boolean =>
  namesTool(rule, { name: tool, ruleName }) && (rule.effect === undefined || [rule.effect].flat().includes(effect))

/** The rule if it matches; a rule that throws or returns no boolean has denied. */
async function matching(rule: CompiledRule, facts: CallFacts): Promise<readonly CompiledRule[]> {
  if (!rule.when) return [rule]
  try {
    const { when } = rule
    const returned: unknown = await callUser(() => when(facts))
    if (typeof returned === 'boolean') return returned ? [rule] : []
    return [broken(rule, `its when returned ${shown(returned)}, which is neither true nor false`)]
  } catch (error) {
    return [broken(rule, messageOf(error))]
  }
}

const broken = (rule: CompiledRule, problem: string): CompiledRule => ({ ...rule, verdict: 'deny', reason: `a rule failed: ${problem}` })

interface Asked {
  readonly policy: CompiledPolicy
  readonly call: JudgedCall
  readonly own: OwnVerdict | undefined
  /** The part that is judged; undefined where the call is judged as a whole. */
  readonly part: CallPart | undefined
}

/** The ruling of the policy, and no less than the least verdict of the tool, unless a rule names what it is about (PERM-18). */
function conclude(asked: Asked, rules: readonly CompiledRule[]): Ruling {
  const { call, own, policy } = asked
  const ruling = rulingFor(own?.isLeast ? { ...asked, own: undefined } : asked, rules)
  const least = own?.isLeast || call.least ? demanded(asked, rules, ruling) : ruling
  return policy.shadow ? { ...least, judgement: { ...least.judgement, shadow: true } } : least
}

function demanded({ call, own }: Asked, rules: readonly CompiledRule[], ruling: Ruling): Ruling {
  const isNamed = rules.some(({ pattern, verdict }) => pattern !== undefined && verdict === 'allow')
  const leasts = [own, call.least].filter((one) => one?.isLeast && !(isNamed && one.verdict === 'ask'))
  return leasts.reduce((made, one) => atLeast(call, made, one), ruling)
}

/** The ruling, and no less than what is demanded. */
const atLeast = (call: JudgedCall, ruling: Ruling, least: OwnVerdict | undefined): Ruling =>
  least && !demandsNothing(least) ? strictestOf([ruling, ownRuling(call, least)]) : ruling

function rulingFor(asked: Asked, rules: readonly CompiledRule[]): Ruling {
  const { policy, call, own } = asked
  const isKept = policy.keepDenials && own?.verdict === 'deny'
  if (rules.length > 0 && !isKept) {
    return strictestOf([...rules.map(rulingOfRule), ...defaultsBeside(policy, rules)])
  }
  if (own) return settled(asked, ownRuling(call, own))
  return settled(asked, defaultRuling(policy))
}

/** The defaults of the layers that no rule of which matches, where rules of others do (PERM-19). */
function defaultsBeside({ defaults }: CompiledPolicy, rules: readonly CompiledRule[]): readonly Ruling[] {
  if (defaults.length === 1) return []
  return defaults.flatMap((given, layer) => (given && !rules.some((rule) => rule.layer === layer) ? [rulingOfDefault(given.verdict, given.id)] : []))
}

/** The strictest default of all layers; without any the call is denied. */
function defaultRuling({ defaults }: CompiledPolicy): Ruling {
  const given = defaults.flatMap((one) => (one ? [rulingOfDefault(one.verdict, one.id)] : []))
  return given.length > 0 ? strictestOf(given) : rulingOfDefault('deny', 'default')
}

/** What a mode makes of a question that no rule asks (PERM-17). */
function settled({ policy: { mode }, part }: Asked, ruling: Ruling): Ruling {
  return ruling.judgement.verdict === 'ask' && isSettledBy(mode, part)
    ? rulingOf({ verdict: 'allow', decidedBy: [`mode ${mode}`] }, [`mode ${mode}`])
    : ruling
}

function isSettledBy(mode: Mode, part: CallPart | undefined): boolean {
  if (mode === 'auto') return part?.isEdit === true || part?.isSandboxed === true
  return mode === 'bypass' || (mode === 'accept-edits' && part?.isEdit === true)
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
