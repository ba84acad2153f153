/** What runs with a budget need beside other runs. */
import type { Run } from '@loom-agent/kernel'
import type { Definition } from '../definition/definition.ts'
import { isBudgeted } from '../model/budget.ts'

let budgeting: typeof import('./reserve-attempt.ts') | undefined

/** Loads how attempts are reserved. */
export async function loadBudgeting(): Promise<typeof import('./reserve-attempt.ts')> {
  budgeting ??= await import('./reserve-attempt.ts')
  return budgeting
}

/** How attempts are reserved; undefined for a run without a budget. `prepareBudget` has loaded it. */
export const budgetingOf = (run: Run): typeof budgeting => (isBudgeted(run) ? budgeting : undefined)

/** Loads what the budget of a run needs, and prices where it has a limit of money; undefined when there is nothing to wait for. */
export function prepareBudget({ options, host }: Definition, run: Run): Promise<unknown> | undefined {
  if (!isBudgeted(run)) return undefined
  if (!budgeting) return loadBudgeting()
  return run.limits.cost !== undefined && options.ports?.price === undefined ? host.loadPrices?.() : undefined
}
