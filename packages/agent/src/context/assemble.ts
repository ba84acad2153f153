/** Assembling the context: asks the strategy, and records what it decided. */
import type { Draft, Frame, Run } from '@loom-agent/kernel'
import { chain } from '../platform/chain.ts'
import { type Assembly, type AssemblyRequest, type AssemblySource, type Due, grown } from './assembly.ts'
import { isShort, standard } from './standard.ts'
import { type ContextStrategy, everything } from './strategy.ts'

let asking: typeof import('./ask-strategy.ts') | undefined

/** Loads how strategies are asked. */
export async function loadAsking(): Promise<typeof import('./ask-strategy.ts')> {
  asking ??= await import('./ask-strategy.ts')
  return asking
}

/** Whether a strategy is asked from the first turn on. Making a request for one that reads nothing would cost more than the rest of an assembly. */
export const isAsked = (strategy: ContextStrategy): boolean => strategy !== everything && strategy !== standard

/** The events that assembling the next context makes. */
export function assemble(strategy: ContextStrategy, request: AssemblyRequest): readonly Draft[] | Promise<readonly Draft[]> {
  const { source, assembly, frame } = request
  const run = frame.run as Run
  const due = dueRebase(source, frame, { run, assembly })
  if (strategy === everything || (strategy === standard && isLeft(request, run))) return unasked(due, frame)
  const asked = { instructions: instructionsOf(source, frame), due, unasked }
  return chain(asking ?? loadAsking(), ({ ask }) => ask(strategy, request, asked))
}

/** Whether everything is shown without a look at the model: nobody has said how large its window is, nobody asks for less, and every model has room. */
const isLeft = ({ assembly, frame, knowledge }: AssemblyRequest, { id }: Run): boolean =>
  assembly.unasked === id || (!knowledge.options.window && !frame.compact && isShort(assembly.measured, frame))

/** What is recorded where no strategy is asked. */
const unasked = (due: Due | undefined, frame: Frame): readonly Draft[] => (due ? [rebased(due, frame)] : grown)

/** A rebase for what has to change, and for nothing else. */
function rebased({ reason, system, tools }: Due, { context: { segments } }: Frame): Draft {
  return { type: 'context.assembled', data: { rebase: { reason, system, tools, ...(segments.length > 0 && { segments }) } } }
}

/** The instructions in force: those of the fork that the thread is, those that a hook gave, or those of the agent. */
function instructionsOf({ instructions }: AssemblySource, { fork }: Frame, given?: string): string {
  return fork?.instructions ?? given ?? instructions
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
