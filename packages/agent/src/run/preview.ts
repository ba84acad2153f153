/** Previewing: what the model would be sent next, without sending it and without a trace in the journal. */
import { type Draft, emptyFrame, evolve, type Frame, type Message, place, type Run } from '@loom-agent/kernel'
import type { RunOptions } from '../agent-type.ts'
import { assemble, createAssembly } from '../context/assemble.ts'
import { createPrompt } from '../context/prompt.ts'
import type { UserMessages } from '../types/input.ts'
import { modelId } from '../model/model.ts'
import { createLeash } from '../platform/cancellation.ts'
import { beginning } from './run-input.ts'
import type { Runtime } from '../thread/thread-driver.ts'
import { resolveRun } from '../definition/run-context.ts'

/** What the next request would hold. */
export interface Preview {
  readonly system: string
  readonly messages: UserMessages
  readonly tools: readonly string[]
}

/** Folds what would be appended, up to the point where the model would be called. */
export async function previewOf(runtime: Runtime, messages: readonly Message[], options: RunOptions<never>): Promise<Preview> {
  const { world, definition } = runtime
  const thread = options.thread ?? 'preview'
  const start = options.thread === undefined ? emptyFrame(thread) : (await world.residents.load(thread)).frame
  const fold = (frame: Frame, drafts: readonly Draft[]): Frame =>
    place({ thread, seq: frame.seq + 1, time: frame.time, run: frame.run?.id, turn: frame.turn }, drafts).reduce(evolve, frame)
  const { drafts } = beginning(runtime, { thread, messages, options: { ...options, whenBusy: 'queue' } }, start)
  const entered = fold(fold(start, drafts), [{ type: 'turn.entered', data: { turn: start.turn + 1 } }])
  const run = entered.run as Run
  const { deps, model, tools } = options
  const overrides = { ...(deps !== undefined && { deps }), ...(model !== undefined && { model }), ...(tools !== undefined && { tools }) }
  const leash = createLeash({ clock: world.ports.clock, grace: definition.behaviour.grace })
  const context = await resolveRun(definition, entered, { run, overrides })
  const assembled = fold(entered, await assemble(definition, context, { assembly: createAssembly(), frame: entered, leash }))
  const prompt = createPrompt()
  prompt.update(assembled, 'v4', modelId(context.model))
  const rendered = prompt.messages() as unknown[] as UserMessages
  return {
    system: assembled.context.system,
    messages: rendered.filter(({ role }) => role !== 'system'),
    tools: assembled.context.tools.map(({ name }) => name),
  }
}
