/** Assembling the context: asks the strategy, and records what it decided. */
import type { Context, Draft, Frame, JsonObject, Run } from '@loom-agent/kernel'
import { chain } from '../platform/chain.ts'
import { type Assembly, type AssemblyRequest, type AssemblySource, type Due, grown } from './assembly.ts'
import { listedTools, withFound } from './found-tools.ts'
import { composeSystem, instructionsIn, instructionsLayer, type LayerText, layersIn, type SystemText } from './layers.ts'
import { isShort, standard } from './standard.ts'
import { type ContextStrategy, everything } from './strategy.ts'

let asking: typeof import('./ask-strategy.ts') | undefined
let bringing: typeof import('./bring-items.ts') | undefined

/** Loads how strategies are asked. */
export async function loadAsking(): Promise<typeof import('./ask-strategy.ts')> {
  asking ??= await import('./ask-strategy.ts')
  return asking
}

async function loadBringing(): Promise<typeof import('./bring-items.ts')> {
  bringing ??= await import('./bring-items.ts')
  return bringing
}

/** Whether a strategy is asked from the first turn on. Making a request for one that reads nothing would cost more than the rest of an assembly. */
export const isAsked = (strategy: ContextStrategy): boolean => strategy !== everything && strategy !== standard

/** The events that assembling the next context makes. */
export function assemble(strategy: ContextStrategy, request: AssemblyRequest): readonly Draft[] | Promise<readonly Draft[]> {
  const drafts = assembled(strategy, request)
  if (request.source.toolbox.brought.length === 0) return drafts
  return chain(bringing ?? loadBringing(), ({ bringItems }) => chain(drafts, (made) => bringItems(made, request)))
}

function assembled(strategy: ContextStrategy, request: AssemblyRequest): readonly Draft[] | Promise<readonly Draft[]> {
  const { source, assembly, frame } = request
  const run = frame.run as Run
  const due = dueRebase(source, frame, { run, assembly })
  if (strategy === everything || (strategy === standard && isLeft(request, run))) return unasked(due, frame)
  const asked = { instructions: frame.fork?.instructions ?? source.instructions, due, unasked }
  return chain(asking ?? loadAsking(), ({ ask }) => ask(strategy, request, asked))
}

/** Whether everything is shown without a look at the model: nobody has said how large its window is, nobody asks for less, and every model has room. */
const isLeft = ({ assembly, frame, knowledge }: AssemblyRequest, { id }: Run): boolean =>
  assembly.unasked === id || (!knowledge.options.window && !frame.compact && isShort(assembly.measured, frame))

/** What is recorded where no strategy is asked. */
const unasked = (due: Due | undefined, frame: Frame): readonly Draft[] => (due ? [rebased(due, frame)] : grown)

/** A rebase for what has to change, and for nothing else. */
function rebased({ reason, system, tools, layers }: Due, { context: { segments } }: Frame): Draft {
  const shown = { ...(layers && { layers }), ...(segments.length > 0 && { segments }) }
  return { type: 'context.assembled', data: { rebase: { reason, system, tools, ...shown } } }
}

/** The instructions in force: those of the fork that the thread is, those that a hook gave, or those of the agent. */
function instructionsOf({ instructions }: AssemblySource, { fork }: Frame, given: JsonObject | undefined): LayerText {
  const name = instructionsLayer
  if (fork?.instructions !== undefined) return { name, origin: 'fork', text: fork.instructions }
  if (!given) return { name, origin: 'agent', text: instructions }
  // What makes room after an overflow gives the instructions as they are, with who gave them.
  const { system, origin = 'hook' } = given as { readonly system: string; readonly origin?: string }
  return { name, origin, text: system }
}

/**
 * Why earlier bytes have to change before the strategy is asked. Checked once per run: a turn touches only what it adds.
 *
 * Instructions of a hook replace those of the agent, and those of a fork replace both; the tools, and the layers behind the instructions, are today's at the
 * start of every run all the same.
 */
function dueRebase(source: AssemblySource, frame: Frame, { run, assembly }: { run: Run; assembly: Assembly }): Due | undefined {
  const current = frame.context
  const given = run.rebase
  if (current.rebases === 0)
    return { reason: 'start', ...composeSystem(instructionsOf(source, frame, given), source.layers), tools: listedTools(source, frame) }
  const isChecked = assembly.checked === run.id || frame.turn !== run.firstTurn
  const tools = withFound(isChecked ? current.tools : listedTools(source, frame), source, frame)
  const found: Due | undefined = isChecked && tools !== current.tools ? { reason: 'tools', ...shownIn(current), tools } : undefined
  // A fork may have been cut in the middle of a run.
  if (isChecked && !given && frame.fork?.instructions === undefined) return found
  if (!isChecked) assembly.checked = run.id
  const instructions = instructionsOf(source, frame, given)
  const next = composeSystem(instructions, isChecked ? layersIn(current) : source.layers)
  const reason = given ? 'hook' : reasonFor(current, { ...next, tools }, instructions)
  return reason === undefined || (isChecked && reason !== 'hook' && reason !== 'fork') ? found : { reason, ...next, tools }
}

/** The system text that is shown now. */
const shownIn = ({ system, layers }: Context): SystemText => ({ system, ...(layers && { layers }) })

/** Which change of the system text or the tools makes a rebase; undefined when neither differs. */
function reasonFor(current: Context, next: Pick<Due, 'system' | 'tools'>, { origin, text }: LayerText): string | undefined {
  if (current.system !== next.system) {
    if (instructionsIn(current) === text) return 'layers'
    return origin === 'fork' ? 'fork' : 'instructions'
  }
  return current.tools !== next.tools && JSON.stringify(current.tools) !== JSON.stringify(next.tools) ? 'tools' : undefined
}
