/** What contributors append; everything else in a journal is a driver's. */
import type { EventType, LoomEvent } from '@loom-agent/kernel'

const contributed: ReadonlySet<EventType> = new Set<EventType>([
  'thread.started',
  'thread.adopted',
  'thread.forked',
  'run.started',
  'run.queued',
  'message.steered',
  'signal.received',
  'question.answered',
  'run.stop-requested',
  'run.pause-requested',
  'limit.raised',
  'labels.changed',
  'context.compact-requested',
])

/** Whether a contributor may have appended an event. A run that was queued is started by the driver, and so is the stop of a run that has used its time. */
export const isContributed = ({ type, data }: LoomEvent): boolean =>
  contributed.has(type) && !(type === 'run.started' && 'queued' in data) && !(type === 'run.stop-requested' && 'limit' in data)
