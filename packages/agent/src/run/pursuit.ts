/**
 * The pursuit of a result: drives or follows a thread, hands questions to whoever answers here, and knows when the run is at rest.
 *
 * RUN-1. A run is over when its end is durable. It is `waiting` only when it is suspended in the latest frame and nothing of ours is under way.
 */
import { type Draft, type Frame, isAtRest, isOver, type Run } from '@loom-agent/kernel'
import type { SignedAnswer } from '../human/answer.ts'
import { answerDrafts, checkResponse } from '../human/give-answer.ts'
import { parseQuestionId, questionsOf } from '../human/question.ts'
import type { LaunchRequest } from './begin.ts'
import { type DriveOptions, drive, type Runtime } from './drive.ts'
import { catchUp } from './resident.ts'
import { resultOf } from './result-of.ts'
import type { Settlement } from './settlement.ts'
import type { Viewer } from './viewer.ts'
import { visit } from './visit.ts'
import { follow, listen } from './world.ts'

/** A sleep shorter than this is slept here; a longer one makes the run `waiting`. */
const linger = 60_000
/** How long a driver elsewhere may say nothing before somebody looks whether it lives. */
const silence = 10_000

/** What a handle knows of its run. */
export interface Pursuit {
  readonly runtime: Runtime
  readonly request: LaunchRequest
  readonly settlement: Settlement
  readonly viewers: Set<Viewer>
  /** Questions that were handed to the resolver. */
  readonly asked: Set<string>
  run: string | undefined
  /** The first event of interest, and the last that was noticed. */
  from: number
  seen: number
  /** What is under way: drives, answers, resolvers. */
  busy: number
  following: boolean
  /** When a short sleep is over, and what cancels the timer. */
  alarm: { readonly at: number; readonly cancel: () => void } | undefined
  close: () => void
}

/** Listens to what is committed here, and to the signal; `close` ends it. A result at rest leaves no listener behind. */
export function attach(pursuit: Pursuit): void {
  pursuit.close()
  const { thread, options } = pursuit.request
  const unlisten = listen(pursuit.runtime.world, thread, (frame) => notice(pursuit, frame))
  const onAbort = (): void => void stopBySignal(pursuit)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  pursuit.close = () => {
    unlisten()
    options.signal?.removeEventListener('abort', onAbort)
    setAlarm(pursuit, undefined)
  }
}

async function stopBySignal(pursuit: Pursuit): Promise<void> {
  const isOurs = (frame: Frame): boolean => frame.run !== undefined && frame.run.id === pursuit.run && !isOver(frame.run)
  const stop: Draft = { type: 'run.stop-requested', data: { reason: 'The signal was aborted.' } }
  await move(pursuit, () => speak(pursuit, pursuit.request.thread, (frame) => (isOurs(frame) ? [stop] : [])), {}).catch((error: unknown) =>
    fail(pursuit, error),
  )
}

/** Does something that moves a run on which may have been at rest. */
export async function move(pursuit: Pursuit, work: () => Promise<void>, wake: DriveOptions): Promise<void> {
  try {
    await occupied(pursuit, work)
  } catch (error) {
    // Whoever looked meanwhile saw that something was under way, and left: somebody has to look again.
    void pursue(pursuit, {})
    throw error
  }
  if (pursuit.settlement.reopen()) attach(pursuit)
  void pursue(pursuit, wake)
}

/** Does something during which a suspended run does not count as at rest. */
export async function occupied<T>(pursuit: Pursuit, work: () => Promise<T>): Promise<T> {
  pursuit.busy += 1
  try {
    return await work()
  } finally {
    pursuit.busy -= 1
  }
}

/** Drives the thread as far as this process may, then follows whoever goes on with it, until the run is at rest. Never rejects. */
export async function pursue(pursuit: Pursuit, options: DriveOptions): Promise<void> {
  const { runtime, request, settlement } = pursuit
  try {
    for (let drives = options; ; drives = {}) {
      const { resident } = await occupied(pursuit, () => drive(runtime, request.thread, drives))
      const frame = await catchUp(runtime.world.journal, resident)
      notice(pursuit, frame)
      if (settlement.isSettled() || pursuit.following || pursuit.busy > 0) return
      pursuit.following = true
      const how = await followFrom(pursuit, frame)
      pursuit.following = false
      // The driver that was followed may be gone: then the thread can be taken now.
      if (how === 'over') return
    }
  } catch (error) {
    fail(pursuit, error)
  }
}

function followFrom(pursuit: Pursuit, start: Frame): ReturnType<typeof follow> {
  const { runtime, settlement, viewers } = pursuit
  return follow(runtime.world, start, {
    event(event, frame) {
      for (const viewer of viewers) viewer.push(event)
      // A run's end is noticed at once: the next run may begin with the next event.
      if (frame.run && isOver(frame.run)) notice(pursuit, frame)
    },
    caughtUp: (frame) => notice(pursuit, frame),
    until: () => settlement.isSettled(),
    stopped: settlement.settled(),
    patience: silence,
  })
}

/** Looks at a frame: are there questions for us, and is the run at rest? */
export function notice(pursuit: Pursuit, frame: Frame): void {
  pursuit.seen = Math.max(pursuit.seen, frame.seq)
  if (pursuit.settlement.isSettled()) return
  consult(pursuit, frame)
  const { run } = frame
  if (!run || run.id !== pursuit.run) return
  if (isOver(run)) return void settle(pursuit, frame, run)
  const rests = run.status === 'suspended' && pursuit.busy === 0 && frame.seq >= pursuit.seen && isAtRest(frame)
  if (rests && !sleepsShortly(pursuit, run)) void settle(pursuit, frame, run)
}

async function settle(pursuit: Pursuit, frame: Frame, run: Run): Promise<void> {
  const { runtime, settlement, viewers } = pursuit
  const claim = settlement.take()
  if (!claim) return
  try {
    const result = await resultOf(frame, run, runtime.world.residents)
    if (!settlement.give(claim, result)) return
    pursuit.close()
    if (isOver(run)) runtime.world.overrides.delete(`${frame.thread}/${run.id}`)
    for (const viewer of viewers) viewer.end(frame.seq)
  } catch (error) {
    fail(pursuit, error)
  }
}

/** A run that only sleeps for a moment is not at rest for whoever waits for it. */
function sleepsShortly(pursuit: Pursuit, { until }: Run): boolean {
  const { clock } = pursuit.runtime.world.ports
  if (until === undefined || until - clock.now() > linger) return false
  if (pursuit.alarm?.at === until) return true
  const ring = (): void => {
    setAlarm(pursuit, undefined)
    void pursue(pursuit, { force: true })
  }
  setAlarm(pursuit, { at: until, cancel: clock.at(until, ring) })
  return true
}

function setAlarm(pursuit: Pursuit, alarm: Pursuit['alarm']): void {
  pursuit.alarm?.cancel()
  pursuit.alarm = alarm
}

/** Hands new questions to whoever answers in this process. */
function consult(pursuit: Pursuit, frame: Frame): void {
  const { runtime, request, asked } = pursuit
  const resolver = request.options.onQuestion ?? runtime.onQuestion
  if (!resolver) return
  for (const question of questionsOf(frame)) {
    if (asked.has(question.id)) continue
    asked.add(question.id)
    const resolving = occupied(pursuit, async () => {
      const answer = await resolver(question)
      if (answer) await giveAnswer(pursuit, question.id, answer)
      return answer
    })
    resolving.then(
      (answer) => pursue(pursuit, answer ? { force: true } : {}),
      (error: unknown) => fail(pursuit, error),
    )
  }
}

/** Gives up: the handle's result is the error. The thread is as it is. */
export function fail(pursuit: Pursuit, error: unknown): void {
  pursuit.close()
  pursuit.settlement.fail(error)
  for (const viewer of pursuit.viewers) viewer.fail(error)
}

/** Appends as a visitor. */
export async function speak({ runtime }: Pursuit, thread: string, say: (frame: Frame) => readonly Draft[]): Promise<void> {
  const { journal, ports, residents } = runtime.world
  const resident = await residents.load(thread)
  await visit({ journal, clock: ports.clock, ids: ports.ids }, resident, say)
}

/** Appends the answer to a question of the thread or of one of its children. */
export async function giveAnswer(pursuit: Pursuit, questionId: string, answer: SignedAnswer): Promise<void> {
  const { thread, local } = parseQuestionId(questionId)
  const { frame } = await pursuit.runtime.world.residents.load(thread)
  await checkResponse(frame, local, answer)
  await speak(pursuit, thread, (current) => answerDrafts(current, local, answer))
}
