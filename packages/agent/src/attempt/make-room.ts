/** A request that was too long for its model: the strategy is asked once to make room. */
import type { Run } from '@loom-agent/kernel'
import { type Room, roomBy } from '../context/make-room.ts'
import { modelId } from '../model/model.ts'
import type { Cancellation } from '../platform/cancellation.ts'
import type { ModelWork } from './model-work.ts'

/** What the strategy comes to; undefined where it is not asked, because a hook's patch counts messages by their place and fits no other ones. */
export async function makeRoom({ definition, context, outbox }: ModelWork, cancellation: Cancellation): Promise<Room | undefined> {
  const { frame } = outbox
  if ((frame.run as Run).patch?.['keep'] !== undefined) return undefined
  const model = { version: context.model.specificationVersion, id: modelId(context.model) }
  return roomBy(definition.context, { source: context, frame, cancellation, knowledge: definition }, model)
}
