/** Assembling the context: asks the strategy, and records what it decided. */
import { at, type Draft, type EventData, type Frame, type Json, type Rebase, type Run, type Segment, type ToolSpec } from '@loom-agent/kernel'
import type { Model, ModelObject } from '../model/model.ts'
import { type Cancellation, signalOf } from '../platform/cancellation.ts'
import { chain } from '../platform/chain.ts'
import { expected } from '../platform/expected.ts'
import { toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { coverHistory, type Essentials, essentialIndexes, noEssentials, readEssentials, wantedSegments } from './segments.ts'
import { type ContextPlan, type ContextRequest, type ContextStrategy, everything, planShape } from './strategy.ts'

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
  readonly window?: number
  readonly resolveModel?: (model: Model) => ModelObject | Promise<ModelObject>
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
    ...interim(source, frame, assembly),
  })
  return chain(plan, (settled) => {
    checkOptions(`The context strategy "${strategy.name}"`, { plan: settled }, { plan: expected.required(expected.options(planShape)) })
    return draftsOf(settled, { frame, assembly, due })
  })
}

function interim(
  { resolveModel, window }: AssemblySource,
  frame: Frame,
  assembly: Assembly,
): Pick<ContextRequest, 'model' | 'tokens' | 'essentials' | 'resolveModel'> {
  const text = (value: string): number => Math.ceil(value.length / 4)
  const entry = (index: number): number => text(JSON.stringify(at(frame.history, index)?.message ?? ''))
  return {
    model: { id: '', window, output: undefined, price: () => undefined },
    tokens: {
      text,
      entry,
      fixed: () => text(frame.context.system) + text(JSON.stringify(frame.context.tools)),
      shown: () => {
        let sum = text(frame.context.system) + text(JSON.stringify(frame.context.tools))
        let from = 0
        for (const segment of frame.context.segments) {
          if (segment.as === 'summary' && 'summary' in segment) sum += text(at(frame.summaries, segment.summary)?.summary ?? '')
          for (; from < segment.to; from += 1) if (segment.as === 'kept') sum += entry(from)
        }
        for (; from < frame.history.length; from += 1) sum += entry(from)
        return sum
      },
    },
    essentials: () => {
      readEssentials(assembly.essentials, frame)
      return essentialIndexes(frame.history, assembly.essentials)
    },
    resolveModel: (given) => resolveModel?.(given) ?? (given as ModelObject),
  }
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
  for (const summary of plan.compressed === undefined ? [] : [plan.compressed].flat())
    drafts.push({ type: 'context.compressed', data: plain(summary) })
  const items = plan.items?.length ? { items: plain(plan.items) } : undefined
  if (!due && !plan.rebase) return drafts.concat(items ? { type: 'context.assembled', data: items } : grown)
  const { system, tools } = due ?? frame.context
  const { segments } = frame.context
  const shown = plan.rebase && wantedSegments(plan.rebase, frame)
  const rebase: Rebase = {
    reason: plan.rebase?.reason ?? (due as Due).reason,
    system,
    tools,
    ...segmentsOf(shown ? safeSegments(frame, assembly, plain(shown)) : segments),
    ...(plan.rebase?.budget && { budget: plain(plan.rebase.budget) }),
  }
  const data: EventData['context.assembled'] = { rebase, ...items }
  return [...drafts, { type: 'context.assembled', data }]
}

const segmentsOf = (segments: readonly Segment[]): Pick<Rebase, 'segments'> => (segments.length > 0 ? { segments } : {})

/** A part of a plan, as it enters an event. */
const plain = <T extends object>(part: T): T => toJson(part) as T & Json

function safeSegments(frame: Frame, { essentials }: Assembly, wanted: readonly Segment[]): readonly Segment[] {
  readEssentials(essentials, frame)
  return coverHistory(frame, wanted, essentials)
}
