/** What starting or resuming a run appends. */
import { type Draft, type Frame, isOver, type JsonObject, LoomError, type Message, type Run, type RunRequest } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import { checkDeps } from '../definition/run-context.ts'
import { modelId } from '../model/model.ts'
import { toJson } from '../platform/normalize.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { DriveOptions } from '../thread/drive-thread.ts'
import { runKey } from '../thread/runtime.ts'

/** A run to start, or without messages a thread to go on with. */
export interface StartRequest {
  readonly thread: string
  readonly messages?: readonly Message[]
  readonly options: RunOptions<never>
  readonly parent?: { readonly thread: string; readonly call: string; readonly depth: number }
  readonly unattended?: boolean
  /** The thread's id is new: there is nothing to read. */
  readonly isNew?: boolean
}

/** What a start or a resumption appends, the run it is about, and how the thread is driven then. */
export interface RunInput {
  readonly run: string
  readonly drafts: readonly Draft[]
  /** Undefined: there is nothing to drive. */
  readonly drive: DriveOptions | undefined
}

/** The input of a request, for the thread as it is. */
export function inputFor(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput {
  return request.messages ? startInput(instance, request, frame) : resumeInput(instance, request, frame)
}

/** A start: a run, a place in the queue, or a message to the run under way. A child that exists already is followed, not started again. */
export function startInput({ definition, runtime }: AgentInstance, request: StartRequest, frame: Frame): RunInput {
  const { messages = [], options, parent } = request
  if (parent && frame.run) return { run: frame.run.id, drafts: [], drive: { force: true } }
  if (!parent && frame.parent) throw childError(frame.thread, `run ${frame.parent.thread} instead, it drives its children`, frame.parent.thread)
  checkReadable(frame)
  const run = `r${frame.runs + 1}`
  const data = { run, request: runRequestOf(definition, request) }
  const isFree = (!frame.run || isOver(frame.run)) && frame.queue.length === 0
  if (isFree) {
    const { name: agent } = definition
    const first: Draft = { type: 'thread.started', data: { agent, incarnation: runtime.ports.ids(), ...(parent && { parent }) } }
    const stop: Draft = { type: 'run.stop-requested', data: { reason: 'The signal was aborted before the run began.' } }
    const drafts: Draft[] = [...(frame.seq === 0 ? [first] : []), { type: 'run.started', data }, ...(options.signal?.aborted ? [stop] : [])]
    return { run, drafts, drive: {} }
  }
  const whenBusy = options.whenBusy ?? definition.behaviour.whenBusy
  if (whenBusy === 'reject') throw busyError(frame)
  if (whenBusy !== 'steer' || !frame.run || isOver(frame.run)) return { run, drafts: [{ type: 'run.queued', data }], drive: {} }
  return { run: frame.run.id, drafts: messages.map((message) => ({ type: 'message.steered', data: { message } })), drive: {} }
}

function busyError({ thread, run }: Frame): LoomError {
  const advice = 'Wait for it, stop it, or choose whenBusy: queue or steer.'
  return new LoomError('LOOM_THREAD_BUSY', `The thread ${thread} has a run under way (${run?.id}, ${run?.status}). ${advice}`, {
    context: { thread },
  })
}

function runRequestOf(definition: Definition, { messages = [], options, unattended }: StartRequest): RunRequest {
  const { behaviour, limits, options: own } = definition
  const model = options.model ?? own.model
  const settings = { ...own.settings, ...options.settings }
  const attended = options.onQuestion ?? own.onQuestion
  return {
    input: messages,
    agent: { name: definition.name, fingerprint: definition.fingerprint() },
    model: model === undefined ? '' : modelId(model),
    ...(Object.keys(settings).length > 0 && { settings: toJson(settings) as JsonObject }),
    limits: { ...limits, ...options.limits },
    ...(options.metadata && { metadata: toJson(options.metadata) as JsonObject }),
    ...(options.deps !== undefined && { needsDeps: true as const }),
    ...((unattended || behaviour.unattended === 'deny') && !attended && { unattended: 'deny' as const }),
    ...(behaviour.requireDone !== undefined && { done: behaviour.requireDone }),
    ...(own.output !== undefined && { repairs: behaviour.repairs }),
  }
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

/** Going on: a finished run is not run again; a failed, paused or limited one is. */
export function resumeInput(instance: AgentInstance, { options }: StartRequest, frame: Frame): RunInput {
  const run = resumableRun(frame)
  const { id, status } = run
  const check = (going: Pick<Run, 'id' | 'request'>): void => checkDeps(going, depsFor(instance, frame, { run: going.id, options }))
  if (!isOver(run) || status === 'failed') check(run)
  const drafts: Draft[] = options.limits ? [{ type: 'limit.raised', data: { limits: options.limits } }] : []
  if (status === 'failed') return { run: id, drafts, drive: { resume: 'asked' } }
  if (status === 'suspended') return { run: id, drafts, drive: run.pause ? { resume: 'asked' } : { force: true } }
  if (status === 'active') return { run: id, drafts, drive: {} }
  const isLimited = status === 'stopped' && (run.end?.kind === 'limit' || run.end?.kind === 'budget') && options.limits !== undefined
  if (isLimited) return { run: id, drafts, drive: {} }
  // What waits in the queue is what there is to go on with: its driver may have died before it started.
  const [next] = frame.queue
  if (!next) return { run: id, drafts: [], drive: undefined }
  check({ id: next.run, request: next.request })
  return { run: next.run, drafts: [], drive: {} }
}

function resumableRun(frame: Frame): Run {
  const { run, thread, parent } = frame
  if (!run) {
    throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no run to resume on the thread ${thread}. Start one.`, { context: { thread } })
  }
  if (parent) throw childError(thread, 'resume that thread, it drives its children', parent.thread)
  checkReadable(frame)
  return run
}

function childError(thread: string, advice: string, parent: string): LoomError {
  return new LoomError('LOOM_THREAD_IS_CHILD', `${thread} is a child of ${parent}: ${advice}.`, { context: { thread, parent } })
}

function depsFor({ definition, runtime }: AgentInstance, { incarnation }: Frame, given: { run: string; options: RunOptions<never> }): unknown {
  return given.options.deps ?? (definition.options.deps as unknown) ?? runtime.overrides.get(runKey(incarnation, given.run))?.deps
}
