/** The users of a simulation: they give inputs, interrupt, and answer, through whichever worker is available. */
import { type Result, type RunHandle, reject, type SignedAnswer } from '@loom-agent/agent'
import { questionIdOf } from '@loom-agent/agent/kit'
import { canonicalJson, emptyFrame, type Frame, isLoomError, isOver, type Json, type LoomEvent, type OpenQuestion } from '@loom-agent/kernel'
import { answerByTruth, type Finding } from '@loom-agent/testing/crash'
import { type Plan, planInput } from '../plan/plan.ts'
import { type AnswerKind, planAnswer } from '../plan/plan-agent.ts'
import { SimulatedFailure } from './faults.ts'
import type { LoneStop } from './lone-stop.ts'
import { available, knownTruth, look, type Simulation, type Worker } from './world.ts'

/** What users request of a thread. */
export interface UserRequest {
  readonly thread: string
  /** When they request it. */
  readonly at: number
  readonly kind: 'input' | 'steer' | 'stop' | 'pause'
  /** Which input it is, from 1. */
  readonly number: number
}

/** An answer that was acknowledged to its sender. */
interface AcceptedAnswer {
  readonly question: string
  readonly answer: string
}

/** The users. */
export interface Users {
  readonly simulation: Simulation
  readonly plan: Plan
  readonly requests: readonly UserRequest[]
  readonly answers: readonly AnswerKind[]
  readonly accepted: AcceptedAnswer[]
  readonly handles: Map<string, { readonly worker: Worker; readonly run: RunHandle<unknown> }>
  /** Results that were asked for and are not settled, with the workers that owe them. */
  readonly unsettled: Map<RunHandle<unknown>, Worker>
  /** Whether they may stop runs, besides what was requested; and whether they answer nothing any more once no more faults occur. */
  readonly isFree: boolean
  readonly fallSilent: boolean
  /** Stops of threads that nobody drove. */
  readonly loneStops: LoneStop[]
  asked: number
}

/** Milliseconds after which users check whether a request was fulfilled. */
const patience = 5_000
/** How often users look for questions. */
const rounds = 3_000

/** Starts the users. */
export function startUsers(simulation: Simulation, script: Pick<Users, 'plan' | 'requests' | 'answers' | 'isFree' | 'fallSilent'>): Users {
  const users: Users = { simulation, ...script, accepted: [], handles: new Map(), unsettled: new Map(), loneStops: [], asked: 0 }
  const { clock } = simulation.observer.time
  for (const request of script.requests) clock.at(clock.now() + request.at, () => void submit(users, request))
  clock.at(clock.now() + rounds, () => void answerRound(users))
  return users
}

/** Whether the journal shows that a request was fulfilled, or cannot be any more. */
function isFulfilled({ kind, number }: UserRequest, events: readonly LoomEvent[], frame: Frame): boolean {
  if (kind === 'input') return frame.runs >= number
  if (frame.run && isOver(frame.run)) return true
  if (kind === 'steer') return events.some(({ type }) => type === 'message.steered')
  return events.some(({ type }) => type === (kind === 'stop' ? 'run.stop-requested' : 'run.pause-requested'))
}

/** A request that a worker has received. */
interface Attempt {
  readonly worker: Worker
  failed: boolean
}

/** Submits a request, and checks later: the worker may die, and the reply may be lost. No second worker is asked while the first may still do it. */
async function submit(users: Users, request: UserRequest, before?: Attempt): Promise<void> {
  const { simulation } = users
  const { clock } = simulation.observer.time
  const { events, frame } = (await look(simulation)).get(request.thread) ?? { events: [], frame: emptyFrame(request.thread) }
  if (isFulfilled(request, events, frame)) return
  const workers = available(simulation)
  const isPending = before && !before.failed && !before.worker.process.isDead()
  const isEarly = request.kind === 'input' ? frame.runs < request.number - 1 : frame.runs === 0
  const attempt = isPending || isEarly || workers.length === 0 ? undefined : { worker: simulation.dice.pick(workers), failed: false }
  clock.at(clock.now() + patience, () => void submit(users, request, attempt ?? before))
  if (attempt) await perform(users, request, attempt)
}

/** Waits for a result. One that waits must say for what. */
export function follow({ unsettled, simulation }: Users, run: RunHandle<unknown>, { worker, failed }: Followed): void {
  unsettled.set(run, worker)
  void run
    .result()
    .then((result) => simulation.observer.found.push(...waitFindings(result)))
    .catch(failed ?? ((error: unknown) => report(simulation, error)))
    .finally(() => unsettled.delete(run))
}

/** Which worker owes a result, and what is called when it fails. */
interface Followed {
  readonly worker: Worker
  readonly failed?: (error: unknown) => void
}

function waitFindings(result: Result<unknown>): readonly Finding[] {
  if (result.status !== 'waiting') return []
  const { reason, questions, until, waits, thread } = result
  const isTrue = { question: questions.length > 0, time: until !== undefined, signal: waits.length > 0, paused: true }[reason]
  return isTrue ? [] : [{ kind: 'stuck', at: thread, message: `its result waits for ${reason}, and there is none` }]
}

async function perform(users: Users, { thread, kind, number }: UserRequest, attempt: Attempt): Promise<void> {
  const { handles, simulation, plan } = users
  const { worker } = attempt
  const failed = (error: unknown): void => {
    attempt.failed = true
    report(simulation, error)
  }
  const known = handles.get(thread)
  const isKnown = kind !== 'input' && known !== undefined && !known.worker.process.isDead()
  const run = isKnown
    ? known.run
    : kind === 'input'
      ? worker.agent.start(number === 1 ? planInput(plan) : `input ${number}`, { thread })
      : worker.agent.resume(thread)
  if (!isKnown) follow(users, run, { worker, failed })
  if (kind === 'input') handles.set(thread, { worker, run })
  const requests = { input: async () => {}, steer: () => run.steer('By the way.'), stop: () => run.stop('Enough.'), pause: () => run.pause() }
  await requests[kind]().catch(failed)
}

/** A failing journal is part of the simulation, and a typed error is a legal reply; everything else is a finding. */
function report({ observer }: Simulation, error: unknown): void {
  if (error instanceof SimulatedFailure || isLoomError(error)) return
  observer.found.push({ kind: 'failed', message: `a run failed: ${error instanceof Error ? error.message : String(error)}` })
}

/** Answers one open question of each thread; sometimes two users answer at once. */
async function answerRound(users: Users): Promise<void> {
  const { simulation, answers } = users
  const { clock } = simulation.observer.time
  clock.at(clock.now() + rounds, () => void answerRound(users))
  if (users.fallSilent && simulation.dice.isCalm()) return
  for (const [thread, { events, frame }] of await look(simulation)) {
    const [question] = Object.values(frame.questions)
    // Nobody can answer a question that has expired, and nothing records that while its run is paused.
    const isExpired = (question?.expires ?? Number.POSITIVE_INFINITY) <= clock.now()
    if (!question || isExpired || !frame.run || isOver(frame.run)) {
      resumePaused(users, frame)
      continue
    }
    // Not all people answer at once.
    if (simulation.dice.random() < 0.4) continue
    const workers = available(simulation)
    if (workers.length === 0) return
    users.asked += 1
    const answer = answerOf(users, question, { thread, events, kind: answers[users.asked % answers.length] ?? 'approve' })
    const racers = simulation.dice.random() < 0.3 ? 2 : 1
    for (let racer = 0; racer < racers; racer += 1) {
      const other = racer > 0 && question.kind === 'approval' && answers.length > 1 ? reject('me first') : answer
      void send(users, simulation.dice.pick(workers), { id: questionIdOf(frame, question.id), answer: other })
    }
  }
}

/** Resumes what was paused. */
function resumePaused({ simulation }: Users, { run, thread, parent }: Frame): void {
  const workers = available(simulation)
  if (!run?.pause || run.status !== 'suspended' || parent || workers.length === 0) return
  simulation.dice
    .pick(workers)
    .agent.resume(thread)
    .result()
    .catch((error: unknown) => report(simulation, error))
}

interface About {
  readonly thread: string
  readonly events: readonly LoomEvent[]
  readonly kind: AnswerKind
}

function answerOf({ simulation }: Users, question: OpenQuestion, { thread, events, kind }: About): SignedAnswer {
  if (question.kind !== 'in-doubt') return planAnswer(kind, question)
  const { call = '', key } = question
  const place = { thread, call, ...(key !== undefined && { step: key }) }
  return answerByTruth(knownTruth(simulation, place, events), place, simulation.resolved)
}

async function send(users: Users, worker: Worker, { id, answer }: { id: string; answer: SignedAnswer }): Promise<void> {
  try {
    await worker.agent.answer(id, answer)
    users.accepted.push({ question: id, answer: canonicalJson(answer.answer as Json) })
  } catch (error) {
    report(users.simulation, error)
  }
}
