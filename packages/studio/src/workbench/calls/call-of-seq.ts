/** Which call a moment is about. */
import type { ChainedCall } from '@loom-agent/telemetry'

/** The call that ended with an event, or else the last one that was proposed up to it; -1 without one. */
export function callOfSeq(calls: readonly ChainedCall[], seq: number): number {
  const ended = calls.findIndex(({ endedAt }) => endedAt === seq)
  return ended >= 0 ? ended : calls.findLastIndex(({ proposedAt }) => proposedAt <= seq)
}
