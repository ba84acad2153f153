/**
 * Permissions. The strictest of all matching rules wins: order and specificity do not matter.
 *
 * P1. deny > ask > allow. `default` holds only when no rule matches; a policy without a default denies.
 * P2. A tool's own `permission` holds when no rule of the policy matches it, and before the default.
 * P3. A child is judged by its own policy and by every ancestor's: its authority only ever shrinks.
 */
import { type EffectClass, type Json, type JsonObject, LoomError } from '@loom-agent/kernel'
import { checkOptions } from '../platform/options.ts'

export type Verdict = 'allow' | 'ask' | 'deny'

/** What a call is judged by. */
export interface CallFacts {
  readonly tool: string
  readonly effect: EffectClass
  readonly input: Json
  readonly thread: string
  readonly deps: unknown
}

/** One rule. It matches when the name, the effect, every argument pattern and `when` do. */
export interface Rule {
  /** A name, or a pattern in which * stands for anything. */
  readonly tool: string
  readonly verdict: Verdict
  readonly effect?: EffectClass | readonly EffectClass[]
  /** Patterns for top-level arguments: a text with *, or a value that must be equal. */
  readonly input?: JsonObject
  readonly when?: (call: CallFacts) => boolean | Promise<boolean>
  readonly reason?: string
  /** How many people must approve. */
  readonly approvers?: number
  /** Milliseconds after which an unanswered question counts as rejected. */
  readonly expires?: number
}

/** A policy: tool names and their verdicts, or rules. In shadow mode verdicts are recorded and not enforced. */
export type Policy = { readonly [tool: string]: Verdict } | { readonly rules: readonly Rule[]; readonly default?: Verdict; readonly shadow?: boolean }

/** What the rules say of a call, and which of them decided. */
export interface Judgement {
  readonly verdict: Verdict
  readonly decidedBy: readonly string[]
  readonly reason?: string
  readonly approvers?: number
  readonly expires?: number
  readonly shadow?: true
}

/** A policy ready to judge. */
export interface CompiledPolicy {
  /** Judgements that follow from the tool alone, once made. */
  readonly known: Map<string, Judgement>
  readonly rules: readonly (Rule & { readonly id: string })[]
  readonly fallback: Verdict
  readonly shadow: boolean
}

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }
const isVerdict = (value: unknown): value is Verdict => value === 'allow' || value === 'ask' || value === 'deny'
const ruleKeys = ['tool', 'verdict', 'effect', 'input', 'when', 'reason', 'approvers', 'expires'] as const

/** Checks a policy and makes it ready to judge. */
export function compilePolicy(policy: Policy): CompiledPolicy {
  const { rules, default: fallback = 'deny', shadow = false } = isRuled(policy) ? policy : mapped(policy)
  const refuse = (problem: string): never => {
    throw new LoomError('LOOM_OPTION_INVALID', `permissions: ${problem} Verdicts are allow, ask and deny.`)
  }
  if (!isVerdict(fallback)) refuse(`the default is ${String(fallback)}.`)
  const compiled = rules.map((rule, index) => {
    checkOptions(`permissions.rules[${index}]`, rule, ruleKeys)
    if (!isVerdict(rule.verdict)) refuse(`the verdict for ${rule.tool} is ${String(rule.verdict)}.`)
    return { ...rule, id: isRuled(policy) ? `rules[${index}] ${rule.tool}` : rule.tool }
  })
  return { known: new Map(), rules: compiled, fallback, shadow }
}

const isRuled = (policy: Policy): policy is Extract<Policy, { rules: readonly Rule[] }> => Array.isArray((policy as { rules?: unknown }).rules)

function mapped(policy: { readonly [tool: string]: Verdict }): { rules: Rule[]; default?: Verdict; shadow?: boolean } {
  const { default: fallback, ...verdicts } = policy
  const rules = Object.entries(verdicts).map(([tool, verdict]) => ({ tool, verdict }))
  return fallback === undefined ? { rules } : { rules, default: fallback }
}

/** Whether a text matches a pattern in which * stands for anything. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, from)
    if (found === -1) return false
    from = found + piece.length
  }
  return from <= text.length - last.length
}

function matchesFacts(rule: Rule, call: CallFacts): boolean {
  if (!matchesPattern(rule.tool, call.tool)) return false
  if (rule.effect !== undefined && ![rule.effect].flat().includes(call.effect)) return false
  if (!rule.input) return true
  const input = typeof call.input === 'object' && call.input !== null && !Array.isArray(call.input) ? (call.input as JsonObject) : {}
  return Object.entries(rule.input).every(([key, expected]) => {
    const actual = input[key]
    if (typeof expected === 'string') return typeof actual === 'string' && matchesPattern(expected, actual)
    return JSON.stringify(actual) === JSON.stringify(expected)
  })
}

/** A tool's own word on its permission, already asked of it. */
export interface OwnVerdict {
  readonly verdict: Verdict | undefined
}

/** Judges a call by one policy; asynchronous only when a matching rule has a `when` that is. */
export function judge(policy: CompiledPolicy | undefined, call: CallFacts, own: OwnVerdict): Judgement | Promise<Judgement> {
  if (!policy) return own.verdict ? { verdict: own.verdict, decidedBy: [`tool ${call.tool}`] } : { verdict: 'allow', decidedBy: [] }
  const name = `${call.tool} ${call.effect} ${own.verdict ?? ''}`
  const known = policy.known.get(name)
  if (known) return known
  const candidates = policy.rules.filter((rule) => matchesFacts(rule, call))
  if (candidates.every((rule) => rule.when === undefined)) {
    const judgement = conclude(policy, candidates, { call, own })
    const byTool = policy.rules.filter((rule) => matchesPattern(rule.tool, call.tool))
    if (byTool.every((rule) => rule.input === undefined && rule.when === undefined)) policy.known.set(name, judgement)
    return judgement
  }
  return Promise.all(candidates.map(async (rule) => ((await rule.when?.(call)) ?? true) === true)).then((met) =>
    conclude(
      policy,
      candidates.filter((_, index) => met[index]),
      { call, own },
    ),
  )
}

function conclude(policy: CompiledPolicy, matching: CompiledPolicy['rules'], asked: { call: CallFacts; own: OwnVerdict }): Judgement {
  const shadow = policy.shadow ? ({ shadow: true } as const) : {}
  if (matching.length === 0) {
    const { verdict } = asked.own
    return verdict ? { verdict, decidedBy: [`tool ${asked.call.tool}`], ...shadow } : { verdict: policy.fallback, decidedBy: ['default'], ...shadow }
  }
  const strictest = matching.reduce((worst, rule) => (strictness[rule.verdict] > strictness[worst.verdict] ? rule : worst))
  const deciding = matching.filter((rule) => rule.verdict === strictest.verdict)
  const { verdict, reason } = strictest
  const approvers = Math.max(1, ...deciding.map((rule) => rule.approvers ?? 1))
  const expires = Math.min(...deciding.map((rule) => rule.expires ?? Number.POSITIVE_INFINITY))
  return {
    verdict,
    decidedBy: deciding.map((rule) => rule.id),
    ...(reason !== undefined && { reason }),
    ...(approvers > 1 && { approvers }),
    ...(Number.isFinite(expires) && { expires }),
    ...shadow,
  }
}

/** The strictest of several judgements; those of policies in shadow mode do not count unless there is no other. */
export function strictestOf(judgements: readonly Judgement[]): Judgement {
  const enforced = judgements.map((judgement) => (judgement.shadow ? { ...judgement, verdict: 'allow' as const } : judgement))
  const worst = enforced.reduce((a, b) => (strictness[b.verdict] > strictness[a.verdict] ? b : a))
  const shadowed = judgements.find((judgement) => judgement.shadow && judgement.verdict !== 'allow')
  return shadowed && worst.verdict === 'allow' ? { ...worst, decidedBy: [`shadow ${shadowed.verdict} by ${shadowed.decidedBy.join(', ')}`] } : worst
}
