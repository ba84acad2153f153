/** Events and signals by kind: control, permission, progress or error. */
import type { RunEvent } from '../agent-type.ts'

/** The four kinds. */
export type EventKind = 'control' | 'permission' | 'progress' | 'error'

const kinds: { readonly [T in RunEvent['type']]: EventKind } = {
  'thread.started': 'control',
  'thread.forked': 'control',
  'driver.acquired': 'control',
  'run.queued': 'control',
  'run.started': 'control',
  'run.suspended': 'control',
  'run.resumed': 'control',
  'run.stop-requested': 'control',
  'run.pause-requested': 'control',
  'run.finished': 'control',
  'run.failed': 'error',
  'run.stopped': 'control',
  'turn.entered': 'progress',
  'message.steered': 'control',
  'context.assembled': 'progress',
  'context.compressed': 'progress',
  'context.compression-failed': 'error',
  'retrieval.finished': 'progress',
  'model.requested': 'progress',
  'model.replied': 'progress',
  'model.failed': 'error',
  'tool.denied': 'permission',
  'tool.started': 'progress',
  'tool.step-started': 'progress',
  'tool.step-finished': 'progress',
  'tool.suspended': 'progress',
  'tool.finished': 'progress',
  'tool.in-doubt': 'error',
  'question.asked': 'permission',
  'question.answered': 'permission',
  'question.expired': 'permission',
  'child.started': 'progress',
  'child.finished': 'progress',
  'hook.applied': 'control',
  'limit.raised': 'control',
  'memory.recorded': 'progress',
  'agent.upgraded': 'control',
  'text-start': 'progress',
  'text-delta': 'progress',
  'text-end': 'progress',
  'reasoning-start': 'progress',
  'reasoning-delta': 'progress',
  'reasoning-end': 'progress',
  'input-start': 'progress',
  'input-delta': 'progress',
  'input-end': 'progress',
  'tool-start': 'progress',
  'tool-delta': 'progress',
  'tool-end': 'progress',
  gap: 'control',
}

/** The kind of an event or signal. A call that ended with an error is an error. */
export function kindOf(event: RunEvent): EventKind {
  return event.type === 'tool.finished' && event.data.status === 'error' ? 'error' : kinds[event.type]
}

/** A listener for each kind. */
export type KindListeners = { readonly [K in EventKind]?: (event: RunEvent) => void }

/**
 * Calls the listener of each event's kind until the stream ends. To leave early, end the stream: `events.return()`.
 *
 * Resolves when the stream ends; rejects with what a listener throws.
 */
export async function subscribe(events: AsyncIterable<RunEvent>, listeners: KindListeners): Promise<void> {
  for await (const event of events) listeners[kindOf(event)]?.(event)
}
