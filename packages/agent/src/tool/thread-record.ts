/** What a tool of Loom's own may read of its thread. */
import type { Frame, Journal } from '@loom-agent/kernel'
import type { ToolContext } from './define.ts'

/** The parts of a context that bodies do not see: what its call is performed with. */
interface Made {
  readonly work: {
    readonly journal: Journal
    readonly outbox: { readonly frame: Frame }
    readonly definition: { readonly behaviour: { readonly outputLimit: number } }
  }
}

/** The key under which contexts have those parts. It is no name, so that no body of a user's reads them by accident. */
export const made: unique symbol = Symbol('made')

/** What the call of a context is performed with. */
export function workOf(context: ToolContext): Made['work'] {
  return (context as ToolContext & { readonly [made]: Made })[made].work
}
