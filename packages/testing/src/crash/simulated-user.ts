/** What a user does in one process, and how the next process continues it. */
import type { EventEmitter } from 'node:events'
import { approve, type Question, type Result, type RunHandle, type SignedAnswer } from '@loom-agent/agent'
import { localQuestionId, storedFrame } from '@loom-agent/agent/kit'
import { isLoomError, isOver, type Journal, type LoomEvent } from '@loom-agent/kernel'
import type { RebuiltAgent } from '../double/rebuild-agent.ts'
import { answerByTruth, type EffectLog, type EffectPlace, truthOf } from './effect-log.ts'
import { eventsOf, untilThread } from './record.ts'
import type { CrashScenario, InputOptions, Interruption, SimulatedUser } from './scenario.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** What a user works with. */
export interface UserSetup {
  readonly scenario: Pick<CrashScenario<object>, 'answer' | 'doubt'>
  readonly thread: string
  readonly agent: RebuiltAgent
  readonly journal: Journal
  readonly process: SimulatedProcess
  readonly log: EffectLog
  /** Places in doubt whose outcome was known and reported, in all processes. */
  readonly resolved: Set<string>
  readonly asked: Map<string, Question>
  readonly seesWorld: boolean
  readonly marks: Marks
}

/** Marks that tools emit in one process. */
export interface Marks {
  readonly emitted: Set<string>
  /** Emits `mark` after each of them. */
  readonly emitter: EventEmitter
}

interface Play {
  readonly setup: UserSetup
  readonly interruptions: Interruption[]
  readonly options: { deps?: unknown }
  /** Inputs that were given in this process. */
  given: number
}

/** Rounds of answers after which a run counts as endless. */
const rounds = 60

/** The user of one process. */
export function createUser(setup: UserSetup): SimulatedUser {
  const { thread, journal, agent } = setup
  const play: Play = { setup, interruptions: [], options: {}, given: 0 }
  const frame = () => storedFrame(journal, thread)
  const has = async (type: LoomEvent['type']): Promise<boolean> => (await eventsOf(journal, thread)).some((event) => event.type === type)
  return {
    thread,
    frame,
    events: () => eventsOf(journal, thread),
    meanwhile: (interruption) => void play.interruptions.push(interruption),
    input: (text, options = {}) => input(play, text, options),
    async inputs(...texts) {
      for (const text of texts) {
        play.given += 1
        if ((await frame()).runs >= play.given) continue
        agent.start(text, { thread })
        await untilThread(journal, thread, async () => (await frame()).runs >= play.given)
      }
      await untilRest(play)
    },
    async raise(limits) {
      if (!(await has('limit.raised'))) await settle(play, agent.resume(thread, { limits }))
      else await untilRest(play)
    },
    async again() {
      if (!(await has('run.resumed'))) await settle(play, agent.resume(thread))
      else await untilRest(play)
    },
  }
}

async function input(play: Play, text: string, options: InputOptions): Promise<Result<unknown> | undefined> {
  const { agent, journal, thread } = play.setup
  play.given += 1
  if (options.deps !== undefined) play.options.deps = options.deps
  const { runs, run } = await storedFrame(journal, thread)
  if (runs < play.given || options.id !== undefined) return settle(play, agent.start(text, { ...options, thread }))
  if (runs > play.given || (run && isOver(run))) return undefined
  return settle(play, agent.resume(thread, play.options))
}

/** Follows everything that is active or queued until it rests. */
async function untilRest(play: Play): Promise<void> {
  const { agent, journal, thread } = play.setup
  for (let round = 0; round < rounds; round += 1) {
    const { run, queue } = await storedFrame(journal, thread)
    if (run && isOver(run) && queue.length === 0) return
    // A queue without a driver moves on when a process recovers unfinished threads.
    if (run && isOver(run)) await agent.recover()
    else await settle(play, agent.resume(thread, play.options))
  }
  throw new Error(`The thread ${thread} does not come to rest.`)
}

/** Answers questions, waits for timers, and resumes what was paused. */
async function settle(play: Play, started: RunHandle<unknown>): Promise<Result<unknown>> {
  const { agent, thread, process } = play.setup
  let run = started
  const interrupter = interrupt(play, () => run)
  try {
    for (let round = 0; round < rounds; round += 1) {
      const result = await run.result()
      if (result.status !== 'waiting') return result
      if (await answerAll(play, run, result.questions)) continue
      if (await interrupter.hasActed()) continue
      const { until } = result
      if (until !== undefined) await new Promise<void>((resolve) => process.clock.at(until, resolve))
      else if (result.questions.length > 0) throw new Error(`The thread ${thread} waits, and no answer is given to ${result.questions[0]?.id}.`)
      run = agent.resume(thread, play.options)
    }
    throw new Error(`The thread ${thread} still waits after ${rounds} rounds.`)
  } finally {
    interrupter.close()
  }
}

/** Answers each question that the scenario has an answer to; false when there was none. */
async function answerAll({ setup }: Play, run: RunHandle<unknown>, questions: readonly Question[]): Promise<boolean> {
  let answered = false
  for (const question of questions) {
    setup.asked.set(question.id, question)
    const answer = await answerTo(setup, question)
    if (!answer) continue
    answered = true
    try {
      await run.answer(question.id, answer)
    } catch (error) {
      // An earlier answer may have settled the question.
      if (!isLoomError(error) || !error.code.startsWith('LOOM_QUESTION_')) throw error
    }
  }
  return answered
}

async function answerTo(setup: UserSetup, question: Question): Promise<SignedAnswer | undefined> {
  const { scenario, journal, log, resolved, seesWorld } = setup
  if (question.kind !== 'in-doubt') return scenario.answer ? scenario.answer(question) : approve()
  if (scenario.doubt) return scenario.doubt(question)
  const frame = await storedFrame(journal, question.thread)
  const { call = '', key } = frame.questions[localQuestionId(frame, question.id)] ?? {}
  const place: EffectPlace = { thread: question.thread, call, ...(key !== undefined && { step: key }) }
  return answerByTruth(truthOf(log, place, seesWorld), place, resolved)
}

interface Interrupter {
  /** Whether the user has interrupted since this was last called; what is due is done first. */
  hasActed(): Promise<boolean>
  close(): void
}

/** Interrupts the run as soon as it is due. */
function interrupt({ setup, interruptions }: Play, run: () => RunHandle<unknown>): Interrupter {
  if (interruptions.length === 0) return { hasActed: async () => false, close: () => {} }
  const { journal, thread, marks } = setup
  const acts = new Map<Interruption, Promise<void>>()
  let known = 0
  const look = async (): Promise<void> => {
    const types = new Set((await eventsOf(journal, thread)).map(({ type }) => type))
    for (const interruption of interruptions) {
      const { after, unless, act } = interruption
      const isDue = typeof after === 'string' ? types.has(after) : marks.emitted.has(after.mark)
      if (isDue && !acts.has(interruption) && !types.has(unless)) acts.set(interruption, act(run()))
    }
    await Promise.all(acts.values())
  }
  const onChange = (): void => void look()
  const unwatch = journal.watch(thread, onChange)
  marks.emitter.on('mark', onChange)
  onChange()
  return {
    async hasActed() {
      await look()
      const isNew = acts.size > known
      known = acts.size
      return isNew
    },
    close() {
      unwatch()
      marks.emitter.off('mark', onChange)
    },
  }
}
