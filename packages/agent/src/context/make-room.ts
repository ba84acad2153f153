/** Asking a strategy to make a request shorter that was too long for its model. Loaded on use. */
import { type Draft, type Frame, fold, nextPlace, place, type Run } from '@loom-agent/kernel'
import { estimateTokens } from '../model/estimate.ts'
import type { SpecVersion } from '../model/model.ts'
import { callUser } from '../platform/call-user.ts'
import { assemble } from './assemble.ts'
import { type AssemblyRequest, createAssembly } from './assembly.ts'
import { instructionsIn, instructionsLayer, layersIn } from './layers.ts'
import { createPrompt } from './prompt.ts'
import type { ContextRequest, ContextStrategy } from './strategy.ts'

/** The model whose messages are measured. */
export interface MeasuredFor {
  readonly version: SpecVersion
  readonly id: string
}

/** The events of a rebase that makes the request shorter; undefined when the strategy makes none, because the same request would be refused again. */
export async function roomBy(
  strategy: ContextStrategy,
  request: Omit<AssemblyRequest, 'assembly'>,
  model: MeasuredFor,
): Promise<readonly Draft[] | undefined> {
  const { frame } = request
  const shortening: ContextStrategy = {
    name: strategy.name,
    // Fields that take time are made when they are read: the request is extended, not copied.
    assemble: (given) => {
      const asked = Object.create(given, { rebase: { value: 'overflow' } }) as ContextRequest
      return callUser(() => strategy.assemble(asked))
    },
  }
  // The assembly makes a rebase where the run asks for one: here, with the instructions as they are.
  const origin = layersIn(frame.context)?.find(({ name }) => name === instructionsLayer)?.origin ?? 'agent'
  const asking: Frame = { ...frame, run: { ...(frame.run as Run), rebase: { system: instructionsIn(frame.context), origin } } }
  const drafts = await assemble(shortening, { ...request, assembly: createAssembly(), frame: asking })
  const after = fold(frame.thread, place(nextPlace(frame, frame.time), drafts), frame)
  return sizeOf(after, model) < sizeOf(frame, model) ? drafts : undefined
}

/** About how many tokens the messages of a frame have. */
function sizeOf(frame: Frame, { version, id }: MeasuredFor): number {
  const prompt = createPrompt()
  prompt.update(frame, version, id)
  return estimateTokens({ prompt: prompt.messages() }, prompt)
}
