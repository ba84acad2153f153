/** Tools whose bodies do not run: they return what was recorded, at the recorded moment. */
import type { DurableContext } from '@loom-agent/agent'
import type { NamedTool, StepPlace, ToolCheck } from '../double/rebuild-agent.ts'
import { RunDivergence } from './divergence.ts'
import { bodyEndOf } from './recorded-outcome.ts'
import { awaitLine, fail, never, type Replay } from './replay.ts'
import type { Line } from './script.ts'
import { findLine, type ThreadReplay } from './thread-replay.ts'

const defaultTimeout = 120_000

/** What the body of a plain tool did. */
export async function playBody(replay: Replay, { name, schedule = {} }: NamedTool, context: DurableContext): Promise<unknown> {
  const { thread, call, signal } = context
  const threadReplay = replay.threads.get(thread)
  if (!threadReplay) return never
  const isEnd = ({ kind, track, event }: Line): boolean => kind === 'made' && track === call && event.type === 'tool.finished'
  const index = findLine(threadReplay, isEnd)
  const recorded = index === undefined ? undefined : threadReplay.lines[index]?.event
  if (recorded?.type !== 'tool.finished') return aborted(signal)
  const end = bodyEndOf(name, recorded.data)
  if (end.kind === 'aborted') return aborted(signal)
  if (end.kind === 'late' || (recorded.data.ms ?? 0) > (schedule.timeout ?? defaultTimeout)) return never
  await awaitLine(replay, threadReplay, isEnd)
  if (end.kind === 'returned') return end.value
  throw Object.assign(new Error(end.message), { name: end.name })
}

/** Ends with the abort, and not before. */
export function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, refuse) => {
    const end = (): void => refuse(new DOMException('aborted', 'AbortError'))
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}

/** Whether a call whose process was lost had happened: what was recorded afterwards shows it. */
export function playCheck(replay: Replay, { thread, call }: Parameters<ToolCheck>[1]): ReturnType<ToolCheck> {
  const threadReplay = replay.threads.get(thread)
  const index = threadReplay && findLine(threadReplay, ({ track, kind }) => kind === 'made' && track === call)
  const isInDoubt = index !== undefined && threadReplay?.lines[index]?.event.type === 'tool.in-doubt'
  return { status: isInDoubt ? 'unknown' : 'not-done' }
}

/** What a step of a durable body did. */
export async function playStep(replay: Replay, { thread, call, key }: StepPlace): Promise<unknown> {
  const threadReplay = replay.threads.get(thread)
  if (!threadReplay) return never
  const isEnd = ({ kind, event: { type, data } }: Line): boolean =>
    kind === 'made' && type === 'tool.step-finished' && data.call === call && data.key === key
  if (!isKnown(threadReplay, call, key)) {
    const step = [threadReplay.of, `turn ${threadReplay.frame.turn}`, `call ${call}`, key].filter(Boolean).join(', ')
    const advice = 'The durable body takes a step that it did not take: look at what it does between its waits.'
    fail(replay, new RunDivergence({ step, recorded: undefined, replayed: key, advice }))
  }
  const event = await awaitLine(replay, threadReplay, isEnd)
  const { value, error } = event.data as { readonly value?: unknown; readonly error?: { readonly message: string } }
  if (error) throw new Error(error.message)
  return value
}

/** Whether the record knows of a step: one that was lost with its process has no end, and one of a call that is open may not have begun. */
function isKnown({ lines, next, open }: ThreadReplay, call: string, key: string): boolean {
  const isNamed = ({ track, event }: Line): boolean => track === call && (event.data as { readonly key?: string }).key === key
  return open.has(call) || lines.some(isNamed) || lines.slice(next).some(({ kind }) => kind === 'lost')
}
