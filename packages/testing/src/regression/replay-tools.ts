/** Tools whose bodies do not run: they return what was recorded, at the recorded moment. */
import type { DurableContext } from '@loom-agent/agent'
import { callOf, items } from '@loom-agent/kernel'
import type { NamedTool, StepPlace, ToolCheck } from '../double/rebuild-agent.ts'
import { RunDivergence } from './divergence.ts'
import { awaitLine, type EpochReplay, findLine, never } from './epoch-replay.ts'
import { bodyEndOf, wasGivenUp } from './recorded-outcome.ts'
import { epochOf, type Replay } from './replay.ts'
import type { ScriptEntry } from './script.ts'

const defaultTimeout = 120_000

/** A call of a plain tool. */
export interface PlayedCall {
  readonly tool: NamedTool
  readonly context: DurableContext
  /** Runs the tool's own body. */
  readonly run: () => unknown
}

const isStopRequest = ({ event }: ScriptEntry): boolean => event.type === 'run.stop-requested'

/** What the body of a plain tool did; or what it does now, where bodies run. */
export async function playBody(replay: Replay, { tool: { name, schedule = {} }, context, run }: PlayedCall): Promise<unknown> {
  const { thread, call, signal } = context
  const epoch = epochOf(replay, thread)
  if (!epoch) return never
  const isEnd = ({ kind, track, event }: ScriptEntry): boolean => kind === 'made' && track === call && event.type === 'tool.finished'
  const index = findLine(epoch, isEnd)
  const recorded = index === undefined ? undefined : epoch.lines[index]?.event
  if (recorded?.type !== 'tool.finished') return aborted(signal)
  const end = bodyEndOf(name, recorded.data)
  if (end.kind === 'aborted') return aborted(signal)
  if (end.kind === 'late' || (recorded.data.ms ?? 0) > (schedule.timeout ?? defaultTimeout)) return never
  // What a body throws after it was asked to end is an abort: one that threw did so before the driver knew of the stop.
  const stop = findLine(epoch, isStopRequest, index)
  await awaitLine(epoch, end.kind === 'threw' && stop !== undefined ? isStopRequest : isEnd)
  if (replay.executes(name)) return execute(epoch, { name, call }, run)
  if (end.kind === 'returned') return end.value
  throw Object.assign(new Error(end.message), { name: end.name })
}

/** Runs a body, and notes how it ended: the report of a difference says so. */
async function execute({ bodies, redact }: EpochReplay, { name, call }: ExecutedCall, run: () => unknown): Promise<unknown> {
  bodies.set(call, `The body of ${name} ran (execute) and had not ended when the replay went on: give it more time with { patience }.`)
  try {
    const value = await run()
    bodies.set(call, `The body of ${name} ran (execute) and returned something else: look at the body, at behaviour.outputLimit and at hooks.`)
    return value
  } catch (error) {
    const thrown = redact(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    bodies.set(call, `The body of ${name} ran (execute) and threw ${thrown.replace(/[.\s]*$/, '')}: look at the body, and at what it needs.`)
    throw error
  }
}

/** The call of a body that runs. */
interface ExecutedCall {
  readonly name: string
  readonly call: string
}

/** What the body of a durable tool returns; nothing where the call had ended before its body did. */
export function playDurable(replay: Replay, { thread, call }: DurableContext, returned: unknown): unknown {
  const epoch = epochOf(replay, thread)
  const isGivenUp = epoch?.lines.some(({ track, event }) => track === call && wasGivenUp(epoch.frame, event))
  return isGivenUp && returned instanceof Promise ? returned.then(() => never) : returned
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
  const epoch = epochOf(replay, thread)
  const index = epoch && findLine(epoch, ({ track, kind }) => kind === 'made' && track === call)
  const isInDoubt = index !== undefined && epoch?.lines[index]?.event.type === 'tool.in-doubt'
  return { status: isInDoubt ? 'unknown' : 'not-done' }
}

/** A step that the record does not know was not taken before the driver was done: it is not taken here, and reported when nothing else can happen. */
export function awaitStep(replay: Replay, { thread, call, key }: StepPlace): Promise<void> | undefined {
  const epoch = epochOf(replay, thread)
  if (!epoch) return never
  if (isKnown(epoch, call, key)) return undefined
  const step = [epoch.of, `turn ${epoch.frame.turn}`, `call ${call}`, key].filter(Boolean).join(', ')
  const advice = 'The durable body takes a step that it did not take: look at what it does between its waits.'
  epoch.unknownSteps.push(new RunDivergence({ step, recorded: undefined, replayed: key, advice }))
  epoch.progress += 1
  return never
}

/** What a step of a durable body did. */
export async function playStep(replay: Replay, { thread, call, key }: StepPlace): Promise<unknown> {
  const epoch = epochOf(replay, thread)
  if (!epoch) return never
  const isEnd = ({ kind, event: { type, data } }: ScriptEntry): boolean =>
    kind === 'made' && type === 'tool.step-finished' && data.call === call && data.key === key
  const event = await awaitLine(epoch, isEnd)
  const { value, error } = event.data as { readonly value?: unknown; readonly error?: { readonly message: string } }
  if (error) throw new Error(error.message)
  return value
}

/** When a recorded wait ended at the latest. A body may name a moment of the calendar, and a replay has other times. */
export function recordedDeadline(replay: Replay, { thread, call, key }: Pick<StepPlace, 'thread' | 'call' | 'key'>): number | undefined {
  const epoch = epochOf(replay, thread)
  for (const { event } of epoch?.lines ?? [])
    if (event.type === 'tool.step-started' && event.data.call === call && event.data.key === key) return event.data.until
  return undefined
}

/** Whether the record knows of a step: in this epoch, or from before. One that was lost with its process has no end. */
function isKnown({ lines, isOpen, frame: { run } }: EpochReplay, call: string, key: string): boolean {
  const current = run && callOf(run, call)
  const before = current ? [...items(current.done), ...current.open] : []
  const isNamed = ({ track, event }: ScriptEntry): boolean => track === call && (event.data as { readonly key?: string }).key === key
  return isOpen || before.some((step) => step.key === key) || lines.some(isNamed)
}
