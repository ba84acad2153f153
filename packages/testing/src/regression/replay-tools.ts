/** Tools whose bodies do not run: they return what was recorded, at the recorded moment. */
import type { AnyAgent, DurableContext, ToolLike, ToolSet } from '@loom-agent/agent'
import { type ErasedDefinition as Definition, redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
import type { LoomEvent } from '@loom-agent/kernel'
import { RunDivergence } from './divergence.ts'
import { bodyEndOf } from './recorded-outcome.ts'
import { awaitLine, fail, never, type Replay } from './replay.ts'
import type { Line } from './script.ts'
import { findLine, type ThreadReplay } from './thread-replay.ts'

/** What a replayed tool uses. */
export interface ToolWorld {
  readonly replay: Replay
  /** The same for an agent that a tool runs. */
  readonly agent: <A extends AnyAgent>(agent: A) => A
}

/** The tools of an agent, as the record has them. */
export function replayTools(world: ToolWorld, set: ToolSet<never>): ToolSet<never> {
  if (Array.isArray(set)) return (set as readonly ToolLike<never>[]).map((one) => replayTool(world, one.name, one))
  return Object.fromEntries(Object.entries(set).map(([name, one]) => [name, replayTool(world, name, one as ToolLike<never>)]))
}

function replayTool(world: ToolWorld, name: string, given: ToolLike<never>): ToolLike<never> {
  if (typeof given === 'function') {
    const run = (_input: never, context: DurableContext): unknown => playBody(world, { tool: name, context, timeout: undefined })
    return Object.defineProperty(run, 'name', { value: name }) as typeof given
  }
  if (given.kind === 'agent') return world.agent(given)
  const definition = toolDefinitionOf(given)
  const timeout = definition.schedule?.timeout
  const run: Definition['run'] = definition.durable
    ? (input, context) => definition.run(input, durableView(world, context))
    : (_input, context) => playBody(world, { tool: name, context, timeout })
  return redefineTool(given, { ...definition, run, ...(definition.check && { check: checkOf(world) }) })
}

interface Playing {
  readonly tool: string
  readonly context: DurableContext
  readonly timeout: number | undefined
}

const defaultTimeout = 120_000

/** What the body of a plain tool did. */
async function playBody({ replay }: ToolWorld, { tool, context, timeout = defaultTimeout }: Playing): Promise<unknown> {
  const { thread, call, signal } = context
  const threadReplay = replay.threads.get(thread)
  if (!threadReplay) return never
  const isEnd = ({ kind, track, event }: Line): boolean => kind === 'made' && track === call && event.type === 'tool.finished'
  const index = findLine(threadReplay, isEnd)
  const recorded = index === undefined ? undefined : threadReplay.lines[index]?.event
  if (recorded?.type !== 'tool.finished') return aborted(signal)
  const end = bodyEndOf(tool, recorded.data)
  const isLate = end.kind !== 'aborted' && (recorded.data.ms ?? 0) > timeout
  if (end.kind === 'late' || isLate) return never
  if (end.kind === 'aborted') return aborted(signal)
  await awaitLine(replay, threadReplay, isEnd)
  if (end.kind === 'returned') return end.value
  throw Object.assign(new Error(end.message), { name: end.name })
}

/** Ends with the abort, and not before. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, refuse) => {
    const end = (): void => refuse(new Error('aborted'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** Whether a call whose process was lost had happened: what was recorded afterwards shows it. */
function checkOf({ replay }: ToolWorld): NonNullable<Definition['check']> {
  return (_key, { thread, call }) => {
    const threadReplay = replay.threads.get(thread)
    const index = threadReplay && findLine(threadReplay, ({ track, kind }) => kind === 'made' && track === call)
    const isInDoubt = index !== undefined && threadReplay?.lines[index]?.event.type === 'tool.in-doubt'
    return { status: isInDoubt ? 'unknown' : 'not-done' }
  }
}

/** A durable body runs, since nothing else shows what it does between its waits; the results of its waits come from the record. */
function durableView(world: ToolWorld, context: DurableContext): DurableContext {
  const { replay } = world
  const { thread, call } = context
  const threadReplay = replay.threads.get(thread)
  const counts = new Map<string, number>()
  return {
    thread,
    call,
    key: context.key,
    signal: context.signal,
    deps: context.deps,
    progress: context.progress,
    ask: context.ask,
    sleep: context.sleep,
    run: (agent, input, options) => context.run(world.agent(agent), input, options),
    step(name, _run, options) {
      const occurrence = (counts.get(name) ?? 0) + 1
      counts.set(name, occurrence)
      const key = `step:${name}:${occurrence}`
      return context.step(name, () => (threadReplay ? playStep(replay, threadReplay, { call, key }) : never) as never, options)
    },
  }
}

/** What a step of a durable body did. */
async function playStep(replay: Replay, threadReplay: ThreadReplay, { call, key }: { call: string; key: string }): Promise<unknown> {
  const isEnd = ({ kind, event }: Line): boolean => kind === 'made' && isStep(event, call, key)
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

const isStep = (event: LoomEvent, call: string, key: string): boolean =>
  event.type === 'tool.step-finished' && event.data.call === call && event.data.key === key
