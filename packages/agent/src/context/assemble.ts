/** Assembling the context: asks the strategy, and records what it decided. */
import { at, type Draft, type Frame, type Json, type Rebase, type Run, type ToolSpec } from '@loom-agent/kernel'
import { callUser } from '../platform/call-user.ts'
import { type Cancellation, signalOf } from '../platform/cancellation.ts'
import { chain } from '../platform/chain.ts'
import { expected } from '../platform/expected.ts'
import { toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { type ContextPlan, type ContextRequest, type ContextStrategy, everything, planShape } from './strategy.ts'

/** What an assembler remembers between turns of one driver. */
export interface Assembly {
  /** The run whose instructions and tools were compared with the context. */
  checked: string | undefined
  /** The index of the last input among the entries of the history that were read. */
  lastInput: number
  /** How many entries were read: an entry is looked at once. */
  read: number
}

/** An assembly before its first turn. */
export function createAssembly(): Assembly {
  return { checked: undefined, lastInput: 0, read: 0 }
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
  if (strategy === everything) return due ? draftsOf({}, { frame, assembly, due }) : grown
  const asked: ContextRequest = {
    frame,
    instructions: instructionsOf(source, frame),
    tools: source.toolbox.specs,
    rebase: due?.reason,
    get signal() {
      return signalOf(cancellation)
    },
  }
  const plan = callUser(() => strategy.assemble(asked))
  return chain(plan, (settled) => {
    checkOptions(`The context strategy "${strategy.name}"`, { plan: settled }, { plan: expected.required(expected.options(planShape)) })
    return draftsOf(settled, { frame, assembly, due })
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

interface Planned {
  readonly frame: Frame
  readonly assembly: Assembly
  readonly due: Due | undefined
}

function draftsOf(plan: ContextPlan, { frame, assembly, due }: Planned): readonly Draft[] {
  const drafts: Draft[] = []
  if (plan.retrieved) drafts.push({ type: 'retrieval.finished', data: plain(plan.retrieved) })
  if (plan.compressionFailed) drafts.push({ type: 'context.compression-failed', data: { error: plain(plan.compressionFailed) } })
  if (plan.compressed) drafts.push({ type: 'context.compressed', data: plain(plan.compressed) })
  if (!due && !plan.rebase) return drafts.concat(grown)
  const { system, tools } = due ?? frame.context
  const keepFrom = plan.rebase?.keepFrom === undefined ? frame.context.keepFrom : safeCut(frame, assembly, plan.rebase.keepFrom)
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
function safeCut({ history }: Frame, assembly: Assembly, wanted: number): number {
  for (; assembly.read < history.length; assembly.read += 1) if (at(history, assembly.read)?.origin === 'input') assembly.lastInput = assembly.read
  let cut = Math.max(0, Math.min(wanted, assembly.lastInput))
  while (cut > 0 && at(history, cut)?.message.role === 'tool') cut -= 1
  return cut
}
