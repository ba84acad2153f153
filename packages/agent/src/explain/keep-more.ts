/** A strategy that shows more than another one: what a hint proposes. */
import type { ContextPlan, ContextStrategy } from '../context/strategy.ts'
import { callUser } from '../platform/call-user.ts'
import { chain } from '../platform/chain.ts'
import type { ContextChange } from './explanation.ts'

/**
 * The strategy, changed so that it keeps more: it decides as before, and its rebases show whole what the change asks for.
 *
 * @example
 * const [hint] = (await explain(journal, 'user-123@42', 'the launch code')).hints
 * if (hint) console.log(renderReplay(await worker.replay('user-123', { with: { context: keepMore(strategy, hint.change) } })))
 */
export function keepMore(strategy: ContextStrategy, change: ContextChange): ContextStrategy {
  return {
    ...strategy,
    name: `${strategy.name} with ${change.kind}`,
    assemble: (request) =>
      chain(
        callUser(() => strategy.assemble(request)),
        // Loaded on use: a context that only grows shows everything.
        (plan): ContextPlan | Promise<ContextPlan> =>
          plan.rebase ? import('./show-more.ts').then(({ showMore }) => showMore(plan, request.frame, change)) : plan,
      ),
  }
}
