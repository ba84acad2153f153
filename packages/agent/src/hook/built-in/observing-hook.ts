/** Hooks that only observe. */
import type { Frame, LoomEvent } from '@loom-agent/kernel'
import type { Hook } from '../hook.ts'

/**
 * A hook that takes part in no point and is notified of what has happened.
 *
 * What it sees is durable and seen once, also how a run ended, which no point shows. It adds no commit to a turn.
 */
export interface ObservingHook extends Hook {
  /** Called with every durable event of the agent's threads, with the frame after the batch it came in. */
  observe(event: LoomEvent, frame: Frame): void
}

/** The events that end a run. */
export const endings: ReadonlySet<LoomEvent['type']> = new Set(['run.finished', 'run.failed', 'run.stopped'])
