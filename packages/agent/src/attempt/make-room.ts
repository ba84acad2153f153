/** A request that was too long for its model: the strategy is asked once to make room. */
import { type Draft, type Frame, fold, nextPlace, place, type Run } from '@loom-agent/kernel'
import { assemble } from '../context/assemble.ts'
import { createAssembly } from '../context/assembly.ts'
import { instructionsIn, instructionsLayer, layersIn } from '../context/layers.ts'
import { createPrompt } from '../context/prompt.ts'
import type { ContextRequest, ContextStrategy } from '../context/strategy.ts'
import { estimateTokens } from '../model/estimate.ts'
import { type ModelIdentity, modelId } from '../model/model.ts'
import { callUser } from '../platform/call-user.ts'
import type { Cancellation } from '../platform/cancellation.ts'
import type { ModelWork } from './model-work.ts'

/**
 * The events of a rebase that makes the request shorter; undefined when the strategy makes none, because the same request would be refused again.
 * A hook's patch counts messages by their place, so it does not fit other messages.
 */
export async function makeRoom({ definition, context, outbox }: ModelWork, cancellation: Cancellation): Promise<readonly Draft[] | undefined> {
  const { frame } = outbox
  const run = frame.run as Run
  if (run.patch?.['keep'] !== undefined) return undefined
  const { context: strategy } = definition
  const shortening: ContextStrategy = {
    name: strategy.name,
    // Fields that take time are made when they are read: the request is extended, not copied.
    assemble: (request) => {
      const asked = Object.create(request, { rebase: { value: 'overflow' } }) as ContextRequest
      return callUser(() => strategy.assemble(asked))
    },
  }
  // The assembly makes a rebase where the run asks for one: here, with the instructions as they are.
  const origin = layersIn(frame.context)?.find(({ name }) => name === instructionsLayer)?.origin ?? 'agent'
  const asking: Frame = { ...frame, run: { ...run, rebase: { system: instructionsIn(frame.context), origin } } }
  const drafts = await assemble(shortening, { source: context, assembly: createAssembly(), frame: asking, cancellation, knowledge: definition })
  const after = fold(frame.thread, place(nextPlace(frame, frame.time), drafts), frame)
  return sizeOf(after, context.model) < sizeOf(frame, context.model) ? drafts : undefined
}

/** About how many tokens the messages of a frame have. */
function sizeOf(frame: Frame, model: ModelIdentity): number {
  const prompt = createPrompt()
  prompt.update(frame, model.specificationVersion, modelId(model))
  return estimateTokens({ prompt: prompt.messages() }, prompt)
}
