/** The stage: what people do in one process, and how they go on in the next. */
import { approve, type Question, type Result, type RunHandle, reject, respond, type SignedAnswer } from '@loom-agent/agent'
import { frameAt, isLoomError, isOver, type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { type EffectBook, type EffectPlace, placeText, truthOf } from './effect-book.ts'
import type { LiveAgent } from './instrument.ts'
import type { MortalProcess } from './mortal-process.ts'
import type { CrashScenario, Meddling, Stage, StageOptions } from './scenario.ts'

/** What a stage is built of. */
export interface StageParts {
  readonly scenario: Pick<CrashScenario<object>, 'answer' | 'doubt'>
  readonly thread: string
  readonly agent: LiveAgent
  readonly journal: Journal
  readonly process: MortalProcess
  readonly book: EffectBook
  /** Places in doubt whose fate people have told truly, in all processes. */
  readonly told: Set<string>
  readonly asked: Map<string, Question>
  readonly seesOutside: boolean
  readonly words: Words
}

/** Words that are said in one process. */
export interface Words {
  readonly said: ReadonlySet<string>
  say(word: string): void
  /** Calls back after each word. */
  hear(listener: () => void): () => void
}

/** Nothing said yet. */
export function createWords(): Words {
  const said = new Set<string>()
  const listeners = new Set<() => void>()
  return {
    said,
    say(word) {
      said.add(word)
      for (const listener of listeners) listener()
    },
    hear(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface Play {
  readonly parts: StageParts
  readonly meddlings: Meddling[]
  readonly options: { deps?: unknown }
  /** Inputs that were asked for in this play. */
  given: number
}

/** Rounds of answers after which a run counts as one that never ends. */
const rounds = 60

/** A stage for one process. */
export function createStage(parts: StageParts): Stage {
  const { thread, journal, agent } = parts
  const play: Play = { parts, meddlings: [], options: {}, given: 0 }
  const frame = () => frameAt(journal, thread)
  const has = async (type: LoomEvent['type']): Promise<boolean> => (await eventsOf(journal, thread)).some((event) => event.type === type)
  return {
    thread,
    frame,
    events: () => eventsOf(journal, thread),
    meanwhile: (meddling) => void play.meddlings.push(meddling),
    input: (text, options = {}) => input(play, text, options),
    async inputs(...texts) {
      for (const text of texts) {
        play.given += 1
        if ((await frame()).runs >= play.given) continue
        agent.start(text, { thread })
        await accepted(journal, thread, play.given)
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

async function input(play: Play, text: string, options: StageOptions): Promise<Result<unknown> | undefined> {
  const { agent, journal, thread } = play.parts
  play.given += 1
  if (options.deps !== undefined) play.options.deps = options.deps
  const { runs, run } = await frameAt(journal, thread)
  if (runs < play.given) return settle(play, agent.start(text, { ...options, thread }))
  if (runs > play.given || (run && isOver(run))) return undefined
  return settle(play, agent.resume(thread, play.options))
}

/** Sees everything that is active or queued to its rest. */
async function untilRest(play: Play): Promise<void> {
  const { agent, journal, thread } = play.parts
  for (let round = 0; round < rounds; round += 1) {
    const { run, queue } = await frameAt(journal, thread)
    if (run && isOver(run) && queue.length === 0) return
    // A queue that nobody drives moves on when somebody looks after what is unfinished.
    if (run && isOver(run)) await agent.recover()
    else await settle(play, agent.resume(thread, play.options))
  }
  throw new Error(`The thread ${thread} does not come to rest.`)
}

/** Resolves when so many inputs are in the journal. */
async function accepted(journal: Journal, thread: string, inputs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    if ((await frameAt(journal, thread)).runs >= inputs) resolve()
  }
  const unwatch = journal.watch(thread, () => void look())
  await look()
  await promise
  unwatch()
}

/** Answers what is asked, waits for what takes time, goes on with what was paused. */
async function settle(play: Play, started: RunHandle<unknown>): Promise<Result<unknown>> {
  const { agent, thread, process } = play.parts
  let run = started
  const meddler = meddle(play, () => run)
  try {
    for (let round = 0; round < rounds; round += 1) {
      const result = await run.result()
      if (result.status !== 'waiting') return result
      if (await answerAll(play, run, result.questions)) continue
      if (await meddler.hasActed()) continue
      const { until } = result
      if (until !== undefined) await new Promise<void>((resolve) => process.clock.at(until, resolve))
      else if (result.questions.length > 0) throw new Error(`The thread ${thread} waits, and nobody answers ${result.questions[0]?.id}.`)
      run = agent.resume(thread, play.options)
    }
    throw new Error(`The thread ${thread} still waits after ${rounds} rounds.`)
  } finally {
    meddler.close()
  }
}

/** Answers each question that people have an answer to; false when there was none. */
async function answerAll({ parts }: Play, run: RunHandle<unknown>, questions: readonly Question[]): Promise<boolean> {
  let answered = false
  for (const question of questions) {
    parts.asked.set(question.id, question)
    const answer = await answerTo(parts, question)
    if (!answer) continue
    answered = true
    try {
      await run.answer(question.id, answer)
    } catch (error) {
      // What an earlier answer has settled need not be answered any more.
      if (!isLoomError(error) || !error.code.startsWith('LOOM_QUESTION_')) throw error
    }
  }
  return answered
}

async function answerTo(parts: StageParts, question: Question): Promise<SignedAnswer | undefined> {
  const { scenario, journal, book, told, seesOutside } = parts
  if (question.kind !== 'in-doubt') return scenario.answer ? scenario.answer(question) : approve()
  if (scenario.doubt) return scenario.doubt(question)
  const local = question.id.slice(question.id.indexOf('#') + 1)
  const { call = '', key } = (await frameAt(journal, question.thread)).questions[local] ?? {}
  const place: EffectPlace = { thread: question.thread, call, ...(key !== undefined && { step: key }) }
  const truth = truthOf(book, place, seesOutside)
  if (truth.kind === 'unknown') told.delete(placeText(place))
  else told.add(placeText(place))
  if (truth.kind === 'unknown') return reject('nobody can say how far it got')
  return truth.kind === 'done' ? respond(truth.value) : approve()
}

interface Meddler {
  /** Whether people have done something since this was last asked; what is due is done first. */
  hasActed(): Promise<boolean>
  close(): void
}

/** Does what people do meanwhile, as soon as its time has come. */
function meddle({ parts, meddlings }: Play, run: () => RunHandle<unknown>): Meddler {
  const { journal, thread, words } = parts
  const acts = new Map<Meddling, Promise<void>>()
  let known = 0
  const look = async (): Promise<void> => {
    const types = new Set((await eventsOf(journal, thread)).map(({ type }) => type))
    for (const meddling of meddlings) {
      const { after, unless, act } = meddling
      const isDue = typeof after === 'string' ? types.has(after) : words.said.has(after.word)
      if (isDue && !acts.has(meddling) && !types.has(unless)) acts.set(meddling, act(run()))
    }
    await Promise.all(acts.values())
  }
  const cancels = meddlings.length > 0 ? [journal.watch(thread, () => void look()), words.hear(() => void look())] : []
  if (meddlings.length > 0) void look()
  return {
    async hasActed() {
      if (meddlings.length > 0) await look()
      const isNew = acts.size > known
      known = acts.size
      return isNew
    },
    close() {
      for (const cancel of cancels) cancel()
    },
  }
}

/** All events of a thread. */
export async function eventsOf(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events
}
