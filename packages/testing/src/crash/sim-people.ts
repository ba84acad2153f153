/** People in a simulated world: they give inputs, interfere, and answer, through whichever worker is there. */
import { approve, type RunHandle, reject, respond, type SignedAnswer } from '@loom-agent/agent'
import { canonicalJson, emptyFrame, type Frame, isLoomError, isOver, type Json, type LoomEvent, type OpenQuestion } from '@loom-agent/kernel'
import { type AnswerKind, planAnswer } from './plan.ts'
import { SimulatedFailure } from './sim-faults.ts'
import { knownTruth, look, present, type SimWorld, type Worker } from './sim-world.ts'

/** What people want of a thread. */
export interface Wish {
  readonly thread: string
  /** When they come for it. */
  readonly at: number
  readonly kind: 'input' | 'steer' | 'stop' | 'pause'
  /** Which input it is, from 1. */
  readonly number: number
}

/** An answer that somebody was told to be in the journal. */
interface Given {
  readonly question: string
  readonly answer: string
}

/** People at work. */
export interface People {
  readonly world: SimWorld
  readonly wishes: readonly Wish[]
  readonly answers: readonly AnswerKind[]
  readonly given: Given[]
  readonly handles: Map<string, { readonly worker: Worker; readonly run: RunHandle<unknown> }>
  asked: number
}

/** After so long people look whether what they wanted has been done. */
const patience = 5_000
/** People look for questions this often. */
const rounds = 3_000

/** Lets people come for what they want. */
export function invite(world: SimWorld, wishes: readonly Wish[], answers: readonly AnswerKind[]): People {
  const people: People = { world, wishes, answers, given: [], handles: new Map(), asked: 0 }
  const { clock } = world.pace
  for (const wish of wishes) clock.at(clock.now() + wish.at, () => void pursue(people, wish))
  clock.at(clock.now() + rounds, () => void answerRound(people))
  return people
}

/** Whether the journal shows that a wish was granted, or can be no more. */
function isGranted({ kind, number }: Wish, events: readonly LoomEvent[], frame: Frame): boolean {
  if (kind === 'input') return frame.runs >= number
  if (frame.run && isOver(frame.run)) return true
  if (kind === 'steer') return events.some(({ type }) => type === 'message.steered')
  return events.some(({ type }) => type === (kind === 'stop' ? 'run.stop-requested' : 'run.pause-requested'))
}

/** Somebody was asked for something. */
interface Try {
  readonly worker: Worker
  failed: boolean
}

/** Tries, and looks again later: a worker may die over it, and a reply may be lost. Nobody asks a second worker while the first may still do it. */
async function pursue(people: People, wish: Wish, before?: Try): Promise<void> {
  const { world } = people
  const { clock } = world.pace
  const { events, frame } = (await look(world)).get(wish.thread) ?? { events: [], frame: emptyFrame(wish.thread) }
  if (isGranted(wish, events, frame)) return
  const workers = present(world)
  const isPending = before && !before.failed && !before.worker.process.isDead()
  const isEarly = wish.kind === 'input' ? frame.runs < wish.number - 1 : frame.runs === 0
  const attempt = isPending || isEarly || workers.length === 0 ? undefined : { worker: world.dice.pick(workers), failed: false }
  clock.at(clock.now() + patience, () => void pursue(people, wish, attempt ?? before))
  if (attempt) await grant(people, wish, attempt)
}

async function grant({ handles, world }: People, { thread, kind, number }: Wish, attempt: Try): Promise<void> {
  const { worker } = attempt
  const failed = (error: unknown): void => {
    attempt.failed = true
    tell(world, error)
  }
  const known = handles.get(thread)
  const isKnown = kind !== 'input' && known !== undefined && !known.worker.process.isDead()
  const run = isKnown ? known.run : kind === 'input' ? worker.agent.start(`input ${number}`, { thread }) : worker.agent.resume(thread)
  if (!isKnown) run.result().catch(failed)
  if (kind === 'input') handles.set(thread, { worker, run })
  const asking = { input: async () => {}, steer: () => run.steer('By the way.'), stop: () => run.stop('Enough.'), pause: () => run.pause() }
  await asking[kind]().catch(failed)
}

/** That the journal fails is part of the game, and so is what people are told politely; everything else is a finding. */
function tell({ found }: SimWorld, error: unknown): void {
  if (error instanceof SimulatedFailure || isLoomError(error)) return
  found.push({ kind: 'failed', message: `a run could not go on: ${error instanceof Error ? error.message : String(error)}` })
}

/** Answers what is open, one question of each thread at a time; sometimes two people at once. */
async function answerRound(people: People): Promise<void> {
  const { world, answers } = people
  const { clock } = world.pace
  clock.at(clock.now() + rounds, () => void answerRound(people))
  for (const [thread, { events, frame }] of await look(world)) {
    const [question] = Object.values(frame.questions)
    if (!question || !frame.run || isOver(frame.run)) {
      await goOn(people, frame)
      continue
    }
    const workers = present(world)
    if (workers.length === 0) return
    people.asked += 1
    const answer = answerOf(people, question, { thread, events, kind: answers[people.asked % answers.length] ?? 'approve' })
    const racers = world.dice.random() < 0.3 ? 2 : 1
    for (let racer = 0; racer < racers; racer += 1) {
      const other = racer > 0 && question.kind === 'approval' && answers.length > 1 ? reject('me first') : answer
      void give(people, world.dice.pick(workers), { id: `${thread}#${question.id}`, answer: other })
    }
  }
}

/** Somebody resumes what was paused. */
async function goOn({ world }: People, { run, thread, parent }: Frame): Promise<void> {
  const workers = present(world)
  if (!run?.pause || run.status !== 'suspended' || parent || workers.length === 0) return
  world.dice
    .pick(workers)
    .agent.resume(thread)
    .result()
    .catch((error: unknown) => tell(world, error))
}

interface About {
  readonly thread: string
  readonly events: readonly LoomEvent[]
  readonly kind: AnswerKind
}

function answerOf({ world }: People, question: OpenQuestion, { thread, events, kind }: About): SignedAnswer {
  if (question.kind !== 'in-doubt') return planAnswer(kind, question)
  const { call = '', key } = question
  const truth = knownTruth(world, { thread, call, ...(key !== undefined && { step: key }) }, events)
  if (truth.kind === 'unknown') return reject('nobody can say')
  return truth.kind === 'done' ? respond(truth.value) : approve()
}

async function give(people: People, worker: Worker, { id, answer }: { id: string; answer: SignedAnswer }): Promise<void> {
  try {
    await worker.agent.answer(id, answer)
    people.given.push({ question: id, answer: canonicalJson(answer.answer as Json) })
  } catch (error) {
    tell(people.world, error)
  }
}
