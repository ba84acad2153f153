/** Running a child: from its start to the record of its end. Ids follow from the parent's incarnation; a child that was started is found by its record. */
import {
  callOf,
  type Draft,
  type EventData,
  type Failure,
  isAtRest,
  isLoomError,
  isOver,
  items,
  type Json,
  type Limits,
  type LoomError,
  readEvents,
  type StepRecord,
  summarize,
} from '@loom-agent/kernel'
import { intend } from '../call/call-job.ts'
import { type ChildOwner, type ChildRequest, callerEnded, parked } from '../call/child-runner.ts'
import { definitionOf } from '../definition/agent-definition.ts'
import { createCancellation, signalOf, startGracePeriod, waitFor } from '../platform/cancellation.ts'
import { failureOf } from '../platform/failure-of.ts'
import { never } from '../platform/never.ts'
import { openChildren } from '../question/questions.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import { toMessages } from '../types/input.ts'
import type { ChildRecord, Result } from '../types/result.ts'
import { childIdOf } from '../types/thread-id.ts'
import { allotmentFor } from './allotment.ts'
import { resultOf } from './result-of.ts'
import { startRun } from './start-run.ts'

/** Milliseconds after which a child that waits is looked at again. */
const lookAgain = 10_000
/** Turns of a child whose agent sets no limit. */
const childTurns = 10

/** The children of one driver of a thread. */
export interface Children {
  readonly instance: AgentInstance
  /** The thread that has started them. */
  readonly parent: string
  /** For each child that waits, what ends the watch over it. */
  readonly watches: Map<string, () => void>
  /** Children that had waited and are being moved on. */
  readonly movingOn: Set<Promise<void>>
  /** A child is left to the next driver of this thread, because this process is draining. */
  hasLeft: boolean
}

/** Starts a child, or goes on with the existing one; returns `parked` when it waits. */
export async function runChild(children: Children, request: ChildRequest): Promise<StepRecord> {
  const { outbox, call, key, existing, agent, digest, cancellation } = request
  const { frame } = outbox
  const child = existing ?? childIdOf(children.instance.runtime.ports.hash(`${frame.incarnation}/${call}/${key}`))
  const refused = tooDeep(request)
  if (refused) return refused
  if (existing === undefined) requireStartable(request)
  const started: Draft = { type: 'child.started', data: { call, key, child, agent: agent.name, input: digest } }
  if (existing === undefined && !(await intend(outbox, started, cancellation))) return parked
  children.watches.get(child)?.()
  const end = await driveToEnd(children, request, child).catch((error: unknown) => failedUnder(request, error))
  if (end === 'draining') {
    children.hasLeft = true
    return parked
  }
  if (isLoomError(end)) return refuse(request, child, end)
  if (end !== 'waiting') return (await recordEnd(request, child, end)) ?? never()
  watchParked(children, request, child)
  return parked
}

/** Refuses a copy of an agent, and an input that cannot be used, before the start of the child is recorded. */
function requireStartable({ agent, input }: ChildRequest): void {
  definitionOf(agent)
  toMessages(input)
}

/**
 * While the parent is driven for other reasons, an answer to a waiting child must still move it on. A hint may be lost, and none comes for a child of
 * the child or for a time that has come: so the child is looked at again now and then.
 */
function watchParked(children: Children, request: ChildRequest, child: string): void {
  const { instance, watches, movingOn } = children
  const { journal, ports, threads } = instance.runtime
  const { clock } = ports
  let isWatching = true
  let cancel = (): void => {}
  const move = (): void => {
    if (!isWatching) return
    stopWatching()
    const moving = goOn(children, request, child)
      .catch((error: unknown) => (isDraining(error) ? undefined : request.outbox.fail(error)))
      .finally(() => movingOn.delete(moving))
    movingOn.add(moving)
  }
  const look = async (): Promise<void> => {
    // A look that fails is a reason to go on: that meets the same error, and reports it.
    if (await hasWork(threads, child, clock.now()).catch(() => true)) move()
    else lookLater()
  }
  const lookLater = (): void => {
    if (isWatching) cancel = clock.at(clock.now() + lookAgain, () => void look())
  }
  const unwatch = journal.watch(child, move)
  const stopWatching = (): void => {
    isWatching = false
    cancel()
    unwatch()
    watches.delete(child)
  }
  watches.set(child, stopWatching)
  lookLater()
}

/** Whether a child that waited has something to do: it was answered, has ended, or its time has come; or a child of it has. */
async function hasWork(threads: ThreadCache, child: string, now: number): Promise<boolean> {
  const { frame } = await threads.load(child)
  if (!frame.run || isOver(frame.run) || !isAtRest(frame)) return true
  const { wakeAt } = summarize(frame)
  if (wakeAt !== undefined && wakeAt <= now) return true
  for (const below of openChildren(frame)) if (await hasWork(threads, below, now)) return true
  return false
}

async function goOn(children: Children, request: ChildRequest, child: string): Promise<void> {
  const { clock, grace } = request.cancellation
  const end = await driveToEnd(children, { ...request, cancellation: createCancellation(clock, grace) }, child)
  if (end === 'waiting') watchParked(children, request, child)
  else await recordEnd(request, child, end)
}

const depthIn = ({ outbox: { frame } }: ChildRequest): number => (frame.parent?.depth ?? 0) + 1

function tooDeep(request: ChildRequest): StepRecord | undefined {
  const { agent, key, outbox } = request
  const deepest = outbox.frame.run?.limits.depth
  if (depthIn(request) <= (deepest ?? Number.POSITIVE_INFINITY)) return undefined
  const message = `Agents may be nested ${deepest} deep, and ${agent.name} would be one more. Raise limits.depth, or do the task here.`
  return { key, error: { code: 'LOOM_DEPTH_EXCEEDED', message, recoverable: false } }
}

/** Stops a child that waits: it has no driver that could see a request, so it is driven to its end here. Ending needs none of its agent's code. */
export async function stopChild(instance: AgentInstance, child: string, reason: string): Promise<void> {
  const { runtime, definition } = instance
  const { frame } = await runtime.threads.load(child)
  if (!frame.parent || !frame.run || isOver(frame.run)) return
  const { fingerprint } = frame.run.request.agent
  const bare = { ...definition, hooks: {}, observers: [], toolbox: undefined, fingerprint: () => fingerprint }
  const request = { thread: child, messages: [], options: {}, parent: frame.parent }
  const handle = startRun({ ...instance, definition: bare, onQuestion: undefined }, request)
  const stopping = handle.stop(reason).then(() =>
    handle.result().catch(() => {
      // The request is durable: the next driver of the child ends it.
    }),
  )
  await withinGrace(instance, stopping).catch((error: unknown) => {
    if (!isDraining(error)) throw error
  })
}

/** Waits as long as a child has to stop: its own grace period begins after that of its parent. What takes longer is left to the child's next driver. */
export async function withinGrace({ runtime, definition }: AgentInstance, work: Promise<unknown>): Promise<void> {
  const limit = createCancellation(runtime.ports.clock, 2 * definition.behaviour.grace)
  startGracePeriod(limit)
  await waitFor(limit, work).catch((error: unknown) => {
    if (!isLoomError(error) || error.code !== 'LOOM_ABORTED') throw error
  })
}

/** Drives a child until it ends or waits; returns its end as its parent records it. */
async function driveToEnd(children: Children, request: ChildRequest, child: string): Promise<ChildEnd | 'waiting'> {
  const result = await driveChild(children, request, child)
  return result.status === 'waiting' ? 'waiting' : endOf(children.instance, result, child)
}

/** What a child may spend: its own limits, and at most what is left to its parent. */
async function limitsOf({ runtime }: AgentInstance, { agent, outbox }: ChildRequest, child: string): Promise<Limits> {
  const { run } = outbox.frame
  const own = definitionOf(agent)
  // How deep a tree may grow is counted from its root: no child may go deeper than its parent could.
  const depth = Math.min(own.limits.depth ?? Number.MAX_SAFE_INTEGER, run?.limits.depth ?? Number.MAX_SAFE_INTEGER)
  const allotted = await allotmentFor(runtime.threads, outbox.frame, { child, own: own.options.limits ?? {} })
  // A run that stops at its limit must not wait because of a child's: what its children spend is part of the same budget.
  const onReached = run?.limits.onReached === 'stop' ? ({ onReached: 'stop' } as const) : {}
  const unpriced = own.options.limits?.unpriced ?? run?.limits.unpriced ?? 'allow'
  return { ...own.limits, depth, turns: own.options.limits?.turns ?? childTurns, unpriced, ...allotted, ...onReached }
}

/** Drives a child until it ends or waits. */
async function driveChild({ instance, parent }: Children, request: ChildRequest, child: string): Promise<Result<unknown>> {
  const { agent, outbox, call, input, deps, cancellation } = request
  const { definition, runtime } = instance
  const { run } = outbox.frame
  const own = definitionOf(agent)
  const childInstance: AgentInstance = {
    ...instance,
    definition: { ...own, journal: runtime.journal, ports: runtime.ports },
    policies: [own.policy, ...instance.policies],
    locks: [own.locks, ...instance.locks],
    inheritedDeps: deps,
    forkEffects: outbox.frame.fork?.effects ?? instance.forkEffects,
    onQuestion: own.options.onQuestion ?? instance.onQuestion,
  }
  const limits = await limitsOf(instance, request, child)
  const handle = startRun(childInstance, {
    thread: child,
    messages: toMessages(input),
    options: { limits, ...(run?.request.metadata && { metadata: run.request.metadata }) },
    parent: { thread: parent, incarnation: outbox.frame.incarnation, call, key: request.key, depth: depthIn(request) },
    unattended: run?.request.unattended === 'deny' || definition.behaviour.unattended === 'deny',
  })
  // The parent's stop reaches the child while the parent waits for it; a parent that only releases its thread does not stop it.
  const stop = (): void => {
    const isLeft = cancellation.reason === 'timed out' || cancellation.reason === callerEnded
    if (outbox.frame.run?.stop || isLeft) void handle.stop(String(cancellation.reason)).catch(() => {})
  }
  const signal = signalOf(cancellation)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await handle.result()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * A child whose journal fails has no result: its parent's driver ends as well, and the next driver of the parent goes on with the child. Returns the
 * error when the child's id is that of another thread.
 */
function failedUnder({ outbox }: ChildRequest, error: unknown): LoomError | 'draining' | Promise<never> {
  if (isLoomError(error) && error.code === 'LOOM_THREAD_INVALID') return error
  if (isDraining(error)) return 'draining'
  if (isLoomError(error) && error.retry === 'never') throw error
  outbox.fail(error)
  return never()
}

const isDraining = (error: unknown): boolean => isLoomError(error) && error.code === 'LOOM_DRAINING'

type EndedResult = Exclude<Result<unknown>, { status: 'waiting' }>

/** The end of a child as its parent records it. */
type ChildEnd = Pick<EventData['child.finished'], 'value' | 'error' | 'usage' | 'cost'>

const neverStarted: Failure = { code: 'LOOM_ABORTED', message: 'The run was stopped before the child was started.', recoverable: false }

/** Records how a child ended; undefined where no record is wanted any more, or it cannot be made. Only the parent's driver does. */
async function recordEnd({ outbox, call, key }: ChildOwner, child: string, end: ChildEnd): Promise<StepRecord | undefined> {
  const { run } = outbox.frame
  const current = run && callOf(run, call)
  // The child's end may have been recorded already, by the watch that was set while it waited.
  const known = current && [...items(current.done)].find((record) => record.key === key)
  if (known) return known
  // The run may have ended without waiting for the child, and another may have started.
  if (!current?.open.some((step) => step.key === key && step.child === child)) return undefined
  const { value } = end
  const isDurable = await outbox.append([{ type: 'child.finished', data: { call, key, child, ...end } }], 'happened')
  return isDurable ? { key, ...(value !== undefined && { value }) } : undefined
}

async function endOf(instance: AgentInstance, result: EndedResult, child: string): Promise<ChildEnd> {
  const isInDoubt = result.status !== 'done' && (await endedInDoubt(instance, child))
  return { value: recordOf(result, isInDoubt), usage: result.usage, ...(result.cost !== undefined && { cost: result.cost }) }
}

/** Records the end of a child that was asked to stop while its parent's call waited. One that has not ended stays open. */
export async function recordStopped(instance: AgentInstance, owner: ChildOwner, child: string): Promise<void> {
  const { threads } = instance.runtime
  const { frame } = await threads.load(child)
  if (!frame.run) await recordEnd(owner, child, { error: neverStarted })
  const result = frame.run && isOver(frame.run) ? await resultOf(frame, frame.run, { threads }) : undefined
  if (result && result.status !== 'waiting') await recordEnd(owner, child, await endOf(instance, result, child))
}

/** Records that a child could not be started. */
async function refuse({ outbox, call, key }: ChildRequest, child: string, cause: LoomError): Promise<StepRecord> {
  const error = failureOf(cause)
  const isDurable = await outbox.append([{ type: 'child.finished', data: { call, key, child, error } }], 'happened')
  return isDurable ? { key, error } : never()
}

/** Whether it is not known what a call of the child's last turn came to. The child's model has not read it: only the child's journal says so. */
async function endedInDoubt({ runtime }: AgentInstance, child: string): Promise<boolean> {
  const { frame } = await runtime.threads.load(child)
  for await (const { type, turn, data } of readEvents(runtime.journal, child))
    if (type === 'tool.finished' && turn === frame.turn && data.errorType === 'outcome-unknown') return true
  return false
}

function recordOf(result: EndedResult, isInDoubt: boolean): ChildRecord {
  const { text, turns } = result
  if (result.status === 'done') return { status: 'done', text, turns, ...(result.output !== result.text && { output: result.output as Json }) }
  const ended = { text, turns, ...(isInDoubt && { inDoubt: true as const }) }
  if (result.status === 'stopped') return { ...ended, status: 'stopped', kind: result.kind, reason: result.reason }
  return { ...ended, status: 'failed', reason: result.error.message }
}
