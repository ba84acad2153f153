/** Assembling the context: asks the strategy, and records what it decided. */
import { at, type Draft, type Frame, type Json, type Rebase, type Run, type ToolSpec } from '@loom-agent/kernel'
import { type Cancellation, signalOf } from '../platform/cancellation.ts'
import { chain } from '../platform/chain.ts'
import { expected } from '../platform/expected.ts'
import { toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { type ContextPlan, type ContextStrategy, everything, planShape } from './strategy.ts'

/** What an assembler remembers between turns of one driver. */
export interface Assembly {
  checked: string | undefined
}

/** An assembly before its first turn. */
export function createAssembly(): Assembly {
  return { checked: undefined }
}

/** What code supplies to an assembly. */
export interface AssemblySource {
  readonly instructions: string
  readonly toolbox: { readonly specs: readonly ToolSpec[] }
}

/** What an assembly is made for. */
export interface AssemblyRequest {
  readonly source: AssemblySource
  readonly assembly: Assembly
  readonly frame: Frame
  readonly cancellation: Cancellation
}

/** The events that assembling the next context makes. */
export function assemble(strategy: ContextStrategy, request: AssemblyRequest): readonly Draft[] | Promise<readonly Draft[]> {
  const { source, assembly, frame, cancellation } = request
  const run = frame.run as Run
  const due = dueRebase(source, frame, { run, assembly })
  // The default strategy reads nothing: making its request would cost more than the rest of this.
  if (strategy === everything) return due ? draftsOf({}, frame, due) : grown
  const plan = strategy.assemble({
    frame,
    instructions: instructionsOf(source, frame),
    tools: source.toolbox.specs,
    rebase: due?.reason,
    get signal() {
      return signalOf(cancellation)
    },
  })
  return chain(plan, (settled) => {
    checkOptions(`The context strategy "${strategy.name}"`, { plan: settled }, { plan: expected.required(expected.options(planShape)) })
    return draftsOf(settled, frame, due)
  })
}

/** The instructions in force: those of the fork that the thread is, those that a hook gave, or those of the agent. */
function instructionsOf({ instructions }: AssemblySource, { fork }: Frame, given?: string): string {
  return fork?.instructions ?? given ?? instructions
}

interface Due {
  readonly reason: string
  readonly system: string
  readonly tools: readonly ToolSpec[]
}

/**
 * Why earlier bytes have to change before the strategy is asked. Checked once per run: a turn touches only what it adds.
 *
 * Instructions of a hook replace those of the agent, and those of a fork replace both; the tools are today's at the start of every run all the same.
 */
function dueRebase(source: AssemblySource, frame: Frame, { run, assembly }: { run: Run; assembly: Assembly }): Due | undefined {
  const current = frame.context
  const given = run.rebase?.['system'] as string | undefined
  const system = instructionsOf(source, frame, given)
  const { specs } = source.toolbox
  if (current.rebases === 0) return { reason: 'start', system, tools: specs }
  const isChecked = assembly.checked === run.id || frame.turn !== run.firstTurn
  if (!isChecked) assembly.checked = run.id
  const tools = isChecked ? current.tools : specs
  if (given !== undefined) return { reason: 'hook', system, tools }
  // A fork may have been cut in the middle of a run.
  if (frame.fork?.instructions !== undefined && current.system !== system) return { reason: 'fork', system, tools }
  if (isChecked) return undefined
  if (current.system !== system) return { reason: 'instructions', system, tools }
  if (current.tools !== tools && JSON.stringify(current.tools) !== JSON.stringify(tools)) return { reason: 'tools', system, tools }
  return undefined
}

const grown: readonly Draft[] = [{ type: 'context.assembled', data: {} }]

function draftsOf(plan: ContextPlan, frame: Frame, due: Due | undefined): readonly Draft[] {
  const drafts: Draft[] = []
  if (plan.retrieved) drafts.push({ type: 'retrieval.finished', data: plain(plan.retrieved) })
  if (plan.compressionFailed) drafts.push({ type: 'context.compression-failed', data: { error: plain(plan.compressionFailed) } })
  if (plan.compressed) drafts.push({ type: 'context.compressed', data: plain(plan.compressed) })
  if (!due && !plan.rebase) return drafts.concat(grown)
  const { system, tools } = due ?? frame.context
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

/** A part of a plan, as it enters an event. */
const plain = <T extends object>(part: T): T => toJson(part) as T & Json

/** Never parts a call from its result, never drops the last input. */
function safeCut(frame: Frame, wanted: number): number {
  let cut = Math.max(0, Math.min(wanted, frame.history.length))
  let lastInput = frame.history.length - 1
  while (lastInput > 0 && at(frame.history, lastInput)?.origin !== 'input') lastInput -= 1
  cut = Math.min(cut, Math.max(0, lastInput))
  while (cut > 0 && at(frame.history, cut)?.message.role === 'tool') cut -= 1
  return cut
}
