/** Asking a policy for its verdict, without running anything. */

import type { EffectClass, Json } from '@loom-agent/kernel'
import { type Expected, expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { changingClasses, effectClass, harmlessClasses } from '../types/effect-class.ts'
import { compilePolicy, verdict } from './compile-policy.ts'
import type { JudgedCall } from './judge.ts'
import type { CallMatcher, ErasedMatcher } from './matcher.ts'
import type { AdmittedCall, Judgement, Policy, Verdict } from './policy.ts'

/** A call that is not made, only judged. */
export interface ImaginedCall {
  /** The name of the tool. */
  readonly tool: string
  /** The other name by which rules know the tool, where it has one. */
  readonly ruleName?: string
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

const callShape: Readonly<Record<keyof ImaginedCall, Expected>> = {
  tool: expected.required(expected.name),
  ruleName: expected.text,
  input: expected.anything,
  effect: effectClass,
  permission: verdict,
  matcher: expected.object,
  thread: expected.text,
  deps: expected.anything,
  calls: expected.anything,
}

function judgedCall({ tool, ruleName, input = {}, effect = 'unsafe', matcher: given, thread = '', deps, calls = [] }: ImaginedCall): JudgedCall {
  const matcher = given as ErasedMatcher | undefined
  const facts: JudgedCall['facts'] = () => ({ tool, effect, input, thread, deps, calls })
  return { tool, ruleName, effect, facts, ...(matcher && { matcher, parts: () => matcher.parts(input) }) }
}

/**
 * Returns the verdict of a policy on a call, and the rules that decided.
 *
 * @example
 * await explainPermission({ bash: 'ask', default: 'deny' }, { tool: 'bash' })   // { verdict: 'ask', decidedBy: ['bash'] }
 */
export async function explainPermission(policy: Policy, call: ImaginedCall): Promise<Judgement> {
  checkOptions('explainPermission', call, callShape)
  return judgementOf(policy, call)
}

async function judgementOf(policy: Policy, call: ImaginedCall): Promise<Judgement> {
  const { judge } = await import('./judge.ts')
  const compiled = compilePolicy(policy)
  const { judgement } = await judge(compiled, judgedCall(call), call.permission && { verdict: call.permission })
  // Also where no rule was asked: in plan mode, or for a call that cannot be taken apart.
  return compiled.shadow ? { ...judgement, shadow: true } : judgement
}

/** A case of a policy test. */
export interface PolicyCase extends ImaginedCall {
  /** The verdict that the policy must give. */
  readonly expect: Verdict
}

/** Runs cases against a policy; returns those with another verdict than expected. */
export async function testPolicy(policy: Policy, cases: readonly PolicyCase[]): Promise<readonly (PolicyCase & { readonly got: Judgement })[]> {
  for (const [index, one] of cases.entries()) checkOptions(`testPolicy: case ${index}`, one, { ...callShape, expect: expected.required(verdict) })
  const judged = await Promise.all(cases.map(async (one) => ({ ...one, got: await judgementOf(policy, one) })))
  return judged.filter(({ expect, got }) => got.verdict !== expect)
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
