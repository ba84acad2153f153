/** Assembling the context: asks the strategy, and records what it decided. */
import type { Draft, EventData, Frame, Json, Rebase, Run, Segment, ToolSpec } from '@loom-agent/kernel'
import { type Cancellation, signalOf } from '../platform/cancellation.ts'
import { chain } from '../platform/chain.ts'
import { expected } from '../platform/expected.ts'
import { toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { coverHistory, type Essentials, noEssentials, readEssentials } from './segments.ts'
import { type ContextPlan, type ContextStrategy, everything, planShape } from './strategy.ts'

/** What an assembler remembers between turns of one driver. */
export interface Assembly {
  /** The run whose instructions and tools were compared with the context. */
  checked: string | undefined
  /** The entries that no rebase leaves out. */
  readonly essentials: Essentials
}

/** An assembly before its first turn. */
export function createAssembly(): Assembly {
  return { checked: undefined, essentials: noEssentials() }
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
  const items = plan.items?.length ? { items: plain(plan.items) } : undefined
  if (!due && !plan.rebase) return drafts.concat(items ? { type: 'context.assembled', data: items } : grown)
  const { system, tools } = due ?? frame.context
  const { segments } = frame.context
  const shown = plan.rebase ? wantedSegments(plan.rebase, frame) : undefined
  const rebase: Rebase = {
    reason: plan.rebase?.reason ?? (due as Due).reason,
    system,
    tools,
    ...segmentsOf(shown ? safeSegments(frame, assembly, shown) : segments),
    ...(plan.rebase?.budget && { budget: plain(plan.rebase.budget) }),
  }
  const data: EventData['context.assembled'] = { rebase, ...items }
  return [...drafts, { type: 'context.assembled', data }]
}

const segmentsOf = (segments: readonly Segment[]): Pick<Rebase, 'segments'> => (segments.length > 0 ? { segments } : {})

/** What a strategy asks for; undefined when it leaves the cuts as they are. */
export function wantedSegments(
  { segments, keepFrom, lead, reason }: NonNullable<ContextPlan['rebase']>,
  { context }: Frame,
): readonly Segment[] | undefined {
  if (segments) return plain(segments)
  if (keepFrom !== undefined) {
    const cut: Segment = lead === undefined ? { to: keepFrom, as: 'dropped', rule: 'keepFrom', reason } : { to: keepFrom, as: 'summary', text: lead }
    return [cut]
  }
  // A text alone stands for what is left out already.
  return lead === undefined ? undefined : withLead(context.segments, lead)
}

function withLead(segments: readonly Segment[], text: string): readonly Segment[] {
  const [first, ...rest] = segments
  return first && first.as !== 'kept' ? [{ to: first.to, as: 'summary', text }, ...rest] : [{ to: 0, as: 'summary', text }, ...segments]
}

/** A part of a plan, as it enters an event. */
const plain = <T extends object>(part: T): T => toJson(part) as T & Json

function safeSegments(frame: Frame, { essentials }: Assembly, wanted: readonly Segment[]): readonly Segment[] {
  readEssentials(essentials, frame)
  return coverHistory(frame, wanted, essentials)
}
