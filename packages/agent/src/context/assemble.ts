/** Assembling the context: asks the strategy, and records what it decided. */
import { at, type Draft, type Frame, type Json, type Rebase, type Run, type ToolSpec } from '@loom-agent/kernel'
import type { Definition } from '../definition/definition.ts'
import { chain } from '../platform/chain.ts'
import type { Leash } from '../platform/cancellation.ts'
import { toJson } from '../platform/normalize.ts'
import type { RunContext } from '../definition/run-context.ts'
import { type ContextPlan, everything } from './strategy.ts'

/** What an assembler remembers between turns of one driver. */
export interface Assembly {
  checked: string | undefined
}

/** Nothing looked at yet. */
export function createAssembly(): Assembly {
  return { checked: undefined }
}

/** What of the code's side an assembly looks at. */
export type AssembledBy = Pick<RunContext, 'instructions' | 'toolbox'>

/** The events that assembling the next context makes. */
export function assemble(
  definition: Definition,
  context: AssembledBy,
  at: { assembly: Assembly; frame: Frame; leash: Leash },
): readonly Draft[] | Promise<readonly Draft[]> {
  const { assembly, frame, leash } = at
  const run = frame.run as Run
  const due = dueRebase(context, frame, { run, assembly })
  const { specs } = context.toolbox
  // Showing everything to a strategy that looks at nothing would cost more than the rest of this.
  const plan =
    definition.context === everything
      ? {}
      : definition.context.assemble({
          frame,
          instructions: context.instructions,
          tools: specs,
          rebase: due?.reason,
          get signal() {
            return leash.signal
          },
        })
  return chain(plan, (settled) => draftsOf(settled, frame, { due, system: frame.context.system, tools: frame.context.tools }))
}

interface Due {
  readonly reason: string
  readonly system: string
  readonly tools: readonly ToolSpec[]
}

/** Why earlier bytes have to change before the strategy is even asked. Looked at once per run: a turn touches only what it adds. */
function dueRebase(context: AssembledBy, frame: Frame, { run, assembly }: { run: Run; assembly: Assembly }): Due | undefined {
  const { instructions: system, toolbox } = context
  const { specs: tools } = toolbox
  const current = frame.context
  if (current.rebases === 0) return { reason: 'start', system, tools }
  if (run.rebase) return { reason: 'hook', system: run.rebase['system'] as string, tools: current.tools }
  if (assembly.checked === run.id || frame.turn !== run.firstTurn) return undefined
  assembly.checked = run.id
  if (current.system !== system) return { reason: 'instructions', system, tools }
  if (current.tools !== tools && JSON.stringify(current.tools) !== JSON.stringify(tools)) return { reason: 'tools', system, tools }
  return undefined
}

function draftsOf(plan: ContextPlan, frame: Frame, known: { due: Due | undefined; system: string; tools: readonly ToolSpec[] }): readonly Draft[] {
  const { due } = known
  const drafts: Draft[] = []
  if (plan.retrieved) drafts.push({ type: 'retrieval.finished', data: plain(plan.retrieved) })
  if (plan.compressionFailed) drafts.push({ type: 'context.compression-failed', data: { error: plain(plan.compressionFailed) } })
  if (plan.compressed) drafts.push({ type: 'context.compressed', data: plain(plan.compressed) })
  if (!due && !plan.rebase) return [...drafts, { type: 'context.assembled', data: {} }]
  const { system, tools } = due ?? known
  const keepFrom = plan.rebase?.keepFrom === undefined ? frame.context.keepFrom : safeCut(frame, plan.rebase.keepFrom)
  // What stands in for what is left out stays until the strategy cuts anew.
  const lead = plan.rebase?.lead ?? (plan.rebase?.keepFrom === undefined ? frame.context.lead : undefined)
  const rebase: Rebase = {
    reason: plan.rebase?.reason ?? (due as Due).reason,
    system,
    tools,
    ...(keepFrom > 0 && { keepFrom }),
    ...(lead !== undefined && { lead }),
  }
  return [...drafts, { type: 'context.assembled', data: { rebase } }]
}

/** What a strategy says, as it enters an event. */
const plain = <T extends object>(said: T): T => toJson(said) as T & Json

/** Never parts a call from its result, never drops the last input. */
function safeCut(frame: Frame, wanted: number): number {
  let cut = Math.max(0, Math.min(wanted, frame.history.length))
  let lastInput = frame.history.length - 1
  while (lastInput > 0 && at(frame.history, lastInput)?.origin !== 'input') lastInput -= 1
  cut = Math.min(cut, Math.max(0, lastInput))
  while (cut > 0 && at(frame.history, cut)?.message.role === 'tool') cut -= 1
  return cut
}
