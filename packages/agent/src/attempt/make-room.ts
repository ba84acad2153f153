/** A request that was too long for its model: the strategy is asked once to make room. */
import type { Draft, Run } from '@loom-agent/kernel'
import { roomBy } from '../context/make-room.ts'
import { modelId } from '../model/model.ts'
import type { Cancellation } from '../platform/cancellation.ts'
import type { ModelWork } from './model-work.ts'

/** The events of a rebase that makes the request shorter; undefined when the strategy makes none. A hook's patch counts messages by their place, so it does not fit other messages. */
export async function makeRoom({ definition, context, outbox }: ModelWork, cancellation: Cancellation): Promise<readonly Draft[] | undefined> {
  const { frame } = outbox
  if ((frame.run as Run).patch?.['keep'] !== undefined) return undefined
  const model = { version: context.model.specificationVersion, id: modelId(context.model) }
  return roomBy(definition.context, { source: context, frame, cancellation, knowledge: definition }, model)
}
