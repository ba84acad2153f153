/**
 * Policies: permissions as users write them, checked and compiled.
 *
 * PERM-1. deny > ask > allow, and the strictest of all matching rules wins: order and specificity do not matter.
 * PERM-2. `default` holds only when no rule matches; a policy without a default denies.
 * PERM-3. A policy that is not valid is refused when it is given, never when a call is judged.
 */

import { canonicalJson, type EffectClass, type Json, type JsonObject, LoomError } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { shown, toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { effectClass } from '../types/effect-class.ts'

/** What happens to a call: it runs, a human is asked, or it is denied. */
export type Verdict = 'allow' | 'ask' | 'deny'

/** The least that a call meets, whatever the rules say; otherwise it is judged as if its tool had no `permission`. */
export interface LeastVerdict {
  /** Rules and defaults may be stricter, never looser; `allow` demands nothing. */
  readonly atLeast: Verdict
  /** Why, shown to the human or the model. An approval for the whole thread covers calls with the same reason. */
  readonly reason?: string
}

/** A call that was admitted: it was started, whatever came of it. */
export interface AdmittedCall {
  /** The id of the thread that made it: that of the run, or of a child. */
  readonly thread: string
  /** Loom's own id of the call: `turn.index`. */
  readonly id: string
  /** The name of the tool. */
  readonly tool: string
  /** The arguments, as the schema made them. */
  readonly input: Json
  /** How it ended; `running` until it has. */
  readonly status: 'running' | 'success' | 'error' | 'warning'
}

/** What a call is judged by. `input` is what the tool would get, as JSON. */
export interface CallFacts {
  /** The name of the tool. */
  readonly tool: string
  /** The effect class of the tool. */
  readonly effect: EffectClass
  /** The arguments, as the schema made them. */
  readonly input: Json
  /** The id of the thread. */
  readonly thread: string
  /** The dependencies of the run. */
  readonly deps: unknown
  /** The calls that the run and its children have made so far, without this one. A rule of an ancestor sees those of the ancestor's run. */
  readonly calls: Iterable<AdmittedCall>
}

/** One rule. It matches when the name, the effect, every argument pattern and `when` do. */
export interface Rule {
  /** A name, or a pattern in which * stands for anything. */
  readonly tool: string
  /** What happens to the calls that match. */
  readonly verdict: Verdict
  /** Only tools of these effect classes. */
  readonly effect?: EffectClass | readonly EffectClass[]
  /** Patterns for top-level arguments: a text with *, or a value that must be equal. */
  readonly input?: JsonObject
  /** Only calls for which it returns `true`; a rule that throws denies. */
  readonly when?: (call: CallFacts) => boolean | Promise<boolean>
  /** Shown to the human, or to the model. */
  readonly reason?: string
  /** How many people must approve. */
  readonly approvers?: number
  /** Milliseconds after which an unanswered question counts as rejected. */
  readonly expires?: number
}

/** A policy: tool names and their verdicts, or rules. In shadow mode verdicts are recorded and not enforced. */
export type Policy =
  | { readonly [tool: string]: Verdict }
  | {
      /** All rules that match a call count; the strictest verdict wins. */
      readonly rules: readonly Rule[]
      /** The verdict where no rule matches; without it such calls are denied. */
      readonly default?: Verdict
      /** Judges and notes, and enforces nothing. */
      readonly shadow?: boolean
      /** A tool whose own `permission` is `deny` stays denied, whatever the rules say; default false. A mode such as `safeMode()` sets it. */
      readonly keepDenials?: boolean
    }

/** The verdict of a policy on a call, and the rules that decided. */
export interface Judgement {
  /** The strictest verdict of all rules that match. */
  readonly verdict: Verdict
  /** The rules that decided, by their ids. */
  readonly decidedBy: readonly string[]
  /** The reasons of the deciding rules, shown to the human or the model. */
  readonly reason?: string
  /** How many people must approve. */
  readonly approvers?: number
  /** Milliseconds after which an unanswered question counts as rejected. */
  readonly expires?: number
  /** The policy only watches: this verdict is noted and not enforced. */
  readonly shadow?: true
}

/** A judgement, and what follows from it. */
export interface Ruling {
  readonly judgement: Judgement
  /** The whole text of the deciding rules: what an approval under them is bound to. */
  readonly basis: readonly string[]
  /** The rules that are recorded as having allowed a call; empty when only a default did. */
  readonly allowedBy: string
  /** Whose policy decided: 0 is the agent's own, 1 its parent's, and so on; the highest, where several agree. */
  readonly level?: number
}

/** A rule ready to match. */
export interface CompiledRule extends Rule {
  readonly id: string
  readonly content: string
}

/** A policy ready to judge. */
export interface CompiledPolicy {
  /** Rulings that follow from the tool alone, once made. */
  readonly known: Map<string, Ruling>
  readonly rules: readonly CompiledRule[]
  readonly defaultVerdict: Verdict
  readonly shadow: boolean
  readonly keepDenials: boolean
  /** Whether a rule asks code, so that a verdict may change. */
  readonly isConditional: boolean
}

/** Whether a value is a verdict. */
export function isVerdict(value: unknown): value is Verdict {
  return value === 'allow' || value === 'ask' || value === 'deny'
}

/** Whether a value is the least verdict of a call. */
export function isLeastVerdict(value: unknown): value is LeastVerdict {
  if (!expected.object.fits(value)) return false
  const { atLeast, reason } = value as { readonly atLeast?: unknown; readonly reason?: unknown }
  return isVerdict(atLeast) && (reason === undefined || typeof reason === 'string')
}

/** What a verdict must be. */
export const verdict: Expected = { words: 'a verdict: allow, ask or deny', fits: isVerdict }
const policyShape: Shape = { rules: expected.anything, default: verdict, shadow: expected.flag, keepDenials: expected.flag }
const ruleShape: Shape & Record<keyof Rule, Expected> = {
  tool: expected.required({ ...expected.text, words: 'a name, or a pattern with *' }),
  verdict: expected.required(verdict),
  effect: expected.either(effectClass, expected.list(effectClass, 'a list of them')),
  input: { words: 'texts with *, or JSON values that must be equal', fits: (value) => expected.object.fits(value) && isPattern(value) },
  when: expected.function,
  reason: expected.text,
  approvers: { ...expected.whole(1), words: 'a count of people' },
  expires: { ...expected.finite(1), words: 'milliseconds' },
}

function refuse(problem: string): never {
  throw new LoomError('LOOM_OPTION_INVALID', `permissions: ${problem}`, { context: { problem } })
}

/** Checks a policy and makes it ready to judge. */
export function compilePolicy(policy: Policy): CompiledPolicy {
  if (!expected.object.fits(policy)) refuse(`${shown(policy)} is not a policy. Give names and their verdicts, or { rules }.`)
  const ruled = isRuled(policy)
  if (ruled) checkOptions('permissions', policy, policyShape)
  const { rules, default: defaultVerdict = 'deny', shadow = false, keepDenials = false } = ruled ? policy : mapped(policy)
  if (!isVerdict(defaultVerdict)) refuse(`the default is ${shown(defaultVerdict)}. Verdicts are allow, ask and deny.`)
  const compiled = rules.map((rule, index) => {
    checkOptions(`permissions.rules[${index}]`, rule, ruleShape)
    return { ...rule, id: ruled ? `rules[${index}] ${rule.tool}` : rule.tool, content: contentOf(rule) }
  })
  return { known: new Map(), rules: compiled, defaultVerdict, shadow, keepDenials, isConditional: rules.some(({ when }) => when !== undefined) }
}

const isRuled = (policy: Policy): policy is Extract<Policy, { rules: readonly Rule[] }> => Array.isArray((policy as { rules?: unknown }).rules)

function mapped(policy: { readonly [tool: string]: Verdict }): Extract<Policy, { rules: readonly Rule[] }> {
  const { default: defaultVerdict, ...verdicts } = policy
  const rules = Object.entries(verdicts).map(([tool, verdict]) => ({ tool, verdict }))
  return defaultVerdict === undefined ? { rules } : { rules, default: defaultVerdict }
}

/** What is not JSON is equal to no argument: a rule with such a pattern would never match. */
function isPattern(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value !== 'object') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPattern)
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPattern)
}

/** A rule as text: its position does not count, the code of its `when` does. */
function contentOf({ when, ...rule }: Rule): string {
  return canonicalJson(toJson(when ? { ...rule, when: String(when) } : rule))
}
