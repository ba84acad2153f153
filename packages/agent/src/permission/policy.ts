/** Policies, as users write them, and what they come to. */
import type { EffectClass, Json, JsonObject } from '@loom-agent/kernel'

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

/** One rule. It matches when the name, the effect, every pattern and `when` do. */
export interface Rule {
  /** A name, or a pattern in which * stands for anything. For a tool with a matcher also what its calls ask for, in brackets: `bash(git log *)`. */
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
  /** Arguments that the rule must meet, and others that it must not. They are checked when the agent is created; only a rule with `input` or a pattern in brackets, without `when`, can have some. */
  readonly examples?: { readonly meets?: readonly Json[]; readonly others?: readonly Json[] }
}

/**
 * How far a policy trusts what no rule names: `plan` denies whatever changes the world; `accept-edits` runs edits of the workspace that would be asked
 * about, `auto` also what runs in a sandbox of the operating system, and `bypass` whatever would be.
 */
export type Mode = 'plan' | 'default' | 'accept-edits' | 'auto' | 'bypass'

/** Names of tools, and their verdicts. */
export interface VerdictMap {
  readonly [tool: string]: Verdict
}

/** Rules, and the verdict where none matches. */
export interface RuleList {
  /** All rules that match a call count; the strictest verdict wins. Default: none. */
  readonly rules?: readonly Rule[]
  /** The verdict where no rule matches. Without it a policy denies such calls, and a layer leaves them to the other layers. */
  readonly default?: Verdict
}

/** What a policy may say besides its rules. */
export interface PolicyOptions {
  /** Judges and notes, and enforces nothing. */
  readonly shadow?: boolean
  /** A tool whose own `permission` is `deny` stays denied, whatever the rules say; default false. A mode such as `safeMode()` sets it. */
  readonly keepDenials?: boolean
  /** Settles questions that come from a tool's own `permission` or from the default; default `default`: they are asked. */
  readonly mode?: Mode
}

/** One layer of a policy, such as that of a company, a user or a project. */
export type Layer = VerdictMap | LayerRules

/** The rules of a layer. */
export interface LayerRules extends RuleList {
  /** The most that the mode of the policy may be; default: any. */
  readonly mostMode?: Mode
}

/** What one run may do less than its agent: names and verdicts, or rules without code. It is recorded with the run. */
export type RunLayer =
  | VerdictMap
  | (Omit<LayerRules, 'rules'> & {
      /** Rules without `when` and `examples`. */
      readonly rules?: readonly Omit<Rule, 'when' | 'examples'>[]
    })

/** A policy: names of tools and their verdicts, rules, or layers of these. In shadow mode verdicts are recorded and not enforced. */
export type Policy =
  | VerdictMap
  | (RuleList & PolicyOptions)
  | (PolicyOptions & {
      /** Policies by name, all of which count: a layer can only make the verdict of the others stricter. */
      readonly layers: { readonly [name: string]: Layer }
    })

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

/** Whether a value is a verdict. */
export function isVerdict(value: unknown): value is Verdict {
  return value === 'allow' || value === 'ask' || value === 'deny'
}

/** The least verdict of a call that a value is; undefined where it is none. */
export function leastVerdictIn(value: unknown): LeastVerdict | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // Read once: at another look it may say something else.
  const { atLeast, reason } = value as { readonly atLeast?: unknown; readonly reason?: unknown }
  if (!isVerdict(atLeast) || (reason !== undefined && typeof reason !== 'string')) return undefined
  return { atLeast, ...(reason !== undefined && { reason }) }
}
