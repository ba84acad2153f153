/** Running a child: from its start to the record of its end. Ids follow from the parent's incarnation; a child that was started is found by its record. */
import { type Draft, isLoomError, isOver, type LoomError, type StepRecord } from '@loom-agent/kernel'
import { intend } from '../call/call-job.ts'
import { type ChildRequest, callerEnded, parked } from '../call/child-runner.ts'
import { definitionOf } from '../definition/agent-definition.ts'
import { createCancellation, signalOf, startGracePeriod, waitFor } from '../platform/cancellation.ts'
import { never } from '../platform/never.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { hasWork } from '../thread/child-work.ts'
import { withoutCode } from '../thread/without-code.ts'
import { toMessages } from '../types/input.ts'
import type { Result } from '../types/result.ts'
import { childIdOf } from '../types/thread-id.ts'
import { mayStartChild } from './allotment.ts'
import { type ChildEnd, endOf, recordEnd, refuse } from './child-end.ts'
import { childStart, depthIn } from './child-start.ts'
import { startRun } from './start-run.ts'

/** Milliseconds after which a child that waits is looked at again. */
const lookAgain = 10_000

/** The children of one driver of a thread. */
export interface Children {
  /** The agent of that driver. */
  readonly instance: AgentInstance
  /** For each child that waits, what ends the watch over it. */
  readonly watches: Map<string, () => void>
  /** Children that had waited and are being moved on. */
  readonly movingOn: Set<Promise<void>>
  /** A child is left to the next driver of this thread, because this process is draining. */
  hasLeft: boolean
  /** Drives a child until it ends or waits; given where children are not driven but replayed. */
  readonly drive?: (request: ChildRequest, child: string) => Promise<ChildEnd | 'waiting'>
}

/** Starts a child, or goes on with the existing one; returns `parked` when it waits. */
export async function runChild(children: Children, request: ChildRequest): Promise<StepRecord> {
  const { outbox, call, key, existing, cancellation } = request
  const { frame } = outbox
  const child = existing ?? childIdOf(children.instance.runtime.ports.hash(`${frame.incarnation}/${call}/${key}`))
  const refused = tooDeep(request)
  if (refused) return refused
  if (existing === undefined) {
    const draft = startDraft(request, child)
    // Looked at again before each try: another child may have been started meanwhile.
    const isStarted = await intend(outbox, () => (mayStartChild(outbox) ? draft : undefined), cancellation)
    if (isStarted === 'refused') return tooMany(request)
    if (!isStarted) return parked
  }
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

/** The record of a child's start. Refuses a copy of an agent, and an input that cannot be used. */
function startDraft({ call, key, agent, input, digest }: ChildRequest, child: string): Draft {
  const hasResolver = definitionOf(agent).options.onQuestion !== undefined
  toMessages(input)
  return { type: 'child.started', data: { call, key, child, agent: agent.name, input: digest, hasResolver } }
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

async function goOn(children: Children, request: ChildRequest, child: string): Promise<void> {
  const { clock, grace } = request.cancellation
  const end = await driveToEnd(children, { ...request, cancellation: createCancellation(clock, grace) }, child)
  if (end === 'waiting') watchParked(children, request, child)
  else await recordEnd(request, child, end)
}

function tooDeep(request: ChildRequest): StepRecord | undefined {
  const { agent, key, outbox } = request
  const deepest = outbox.frame.run?.limits.depth
  if (depthIn(request) <= (deepest ?? Number.POSITIVE_INFINITY)) return undefined
  const message = `Agents may be nested ${deepest} deep, and ${agent.name} would be one more. Raise limits.depth, or do the task here.`
  return { key, error: { code: 'LOOM_DEPTH_EXCEEDED', message, recoverable: false } }
}

function tooMany({ agent, key, outbox }: ChildRequest): StepRecord {
  const most = outbox.frame.run?.limits.children
  const message = `The run may have ${most} children in its whole tree, and ${agent.name} would be one more. Raise limits.children, or do the task here.`
  return { key, error: { code: 'LOOM_CHILDREN_EXCEEDED', message, recoverable: false } }
}

/** Stops a child that waits: it has no driver that could see a request, so it is driven to its end here. Ending needs none of its agent's code. */
export async function stopChild(instance: AgentInstance, child: string, reason: string): Promise<void> {
  const { frame } = await instance.runtime.threads.load(child)
  if (!frame.parent || !frame.run || isOver(frame.run)) return
  const request = { thread: child, messages: [], options: {}, parent: frame.parent }
  const handle = startRun(withoutCode(instance, frame.run), request)
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
  if (children.drive) return children.drive(request, child)
  const result = await driveChild(children, request, child)
  return result.status === 'waiting' ? 'waiting' : endOf(children.instance, result, child)
}

/** Drives a child until it ends or waits. */
async function driveChild(children: Children, request: ChildRequest, child: string): Promise<Result<unknown>> {
  const { outbox, cancellation } = request
  const start = await childStart(children.instance, request, child)
  const handle = startRun(start.instance, start.request)
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

// Loaded on use together.
export { recordStopped } from './child-end.ts'
