/** What a relaxed journal flushes nevertheless. */
import type { Draft, EventType } from '@loom-agent/kernel'

/** Events that asking again brings back: no user has seen them, and no tool has changed anything. */
const repeatable = /^(model|context|turn|hook|retrieval)\./

/**
 * Whether a batch must be flushed before it is acknowledged, also in relaxed mode: it holds something that a human has seen or said, or the
 * intent or the result of a call that may not be run again.
 */
export function mustFlush(events: readonly Draft[]): boolean {
  let reads: Set<string> | undefined
  for (const { type, data } of events) {
    if (repeatable.test(type satisfies EventType)) continue
    if (type === 'tool.started' && (data.effect === 'pure' || data.effect === 'read')) {
      reads ??= new Set()
      reads.add(data.call)
    } else if (type !== 'tool.finished' || !reads?.has(data.call)) return true
  }
  return false
}
