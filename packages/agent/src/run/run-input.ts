/** How a run begins: what a visitor appends when somebody starts, or resumes, or steers a thread. */
import { type Draft, type Frame, isOver, type JsonObject, LoomError, type Message, type RunRequest } from '@loom-agent/kernel'
import type { Behaviour, RunOptions } from '../agent-type.ts'
import { modelId } from '../model/model.ts'
import { toJson } from '../platform/normalize.ts'
import type { DriveOptions, Runtime } from '../thread/thread-driver.ts'
import { checkDeps } from '../definition/run-context.ts'

/** What is to be launched. Without messages: go on with what there is. */
export interface LaunchRequest {
  readonly thread: string
  readonly messages?: readonly Message[]
  readonly options: RunOptions<never>
  readonly parent?: { readonly thread: string; readonly call: string; readonly depth: number }
  readonly unattended?: boolean
  /** The id was made just now: there is nothing to read. */
  readonly fresh?: boolean
}

/** What a start appends, and the run it is about. */
export interface Beginning {
  readonly run: string
  readonly drafts: readonly Draft[]
}

/** A start: a run, a place in the queue, or a word to the run under way. A child that exists already is attached to, not started again. */
export function beginning({ definition }: Runtime, request: LaunchRequest, frame: Frame): Beginning {
  const { messages = [], options, parent } = request
  if (parent && frame.run) return { run: frame.run.id, drafts: [] }
  checkReadable(frame)
  const run = `r${frame.runs + 1}`
  const data = { run, request: requestOf(definition, request) }
  const first: Draft[] = frame.seq === 0 ? [{ type: 'thread.started', data: { agent: definition.name, ...(parent && { parent }) } }] : []
  const stop: Draft[] = options.signal?.aborted
    ? [{ type: 'run.stop-requested', data: { reason: 'The signal was aborted before the run began.' } }]
    : []
  const isFree = (!frame.run || isOver(frame.run)) && frame.queue.length === 0
  if (isFree) return { run, drafts: [...first, { type: 'run.started', data }, ...stop] }
  const whenBusy: Behaviour['whenBusy'] = options.whenBusy ?? definition.behaviour.whenBusy
  if (whenBusy === 'reject') {
    const advice = 'Wait for it, stop it, or choose whenBusy: queue or steer.'
    throw new LoomError('LOOM_THREAD_BUSY', `The thread ${frame.thread} has a run under way (${frame.run?.id}, ${frame.run?.status}). ${advice}`, {
      context: { thread: frame.thread },
    })
  }
  if (whenBusy === 'steer' && frame.run && !isOver(frame.run))
    return { run: frame.run.id, drafts: messages.map((message) => ({ type: 'message.steered', data: { message } })) }
  return { run, drafts: [{ type: 'run.queued', data }] }
}

function requestOf(definition: Runtime['definition'], { messages = [], options, unattended }: LaunchRequest): RunRequest {
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

function checkReadable(frame: Frame): void {
  if (!frame.unknown) return
  const { type, v, seq } = frame.unknown
  const advice = 'A newer version of Loom wrote it; upgrade to drive this thread.'
  throw new LoomError('LOOM_THREAD_UNREADABLE', `${frame.thread}@${seq} is an event this version does not know: ${type} v${v}. ${advice}`, {
    context: { thread: frame.thread, seq, type, v },
  })
}

/** What going on with a thread needs: words to append, and whether the driver has to say that it goes on. */
export interface Resumption {
  readonly run: string
  readonly drafts: readonly Draft[]
  /** Undefined: there is nothing to drive. */
  readonly drive: DriveOptions | undefined
}

/** Going on: a finished run is not run again; a failed, paused or limited one is. */
export function resumption(runtime: Runtime, { options }: LaunchRequest, frame: Frame): Resumption {
  const { run } = frame
  if (!run)
    throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no run to resume on the thread ${frame.thread}. Start one.`, {
      context: { thread: frame.thread },
    })
  if (frame.parent) {
    const root = frame.parent.thread
    throw new LoomError('LOOM_THREAD_IS_CHILD', `${frame.thread} is a child of ${root}: resume that thread, it drives its children.`, {
      context: { parent: root },
    })
  }
  checkReadable(frame)
  const { id, status } = run
  const provide = (going: Parameters<typeof checkDeps>[0]): void =>
    checkDeps(going, options.deps ?? (runtime.definition.options.deps as unknown) ?? runtime.world.overrides.get(`${frame.thread}/${going.id}`)?.deps)
  if (!isOver(run) || status === 'failed') provide(run)
  const raised: Draft[] = options.limits ? [{ type: 'limit.raised', data: { limits: options.limits } }] : []
  if (status === 'failed') return { run: id, drafts: raised, drive: { resume: 'asked' } }
  if (status === 'suspended') return { run: id, drafts: raised, drive: run.pause ? { resume: 'asked' } : { force: true } }
  if (status === 'active') return { run: id, drafts: raised, drive: {} }
  const limited = status === 'stopped' && (run.end?.kind === 'limit' || run.end?.kind === 'budget') && options.limits !== undefined
  if (limited) return { run: id, drafts: raised, drive: {} }
  // What waits for its turn is what there is to go on with: its driver may have died before it began.
  const [next] = frame.queue
  if (!next) return { run: id, drafts: [], drive: undefined }
  provide({ id: next.run, request: next.request })
  return { run: next.run, drafts: [], drive: {} }
}
