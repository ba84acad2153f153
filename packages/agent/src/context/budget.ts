/** How many tokens a request may have. */
import type { ContextModel } from './strategy.ts'

/** The share of a window that is reserved for the reply at most. */
const mostReserved = 0.25

/** The most tokens of a request; undefined when the window of the model is not known. */
export function budgetOf(
  { window, output }: ContextModel,
  { max, reserve }: { readonly max?: number; readonly reserve?: number },
): number | undefined {
  if (max !== undefined) return max
  if (window === undefined) return undefined
  const reserved = reserve ?? Math.min(output ?? Number.POSITIVE_INFINITY, Math.floor(window * mostReserved))
  return Math.max(1, window - reserved)
}
