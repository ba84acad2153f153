/** Asking a policy for its verdict, without running anything. */
import type { EffectClass, Json } from '@loom-agent/kernel'
import { changingClasses, harmlessClasses } from '../types/effect-class.ts'
import type { CallMatcher } from './matcher.ts'
import type { AdmittedCall, Judgement, Policy, Verdict } from './policy.ts'

/** A call that is not made, only judged. */
export interface ImaginedCall {
  /** The name of the tool. */
  readonly tool: string
  /** The arguments; default: an empty object. */
  readonly input?: Json
  /** The effect class of the tool; default `unsafe`. */
  readonly effect?: EffectClass
  /** The tool's own `permission`, where it declares one. */
  readonly permission?: Verdict
  /** The matcher of the tool, for rules such as `bash(git log *)`. */
  readonly matcher?: CallMatcher
  /** The id of the thread. */
  readonly thread?: string
  /** The dependencies of the run. */
  readonly deps?: unknown
  /** The calls that the run has made before; default: none. */
  readonly calls?: Iterable<AdmittedCall>
}

/**
 * Returns the verdict of a policy on a call, and the rules that decided.
 *
 * @example
 * await explainPermission({ bash: 'ask', default: 'deny' }, { tool: 'bash' })   // { verdict: 'ask', decidedBy: ['bash'] }
 */
export async function explainPermission(policy: Policy, call: ImaginedCall): Promise<Judgement> {
  const { judgeImagined } = await import('./judge-imagined.ts')
  return judgeImagined(policy, call)
}

/** A case of a policy test. */
export interface PolicyCase extends ImaginedCall {
  /** The verdict that the policy must give. */
  readonly expect: Verdict
}

/** Runs cases against a policy; returns those with another verdict than expected. */
export async function testPolicy(policy: Policy, cases: readonly PolicyCase[]): Promise<readonly (PolicyCase & { readonly got: Judgement })[]> {
  const { judgeCases } = await import('./judge-imagined.ts')
  return judgeCases(policy, cases)
}

/** Safe mode: what only reads runs, everything else asks, and a tool that denies itself stays denied; an approval for the whole thread is remembered by the thread. */
export function safeMode(): Policy {
  return {
    rules: [
      { tool: '*', effect: harmlessClasses, verdict: 'allow' },
      { tool: '*', effect: changingClasses, verdict: 'ask', reason: 'safe mode' },
    ],
    default: 'ask',
    keepDenials: true,
  }
}
