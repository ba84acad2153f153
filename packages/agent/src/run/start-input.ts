/** What starting a run appends to a thread that is there already. Loaded on use: many programs run each thread once. */
import { type Draft, type Frame, isOver, LoomError, leaveCalls, type ParentLink, type Run } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import { checkDeps } from '../definition/run-context.ts'
import { adoptionOf, requireOwn } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { runKey } from '../thread/runtime.ts'
import { isChildId, reservedId } from '../types/thread-id.ts'
import { stopIfAborted } from './control-drafts.ts'
import { firstInput, inputAtOnce, newRun, type RunInput, type StartRequest, stopOf, stopsAtStart } from './run-input.ts'
import { runOfStart } from './start-once.ts'

/** What a request with messages appends. One that a call makes, and that is to stop, stops the child that is there. */
export function inputForThread(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput {
  const stop = stopOf(request)
  if (!stop || !request.parent || !frame.run) return startInput(instance, request, frame)
  requireOwn(instance, frame)
  return stopInput(frame.run, stop)
}

/** A stop: the run under way is driven to its end, and needs no dependencies for that. One that has ended, or failed, stays as it is. */
export function stopInput(run: Run, stop: Draft): RunInput {
  if (isOver(run)) return { run: run.id, drafts: [], drive: undefined }
  return { run: run.id, drafts: run.stop ? [] : [stop], drive: {} }
}

/** A start: a run, a place in the queue, or a message to the run under way. A child that exists already is followed, not started again. */
export function startInput(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput {
  const { definition } = instance
  const { messages = [], options, parent, start, taint } = request
  if (frame.seq === 0) return firstInput(instance, request, frame)
  requireStartable(frame, parent)
  if (parent && frame.run) return { run: frame.run.id, drafts: [], drive: { force: true } }
  checkReadable(frame)
  const adopted = adoptionOf(instance, frame, options)
  const known = start && runOfStart(frame, start)
  if (known !== undefined) return { ...attachInput(instance, request, { frame, run: known, adopted }), isRepeated: true }
  const isFree = (!frame.run || isOver(frame.run)) && frame.queue.length === 0
  // A run that has failed may have left calls: each has its result before the next run starts.
  if (isFree) return inputAtOnce(definition, request, { frame, opening: [...adopted, ...(frame.run ? leaveCalls(frame.run) : [])] })
  const whenBusy = options.whenBusy ?? definition.behaviour.whenBusy
  if (whenBusy === 'reject') throw busyError(frame)
  if (whenBusy !== 'steer' || !frame.run || isOver(frame.run)) {
    const data = newRun(definition, request, frame)
    return { run: data.run, drafts: [...adopted, { type: 'run.queued', data }, ...stopsAtStart(request, data.run)], drive: {} }
  }
  if (options.permissions) throw steeredWithLayer(frame)
  const steered = messages.map((message, index): Draft => {
    const facts = { ...(options.pin && { pin: true as const }), ...(taint && { taint }) }
    return { type: 'message.steered', data: { message, ...(start && index === 0 && { start }), ...facts } }
  })
  return { run: frame.run.id, drafts: [...adopted, ...steered, ...stopIfAborted(options)], drive: {} }
}

/** Refuses a thread that the caller may not run: a user's run is not on a child, and a call's child is not a thread of another caller. */
function requireStartable(frame: Frame, parent: ParentLink | undefined): void {
  const { thread } = frame
  if (parent) requireChild(frame, parent)
  else if (frame.parent) throw childError(thread, `run ${frame.parent.thread} instead, it drives its children`, frame.parent.thread)
  else if (isChildId(thread)) throw reservedId(thread)
}

/**
 * CHILD-1. A thread that is there already is a call's child only when its own record names that call. What another caller started there is no result.
 * Before ids of children had a form of their own, their records named the parent and the call alone.
 */
function requireChild({ thread, parent: named }: Frame, parent: ParentLink): void {
  const isOfCall = named?.thread === parent.thread && named.call === parent.call
  const isOfLife = named?.incarnation === parent.incarnation && named?.key === parent.key
  const isOld = !isChildId(thread) && named?.incarnation === undefined && named?.key === undefined
  if (isOfCall && (isOfLife || isOld)) return
  const message = `There is a thread ${thread} already, and it is not the child of the call ${parent.call} of ${parent.thread}. It was left alone.`
  throw new LoomError('LOOM_THREAD_INVALID', message, { context: { thread, parent: parent.thread, call: parent.call } })
}

/** The run that a start has led to, and the adoption of its thread where that is due. */
interface KnownRun {
  readonly frame: Frame
  readonly run: string
  readonly adopted: readonly Draft[]
}

/** A start that was made before: its run is followed, and driven on where its driver is gone. One that has ended, or is paused, stays as it is. */
function attachInput(instance: AgentInstance, { options }: StartRequest, { frame, run, adopted }: KnownRun): RunInput {
  const current = frame.run?.id === run ? frame.run : undefined
  const queued = frame.queue.find((candidate) => candidate.run === run)
  if (!queued && (!current || isOver(current))) return { run, drafts: adopted, drive: undefined }
  const { request } = queued ?? (current as Run)
  checkDeps({ id: run, request }, depsFor(instance, frame, { run, options }))
  const isDue = current?.status === 'suspended' && !current.pause
  return { run, drafts: [...adopted, ...stopIfAborted(options, queued?.run)], drive: isDue ? { force: true } : {} }
}

function busyError({ thread, run }: Frame): LoomError {
  const advice = 'Wait for it, stop it, or choose whenBusy: queue or steer.'
  return new LoomError('LOOM_THREAD_BUSY', `The thread ${thread} has a run under way (${run?.id}, ${run?.status}). ${advice}`, {
    context: { thread },
  })
}

/** A message joins a run that was given its permissions before. */
function steeredWithLayer({ thread, run }: Frame): LoomError {
  const message = `The thread ${thread} has a run under way (${run?.id}), which a message with permissions cannot join: they are those of a run. Wait for it, or choose whenBusy: queue.`
  return new LoomError('LOOM_THREAD_BUSY', message, { context: { thread } })
}

/** Refuses a thread with events that this version does not know. */
export function checkReadable(frame: Frame): void {
  if (!frame.unknown) return
  const { type, v, seq } = frame.unknown
  const advice = 'A newer version of Loom wrote it; upgrade to drive this thread.'
  throw new LoomError('LOOM_THREAD_UNREADABLE', `${frame.thread}@${seq} is an event this version does not know: ${type} v${v}. ${advice}`, {
    context: { thread: frame.thread, seq, type, v },
  })
}

/** The error for a thread that only its parent drives. */
export function childError(thread: string, advice: string, parent: string): LoomError {
  return new LoomError('LOOM_THREAD_IS_CHILD', `${thread} is a child of ${parent}: ${advice}.`, { context: { thread, parent } })
}

/** The dependencies of a run, where this process has any. */
export function depsFor({ definition, runtime }: AgentInstance, { incarnation }: Frame, given: { run: string; options: RunOptions<never> }): unknown {
  return given.options.deps ?? (definition.options.deps as unknown) ?? runtime.overrides.get(runKey(incarnation, given.run))?.deps
}
