/** Safe mode: a policy for agents that are not known well yet. */
import { changingClasses, harmlessClasses } from '../types/effect-class.ts'
import type { Policy } from './policy.ts'

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
