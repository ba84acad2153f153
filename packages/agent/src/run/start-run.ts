/** Starting and resuming runs: the handle that users get, and how the run starts behind it. */
import { type Draft, type Frame, type Incarnation, LoomError } from '@loom-agent/kernel'
import { expected } from '../platform/expected.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { expectedCursor } from '../stream/cursor.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput } from '../thread/append-input.ts'
import { drainingError, joinDrain } from '../thread/drain.ts'
import { type Runtime, runKey } from '../thread/runtime.ts'
import { isRemoved } from '../thread/thread-cache.ts'
import type { Result } from '../types/result.ts'
import { contribute } from './contribute.ts'
import { pauseDraft, steerDraft, steerTo, stopDraft } from './control-drafts.ts'
import type { RunFollower } from './follower-state.ts'
import { createOverrides } from './overrides.ts'
import { ask, attach, driveOrFollow, fail, loadConsulting, lookBack, moveOn, notice } from './run-follower.ts'
import type { RunHandle } from './run-handle.ts'
import { firstInput, type RunInput, type StartRequest } from './run-input.ts'
import { createSettlement } from './settlement.ts'
import { textOnUse } from './text-on-use.ts'
import { eventsOf } from './view-on-use.ts'

/** Starts or resumes a run; returns its handle at once. */
export function startRun(instance: AgentInstance, request: StartRequest): RunHandle<unknown> {
  const follower = createFollower(instance, request)
  // What is being appended is stored, or refused, before a process that drains goes on to close its journal.
  const leaveDrain = joinDrain(instance.runtime.drain, () => {})
  const starting = request.options.adopt ? adoptAndStart(follower) : start(follower)
  void starting.then(leaveDrain, leaveDrain)
  const started = starting.catch(async (error: unknown) => {
    await opened(follower)
    fail(follower, error)
  })
  return {
    thread: request.thread,
    events: (options = {}) => {
      checkOptions('events', options, { from: expectedCursor, nested: expected.flag })
      return eventsOf(follower, { started, from: options.from, nested: options.nested })
    },
    text: () => textOnUse(eventsOf(follower, { started, from: undefined }), { run: () => follower.run, result: follower.settlement.result }),
    result: () => (follower.settlement.isWaiting() ? nextResult(follower) : follower.settlement.result()),
    // A start that was refused appends nothing, nor does its handle.
    answer: async (questionId, answer) => {
      await starting
      const { thread } = request
      const root = { thread, incarnation: follower.incarnation ?? thread }
      const append = async (): Promise<void> => {
        // Loaded on use, as signals are: most runs ask nothing.
        const { appendAnswerIn } = await import('./answer-question.ts')
        await appendAnswerIn(instance.runtime, root, { questionId, answer })
      }
      await moveOn(follower, append, { force: true })
    },
    async signal(...sent) {
      await starting
      const append = async (): Promise<void> => {
        const { appendSignal } = await import('./send-signal.ts')
        await appendSignal(instance.runtime, { thread: request.thread, incarnation: follower.incarnation }, sent)
      }
      await moveOn(follower, append, {})
    },
    async steer(input, options = {}) {
      const message = steerDraft(input, options)
      await starting
      const left = instance.definition.guards.length > 0 ? await guardedSteer(instance, request.thread, message) : message
      await contribute(follower, (frame) => steerTo(frame, follower.run, left))
    },
    async pause(options = {}) {
      const pause = pauseDraft(options)
      await starting
      await ask(follower, pause)
    },
    async stop(reason, options) {
      const stop = stopDraft(reason, options)
      follower.stop ??= stop
      await starting
      await ask(follower, stop)
    },
  }
}

/** Resolves when the viewers that were asked for are there, or could not be loaded. */
async function opened({ opening }: RunFollower): Promise<void> {
  await opening?.catch(() => {})
}

async function nextResult(follower: RunFollower): Promise<Result<unknown>> {
  const { resultAgain } = await import('./look-again.ts')
  return resultAgain(follower)
}

function createFollower(instance: AgentInstance, request: StartRequest): RunFollower {
  const resolver = request.options.onQuestion ?? instance.resolvers.find((own) => own !== undefined)
  return {
    instance,
    request,
    settlement: createSettlement(),
    viewers: new Set(),
    opening: undefined,
    resolver: resolver && { resolver, asked: new Set(), unanswered: undefined },
    run: undefined,
    stop: request.stop,
    incarnation: undefined,
    pinned: undefined,
    from: 1,
    seen: 0,
    busy: 0,
    isFollowing: false,
    alarm: undefined,
    detach: () => {},
  }
}

/** The incarnation of a thread, which may be about to start. */
function incarnationAfter(frame: Frame, [first]: readonly Draft[]): Incarnation {
  return (first?.type === 'thread.started' && first.data.incarnation) || frame.incarnation
}

/** Whether a caller goes on with what is there, and does not stop it. */
const isCallersResume = ({ messages, stop, isRecovery }: StartRequest): boolean => !messages && !stop && !isRecovery

/** The error for a call whose signal was aborted before it was made: nothing is read for it, and nothing stored. */
function abortedBefore(thread: string, reason: unknown): LoomError {
  const message = `The signal of this call for the thread ${thread} was aborted before: ${toSentence(messageOf(reason))} Nothing was started, stored or stopped.`
  return new LoomError('LOOM_ABORTED', message, { cause: reason, context: { thread } })
}

/** Refuses a start that comes too late: its signal was aborted before, or the process drains. */
function requireInTime({ instance, request }: RunFollower): void {
  const { thread, options } = request
  if (options.signal?.aborted) throw abortedBefore(thread, options.signal.reason)
  if (instance.runtime.drain.isDraining) throw drainingError(thread, 'not stored')
}

/** Starts on a thread that may have been imported: it is adopted first. */
async function adoptAndStart(follower: RunFollower): Promise<void> {
  const { instance, request } = follower
  requireInTime(follower)
  const { adoptImported } = await import('./adopt-imported.ts')
  await adoptImported({ ...instance.runtime, agent: instance.definition.name }, request.thread)
  return start(follower)
}

/** What a request appends, to the thread as it is. */
type InputOf = (instance: AgentInstance, request: StartRequest, frame: Frame) => RunInput | Promise<RunInput>

let starting: typeof import('./start-input.ts') | undefined

/** Loads how a run starts on a thread that may be there already: many programs run each thread once. Loaded, it is not waited for. */
export async function loadStarting(): Promise<typeof import('./start-input.ts')> {
  starting ??= await import('./start-input.ts')
  return starting
}

/** On a new thread the first run starts, unless another caller has been given its id as well. */
const newInput: InputOf = (instance, request, frame) =>
  frame.seq === 0 ? firstInput(instance, request, frame) : loadStarting().then(({ inputForThread }) => inputForThread(instance, request, frame))

/** How a request is appended. Loaded on use: most runs are started on new threads, and end. */
function loadInput(runtime: Runtime, request: StartRequest): InputOf | Promise<InputOf> {
  const { messages, isNew } = request
  if (isNew) return newInput
  if (messages) return starting?.inputForThread ?? loadStarting().then(({ inputForThread }) => inputForThread)
  return goingOn(runtime, request)
}

/** What a request without messages appends. A thread that was imported is left alone until it is adopted. */
async function goingOn(runtime: Runtime, request: StartRequest): Promise<InputOf> {
  const { inputToGoOn, requireAdopted } = await import('./resume-input.ts')
  if (isCallersResume(request)) await requireAdopted(runtime, request.thread)
  return inputToGoOn
}

/** A message for the run under way as the guards of the agent leave it. */
async function guardedSteer({ definition }: AgentInstance, thread: string, message: Draft): Promise<Draft> {
  const { guardSteerDraft } = await import('./guard-input.ts')
  return guardSteerDraft(definition, thread, message)
}

/** How a request is appended, where the agent has guards as they leave it. */
const inputFor = (instance: AgentInstance, request: StartRequest): InputOf | Promise<InputOf> =>
  instance.definition.guards.length > 0 ? guardedInput(instance, request) : loadInput(instance.runtime, request)

/** How a request is appended as the guards of the agent leave it. */
async function guardedInput({ definition, runtime }: AgentInstance, request: StartRequest): Promise<InputOf> {
  const { guardRequest } = await import('./guard-input.ts')
  const left = request.messages ? await guardRequest(definition, request) : request
  const inputOf = await loadInput(runtime, request)
  return (instance, { stop }, frame) => inputOf(instance, { ...left, stop }, frame)
}

/** Appends the input, then drives the thread or follows its driver. */
async function start(follower: RunFollower): Promise<void> {
  const { instance, request } = follower
  const { runtime } = instance
  const { thread, options } = request
  requireInTime(follower)
  const loading = inputFor(instance, request)
  const inputOf = loading instanceof Promise ? await loading : loading
  const pinned = request.isNew ? runtime.threads.pinNew(thread) : await runtime.threads.pin(thread, request.incarnation)
  const { cached } = pinned
  const given = createOverrides(runtime, options)
  follower.from = cached.frame.seq + 1
  let input: RunInput | undefined
  let frame: Frame
  try {
    // Most threads are no forks: they are not waited for here.
    if (cached.frame.fork?.model !== undefined && !follower.stop) {
      const { requireModel } = await import('./require-model.ts')
      await requireModel(instance, cached.frame, options)
    }
    frame = await appendInput(runtime, cached, (current) => {
      const propose = (made: RunInput): readonly Draft[] => {
        input = made
        given.propose(runKey(incarnationAfter(current, made.drafts), made.run))
        return made.drafts
      }
      const made = inputOf(instance, { ...request, stop: follower.stop }, current)
      return made instanceof Promise ? made.then(propose) : propose(made)
    })
    if (input?.drive && isCallersResume(request)) await (await import('./resume-children.ts')).resumeChildren(runtime, frame)
    if (follower.resolver) await loadConsulting()
  } catch (error) {
    given.withdraw()
    pinned.unpin()
    // The thread was removed after it was looked at: the run is for the one that has the name now.
    if (input && isRemoved(error)) return start(follower)
    throw error
  }
  follower.run = input?.run
  if (input?.isRepeated) follower.from = undefined
  follower.incarnation = frame.incarnation
  given.settle()
  follower.seen = frame.seq
  const isAborted = attach(follower, pinned)
  if (!input?.drive) {
    // The thread may have moved on while code was loaded.
    notice(follower, cached.frame)
    return lookBack(follower, cached.frame)
  }
  if (follower.opening) await opened(follower)
  if (!isAborted) void driveOrFollow(follower, input.drive)
}
