/** Asking a policy for its verdict, without running anything. */
import { changingClasses, harmlessClasses } from '../types/effect-class.ts'
import type { ImaginedCall, PolicyCase } from './judge-imagined.ts'
import type { Judgement, Policy } from './policy.ts'

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
