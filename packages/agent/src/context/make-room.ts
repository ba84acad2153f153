/** Asking a strategy to make a request shorter that was too long for its model. Loaded on use. */
import { type Draft, type Frame, fold, nextPlace, place, type Run } from '@loom-agent/kernel'
import { estimateTokens } from '../model/estimate.ts'
import type { SpecVersion } from '../model/model.ts'
import { callNamed } from '../platform/call-named.ts'
import { assemble } from './assemble.ts'
import { type AssemblyRequest, createAssembly } from './assembly.ts'
import { instructionsIn, instructionsLayer, layersIn } from './layers.ts'
import { createPrompt } from './prompt.ts'
import { type ContextRequest, type ContextStrategy, strategyWords } from './strategy.ts'

/** The model whose messages are measured. */
export interface MeasuredFor {
  readonly version: SpecVersion
  readonly id: string
}

/** What a strategy came to that was asked to make a request shorter. */
export interface Room {
  /** Whether the request is shorter: the same one would be refused again. */
  readonly isShorter: boolean
  /** The events to record: without a rebase where it makes nothing shorter, and with the summaries that were made all the same (COMPRESS-2). */
  readonly drafts: readonly Draft[]
}

/** The events of a rebase that makes the request shorter, where the strategy makes one. */
export async function roomBy(strategy: ContextStrategy, request: Omit<AssemblyRequest, 'assembly'>, model: MeasuredFor): Promise<Room> {
  const { frame } = request
  const shortening: ContextStrategy = {
    name: strategy.name,
    // Fields that take time are made when they are read: the request is extended, not copied.
    assemble: (given) => {
      const asked = Object.create(given, { rebase: { value: 'overflow' } }) as ContextRequest
      return callNamed(strategyWords(strategy), () => strategy.assemble(asked))
    },
  }
  // The assembly makes a rebase where the run asks for one: here, with the instructions as they are.
  const origin = layersIn(frame.context)?.find(({ name }) => name === instructionsLayer)?.origin ?? 'agent'
  const asking: Frame = { ...frame, run: { ...(frame.run as Run), rebase: { system: instructionsIn(frame.context), origin } } }
  const drafts = await assemble(shortening, { ...request, assembly: createAssembly(), frame: asking })
  const after = fold(frame.thread, place(nextPlace(frame, frame.time), drafts), frame)
  const isShorter = sizeOf(after, model) < sizeOf(frame, model)
  return { isShorter, drafts: isShorter ? drafts : drafts.filter(({ type }) => type.startsWith('context.compress')) }
}

/** About how many tokens the messages of a frame have. */
function sizeOf(frame: Frame, { version, id }: MeasuredFor): number {
  const prompt = createPrompt()
  prompt.update(frame, version, id)
  return estimateTokens({ prompt: prompt.messages() }, prompt)
}
