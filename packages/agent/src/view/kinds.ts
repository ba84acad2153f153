/** Events and signals by kind: control, permission, progress or error. */

import { callUser } from '../platform/call-user.ts'
import { type Expected, expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { RunEvent } from '../types/run-event.ts'

/** The four kinds. */
export type EventKind = 'control' | 'permission' | 'progress' | 'error'

/** What an event or a signal is about: the first word of its type. */
type Subject<T extends RunEvent['type'] = RunEvent['type']> = T extends `${infer S}.${string}` ? S : T extends `${infer S}-${string}` ? S : T

const kinds: { readonly [S in Subject]: EventKind } = {
  thread: 'control',
  driver: 'control',
  breakpoints: 'control',
  run: 'control',
  turn: 'progress',
  message: 'control',
  signal: 'control',
  context: 'progress',
  retrieval: 'progress',
  model: 'progress',
  tool: 'progress',
  question: 'permission',
  child: 'progress',
  hook: 'control',
  limit: 'control',
  memory: 'progress',
  agent: 'control',
  labels: 'control',
  schedule: 'control',
  webhook: 'control',
  workspace: 'control',
  text: 'progress',
  reasoning: 'progress',
  input: 'progress',
  gap: 'control',
}

const exceptions: { readonly [T in RunEvent['type']]?: EventKind } = {
  'run.failed': 'error',
  'context.compression-failed': 'error',
  'model.failed': 'error',
  'tool.denied': 'permission',
  'tool.in-doubt': 'error',
  'workspace.changed': 'progress',
}

/** The kind of an event or signal. A call that ended with an error is an error. */
export function kindOf(event: RunEvent): EventKind {
  if (event.type === 'tool.finished' && event.data.status === 'error') return 'error'
  return exceptions[event.type] ?? kinds[event.type.split(/[.-]/, 1)[0] as Subject]
}

/** A listener for each kind. */
export type KindListeners = { readonly [K in EventKind]?: (event: RunEvent) => void }

const listenerShape: Readonly<Record<EventKind, Expected>> = {
  control: expected.function,
  permission: expected.function,
  progress: expected.function,
  error: expected.function,
}

/**
 * Calls the listener of each event's kind until the stream ends. To leave early, end the stream: `events.return()`.
 *
 * Resolves when the stream ends; rejects with what a listener throws or rejects with. The next event comes when a listener has returned.
 */
export async function subscribe(events: AsyncIterable<RunEvent>, listeners: KindListeners): Promise<void> {
  checkOptions('subscribe', listeners, listenerShape)
  for await (const event of events) await callUser(() => listeners[kindOf(event)]?.(event))
}
