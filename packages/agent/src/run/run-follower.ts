/**
 * The follower of a run: drives its thread or follows its driver, passes questions to the resolver of this process, and settles the result.
 *
 * RUN-1. A run is over when its end is durable, or while it is queued when its stop is. It is `waiting` only when it, or the run it is queued behind, is
 *     suspended in the latest frame, this follower has nothing under way, and there is a question, a signal, a time or a pause that it waits for.
 * RUN-2. A result is settled once for every rest of the run: no listener, timer or pinned thread stays behind.
 */
import { type Frame, isAtRest, isOver, type Run } from '@loom-agent/kernel'
import { appendInput } from '../thread/append-input.ts'
import { drainingError, joinDrain } from '../thread/drain.ts'
import { type DriveOptions, driveThread } from '../thread/drive-thread.ts'
import { type AskedResolver, type Runtime, runKey } from '../thread/runtime.ts'
import { isShortSleep } from '../thread/short-sleep.ts'
import { type CachedThread, foldNews, type PinnedThread } from '../thread/thread-cache.ts'
import type { Question } from '../types/question.ts'
import type { Result } from '../types/result.ts'
import { contributing } from './contribute.ts'
import { type RunRequestDraft, requestTo, stopIfAborted } from './control-drafts.ts'
import type { FollowEnd } from './follow.ts'
import type { RunFollower } from './follower-state.ts'
import { queuedResult, resultOf } from './result-of.ts'

/** How long a driver elsewhere may commit nothing before this process tries to take the thread over. */
const silence = 10_000

/**
 * Listens to what is committed here, and to the signal, until the result is settled. Returns whether the run is asked to stop, by a signal that is aborted
 * already: then nothing is driven before that is durable.
 */
export function attach(follower: RunFollower, pinned: PinnedThread): boolean {
  follower.detach()
  const { options } = follower.request
  const { bus, drain } = follower.instance.runtime
  const stopListening = bus.onCommit(pinned.cached.frame.incarnation, (_, frame) => notice(follower, frame))
  const onAbort = (): void => {
    for (const stop of stopIfAborted(options)) ask(follower, stop).catch((error: unknown) => fail(follower, error))
  }
  options.signal?.addEventListener('abort', onAbort, { once: true })
  const leaveDrain = joinDrain(drain, (isOver) => (isOver ? handOn(follower) : void isHandedOn(follower)))
  const withdraw = consulting?.offerResolver(follower, pinned.cached.frame)
  follower.pinned = pinned
  follower.detach = () => {
    follower.detach = () => {}
    follower.pinned = undefined
    stopListening()
    withdraw?.()
    options.signal?.removeEventListener('abort', onAbort)
    leaveDrain()
    setAlarm(follower, undefined)
    pinned.unpin()
  }
  // A signal that is aborted already calls no listener.
  onAbort()
  return options.signal?.aborted === true
}

/** Asks the run to stop or to pause, under way or queued, then drives or follows it. */
export function ask(follower: RunFollower, request: RunRequestDraft): Promise<void> {
  const append: Appending = (cached) => appendInput(follower.instance.runtime, cached, (frame) => requestTo(frame, follower.run, request))
  return moveOn(follower, append, {})
}

/** Appends to the thread of a run. */
type Appending = (cached: CachedThread) => Promise<unknown>

/** Does work that may move on a run at rest, then drives or follows it. */
export async function moveOn(follower: RunFollower, work: Appending, drive: DriveOptions): Promise<void> {
  const { settlement } = follower
  try {
    await occupied(follower, () => contributing(follower, work))
  } catch (error) {
    // A frame that was noticed meanwhile did not count as rest, because something was under way: it has to be looked at again.
    void driveOrFollow(follower, {})
    throw error
  }
  const isAborted = settlement.reopen() && (await pinAgain(follower))
  if (!isAborted) void driveOrFollow(follower, drive)
}

async function pinAgain(follower: RunFollower): Promise<boolean> {
  const { instance, request, incarnation } = follower
  try {
    return attach(follower, await instance.runtime.threads.pin(request.thread, incarnation))
  } catch (error) {
    fail(follower, error)
    throw error
  }
}

/** A suspended run does not count as at rest until the returned function is called. */
function occupy(follower: RunFollower): () => void {
  follower.busy += 1
  return () => {
    follower.busy -= 1
  }
}

/** Does work during which a suspended run does not count as at rest. */
async function occupied<T>(follower: RunFollower, work: () => Promise<T>): Promise<T> {
  const leave = occupy(follower)
  try {
    return await work()
  } finally {
    leave()
  }
}

/** Drives the thread as far as this process may, then follows the driver that goes on with it, until the run is at rest. Never rejects. */
export async function driveOrFollow(follower: RunFollower, options: DriveOptions): Promise<void> {
  const { instance, settlement } = follower
  try {
    for (let drive = options; ; drive = {}) {
      const { pinned } = follower
      if (!pinned) return
      const { cached } = pinned
      const leave = occupy(follower)
      try {
        await driveThread(instance, cached, drive)
      } finally {
        leave()
      }
      notice(follower, cached.frame)
      if (settlement.isSettled() || follower.isFollowing || follower.busy > 0) return
      // Another user of the cached thread may fold more meanwhile: what was not looked at here is followed.
      const { frame } = cached
      await lookBack(follower, frame)
      if (isHandedOn(follower)) return
      follower.isFollowing = true
      const how = await followFrom(follower, frame)
      follower.isFollowing = false
      // The driver that was followed may be gone: then the thread can be taken now.
      if (how === 'over') return
      await foldNews(instance.runtime.journal, cached)
    }
  } catch (error) {
    fail(follower, error)
  }
}

/** The run may have ended, and the next have started, since the last look: then its end is found in the journal. */
export async function lookBack(follower: RunFollower, frame: Frame): Promise<void> {
  const { run, instance } = follower
  if (run === undefined || !frame.run || frame.run.id === run || frame.queue.some((queued) => queued.run === run)) return
  const { findEnd } = await import('./follow.ts')
  const end = await findEnd(instance.runtime.journal, frame, run)
  if (!end) return
  // What comes after the end is not of this run: viewers of it end there.
  follower.seen = end.seq
  notice(follower, end)
}

/** Loaded on use: most runs are driven where they are started. */
async function followFrom(follower: RunFollower, start: Frame): Promise<FollowEnd> {
  const { instance, settlement, viewers } = follower
  const { follow } = await import('./follow.ts')
  return follow(instance.runtime, start, {
    event(event, frame) {
      for (const viewer of viewers) viewer.push(event)
      // A run's end is noticed at once: the next run may start with the next event.
      if (frame.run && isOver(frame.run)) notice(follower, frame)
    },
    caughtUp: (frame) => notice(follower, frame),
    isReady: (frame) => frame.seq > start.seq && frame.run?.status === 'suspended' && !isAtRest(frame),
    isOver: () => settlement.isSettled(),
    onOver: settlement.onSettled,
    silence,
  })
}

/** Looks at a frame: are there questions for the resolver, and is the run at rest? */
export function notice(follower: RunFollower, frame: Frame): void {
  follower.seen = Math.max(follower.seen, frame.seq)
  if (follower.settlement.isSettled()) return
  consulting?.consultResolvers(follower, frame, pass)
  const { run } = frame
  const queued = frame.queue.length > 0 ? queuedIn(frame, follower.run) : undefined
  if (!run || (run.id !== follower.run && !queued)) return
  if (queued ? queued.stop : isOver(run)) return void settle(follower, frame, run)
  const rests = run.status === 'suspended' && follower.busy === 0 && frame.seq >= follower.seen && isAtRest(frame)
  if (rests && follower.alarm?.seq !== frame.seq && !sleepsShortly(follower, frame, run)) void settle(follower, frame, run)
}

const queuedIn = ({ queue }: Frame, run: string | undefined): Frame['queue'][number] | undefined => queue.find((queued) => queued.run === run)

async function settle(follower: RunFollower, frame: Frame, run: Run): Promise<void> {
  const { instance, settlement, viewers } = follower
  const claim = settlement.take()
  if (!claim) return
  try {
    const sources = { threads: instance.runtime.threads, unanswered: follower.resolver?.unanswered, signal: follower.request.options.signal }
    const isOurs = run.id === follower.run
    const result = await (isOurs ? resultOf(frame, run, sources) : queuedResult(frame, follower.run ?? '', sources))
    if (!result) return goOnWithChildren(follower, frame)
    if (isOurs && result.status === 'waiting' && consulting?.consultAboutChildren(follower, result.questions, pass)) return
    if (!settlement.give(claim, result)) return
    follower.detach()
    leaveRun(instance.runtime, frame, result)
    for (const viewer of viewers) viewer.end(frame.seq)
  } catch (error) {
    fail(follower, error)
  }
}

/** Nobody follows the run here any more: what it was given is let go of, or noted where it waits (DEPS-1). */
function leaveRun({ overrides, left }: Runtime, { thread, incarnation, seq }: Frame, { status, run }: Result<unknown>): void {
  const key = runKey(incarnation, run)
  if (status !== 'waiting') overrides.delete(key)
  else if (overrides.has(key)) left.set(key, { thread, incarnation, run, seq })
}

/**
 * A run that is suspended, and neither it nor a child of it waits for anything, is not at rest: a child is at work, or has ended without a driver that
 * could record it. The thread is driven from here, which follows the child; while another driver has the thread, this is tried again now and then.
 */
function goOnWithChildren(follower: RunFollower, { seq }: Frame): void {
  if (!follower.settlement.reopen()) return
  const { clock } = follower.instance.runtime.ports
  const at = clock.now() + silence
  const lookAgain = (): void => {
    setAlarm(follower, undefined)
    void driveOrFollow(follower, {})
  }
  setAlarm(follower, { at, seq, cancel: clock.at(at, lookAgain) })
  void driveOrFollow(follower, { force: true })
}

/** A run that only sleeps for a moment is not at rest. */
function sleepsShortly(follower: RunFollower, frame: Frame, run: Run): boolean {
  const { clock } = follower.instance.runtime.ports
  const { until } = run
  if (until === undefined || !isShortSleep(frame, run, clock.now())) return false
  if (follower.alarm?.at === until || isHandedOn(follower)) return true
  const onTime = (): void => {
    setAlarm(follower, undefined)
    void driveOrFollow(follower, { force: true })
  }
  setAlarm(follower, { at: until, cancel: clock.at(until, onTime) })
  return true
}

function setAlarm(follower: RunFollower, alarm: RunFollower['alarm']): void {
  follower.alarm?.cancel()
  follower.alarm = alarm
}

let consulting: typeof import('./consult-resolvers.ts') | undefined

/** Loads how resolvers are consulted. A follower with a resolver needs it before it attaches, and offers it then: without it there is no resolver to ask. */
export async function loadConsulting(): Promise<void> {
  consulting ??= await import('./consult-resolvers.ts')
}

/** Passes a question to resolvers, then goes on with the run. */
function pass(follower: RunFollower, resolvers: readonly AskedResolver[], question: Question): void {
  occupied(follower, async () => {
    const { askInTurn } = await import('./ask-resolver.ts')
    return askInTurn(follower.instance, resolvers, question)
  }).then(
    (isSettled) => driveOrFollow(follower, isSettled ? { force: true } : {}),
    (error: unknown) => fail(follower, error),
  )
}

/** Whether another process goes on with the run because this one drains: then the result is rejected, unless something is under way here (DRAIN-4). */
function isHandedOn(follower: RunFollower): boolean {
  if (!follower.instance.runtime.drain.isDraining || follower.busy > 0 || follower.settlement.isSettled()) return false
  handOn(follower)
  return true
}

/** Leaves the run to other processes. */
const handOn = (follower: RunFollower): void => fail(follower, drainingError(follower.request.thread, 'stored'))

/** Gives up: the handle's result is the error. The thread stays as it is. */
export function fail(follower: RunFollower, error: unknown): void {
  const { instance, incarnation, run } = follower
  follower.detach()
  // The next caller that resumes the run gives again what it needs (DEPS-1).
  if (incarnation !== undefined && run !== undefined) instance.runtime.overrides.delete(runKey(incarnation, run))
  follower.settlement.fail(error)
  for (const viewer of follower.viewers) viewer.fail(error)
}
