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
  'breakpoints.changed',
  'schedule.set',
  'schedule.due',
  'schedule.started',
  'webhook.moved',
  'context.compact-requested',
  'workspace.changed',
  'workspace.restore-started',
])

/** Events of a driver by what they have: a run that was queued, a stop because the time is used up, what a call has changed whose performer was lost. */
const ofDriver: { readonly [T in EventType]?: string } = {
  'run.started': 'queued',
  'run.stop-requested': 'limit',
  'workspace.changed': 'call',
}

/** Whether a contributor may have appended an event. */
export function isContributed({ type, data }: LoomEvent): boolean {
  const field = ofDriver[type]
  return contributed.has(type) && !(field !== undefined && field in data)
}
