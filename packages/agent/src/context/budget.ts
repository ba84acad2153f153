/** How many tokens a request may have. */
import type { ContextModel } from './model-facts.ts'

/** The share of a window that is reserved for the reply at most. */
const mostReserved = 0.25

/** What is reserved where nobody knows how long a reply may be: the larger of a few pages and a share of the window. */
const usualReply = { tokens: 4096, share: 0.125 } as const

/** The most tokens of a request; undefined when the window of the model is not known. */
export function budgetOf(
  { window, output }: ContextModel,
  { max, reserve }: { readonly max?: number; readonly reserve?: number },
): number | undefined {
  if (max !== undefined) return max
  if (window === undefined) return undefined
  const longest = output ?? Math.max(usualReply.tokens, Math.floor(window * usualReply.share))
  const reserved = reserve ?? Math.min(longest, Math.floor(window * mostReserved))
  return Math.max(1, window - reserved)
}
