/** A request that was too long for its model: the strategy is asked once to make room. */
import type { Draft, EventOf, Frame, Run } from '@loom-agent/kernel'
import { assemble, createAssembly } from '../context/assemble.ts'
import type { ContextStrategy } from '../context/strategy.ts'
import { callUser } from '../platform/call-user.ts'
import type { Cancellation } from '../platform/cancellation.ts'
import type { ModelWork } from './model-work.ts'

/**
 * The events of a rebase that leaves something out; undefined when the strategy has nothing to leave out, because the same request would be
 * refused again. A hook's patch counts messages by their place, so it does not fit other messages.
 */
export async function makeRoom({ definition, context, outbox }: ModelWork, cancellation: Cancellation): Promise<readonly Draft[] | undefined> {
  const { frame } = outbox
  const run = frame.run as Run
  if (run.patch?.['keep'] !== undefined) return undefined
  const { context: strategy } = definition
  const shortening: ContextStrategy = {
    name: strategy.name,
    assemble: (request) => callUser(() => strategy.assemble({ ...request, rebase: 'overflow' })),
  }
  // The assembly makes a rebase where the run asks for one: here, with the instructions as they are.
  const asking: Frame = { ...frame, run: { ...run, rebase: { system: frame.context.system } } }
  const drafts = await assemble(shortening, { source: context, assembly: createAssembly(), frame: asking, cancellation })
  const isShorter = drafts.some((draft) => draft.type === 'context.assembled' && leavesOut(draft.data, frame))
  return isShorter ? drafts : undefined
}

function leavesOut({ rebase }: EventOf<'context.assembled'>['data'], { context }: Frame): boolean {
  return rebase !== undefined && ((rebase.keepFrom ?? 0) > context.keepFrom || (rebase.lead !== undefined && rebase.lead !== context.lead))
}
