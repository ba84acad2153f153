/** Previewing: what the model would be sent next, without sending it and without writing to the journal. */
import { type Draft, emptyFrame, evolve, type Frame, type Message, nextPlace, place, type Run } from '@loom-agent/kernel'
import { assemble } from '../context/assemble.ts'
import { createAssembly } from '../context/assembly.ts'
import { describeLayers, type SystemLayer, systemBy } from '../context/describe-layers.ts'
import { createPrompt } from '../context/prompt.ts'
import type { RunOptions } from '../definition/agent-options.ts'
import { resolveRun } from '../definition/run-context.ts'
import { modelId } from '../model/model.ts'
import { createCancellation } from '../platform/cancellation.ts'
import { startInput } from '../run/start-input.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { UserMessages } from '../types/input.ts'
import { frameOf } from './travel.ts'

/** What the next request would hold. */
export interface Preview {
  /** The system text. */
  readonly system: string
  /** The layers of the system text, in order. */
  readonly layers: readonly SystemLayer[]
  /** The messages after the system text. */
  readonly messages: UserMessages
  /** The names of the tools. */
  readonly tools: readonly string[]
  /** Whether a summary in it stands in for one that a model would write. */
  readonly estimated: boolean
}

/** The options of a preview: those of the run, and the moment `thread@seq` after which it would start. */
export type PreviewOptions<Deps = unknown> = RunOptions<Deps> & {
  /** The moment; its thread counts instead of `thread`. */
  readonly at?: string | undefined
}

/** Folds what would be appended, up to the point where the model would be called. */
export async function previewOf(instance: AgentInstance, messages: readonly Message[], { at, ...options }: PreviewOptions<never>): Promise<Preview> {
  const { runtime, definition } = instance
  const start = await startOf(instance, { at, thread: options.thread })
  const { thread } = start
  const fold = (frame: Frame, drafts: readonly Draft[]): Frame => place(nextPlace(frame, frame.time), drafts).reduce(evolve, frame)
  const { drafts } = startInput(instance, { thread, messages, options: { ...options, whenBusy: 'queue' } }, start)
  const entered = fold(fold(start, drafts), [{ type: 'turn.entered', data: { turn: start.turn + 1 } }])
  const run = entered.run as Run
  const cancellation = createCancellation(runtime.ports.clock, definition.behaviour.grace)
  const source = await resolveRun(definition, entered, { run, overrides: options, models: runtime.models })
  let estimated = false
  // Nothing is sent to anybody: no model is asked for a summary either.
  const record = {
    summaryOf: () => undefined,
    onEstimated: () => {
      estimated = true
    },
  }
  const assembled = fold(
    entered,
    await assemble(definition.context, { source, assembly: createAssembly(), frame: entered, cancellation, knowledge: definition, record }),
  )
  const prompt = createPrompt()
  prompt.update(assembled, 'v4', modelId(source.model))
  const rendered = prompt.messages() as unknown[] as UserMessages
  return {
    system: assembled.context.system,
    layers: describeLayers(assembled.context, systemBy(entered, assembled.context.system)),
    messages: rendered.filter(({ role }) => role !== 'system'),
    tools: assembled.context.tools.map(({ name }) => name),
    estimated,
  }
}

/** The thread as it is now, as it was at a moment, or a new one. */
async function startOf({ runtime }: AgentInstance, { at, thread }: Pick<PreviewOptions<never>, 'at' | 'thread'>): Promise<Frame> {
  if (at !== undefined) return frameOf(runtime.journal, at)
  return thread === undefined ? emptyFrame('preview') : (await runtime.threads.load(thread)).frame
}
