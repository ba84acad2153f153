/** Which item of a conversation a moment is about. */
import type { ChatItem } from '@loom-agent/telemetry'

/** The last item that an event up to the moment brought; -1 when there is none. */
export function itemOfSeq(items: readonly ChatItem[], seq: number): number {
  return items.findLastIndex((item) => item.seq <= seq)
}
