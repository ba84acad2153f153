/** Living a plan to its end: processes that die one after another, answers, a stop, a word in between. */
import type { Agent, Result, RunHandle } from '@loom-agent/agent'
import { planInput } from '@loom-agent/harness/crash'
import { answerTo, createProcess, type World } from './world.ts'

/** What a life came to. */
export interface Life {
  readonly result: Result<unknown>
  readonly deaths: number
}

/** How a world is lived. */
export interface LifeOptions {
  /** Leaves out the deaths of the plan. */
  readonly immortal?: boolean
  readonly ports?: object
}

const thread = 't'

/** Lives the plan of a world, and says so when it does not come to an end. */
export async function live(world: World, options: LifeOptions = {}): Promise<Life> {
  let timer: NodeJS.Timeout | undefined
  const hanging = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('The world stands still.')), 20_000)
  })
  try {
    return await Promise.race([livePlan(world, options), hanging])
  } finally {
    clearTimeout(timer)
  }
}

/** The last process does not die. */
async function livePlan(world: World, { immortal = false, ports = {} }: LifeOptions = {}): Promise<Life> {
  const deaths = immortal ? [] : world.plan.deaths
  let died = 0
  for (const death of [...deaths, undefined]) {
    const { agent, mortal } = createProcess(world, death, ports)
    const stored = await world.journal.head(thread)
    const run = stored && stored.seq > 0 ? agent.resume(thread) : agent.start(planInput(world.plan), { thread })
    meddle(world, run)
    const result = await Promise.race([settle(world, agent, run), mortal.died])
    if (result) return { result, deaths: died }
    died += 1
  }
  throw new Error('The last process died, and it cannot.')
}

/** Answers what is asked until the run is over. */
async function settle(world: World, agent: Agent, run: RunHandle<unknown>): Promise<Result<unknown>> {
  for (let round = 0; round < 100; round += 1) {
    const result = await run.result()
    if (result.status === 'failed') throw new Error(`The run failed: ${result.error.message}`)
    if (result.status !== 'waiting') return result
    const question = result.questions[round % Math.max(1, result.questions.length)]
    if (!question) throw new Error('The run waits, and nobody knows for what.')
    await run.answer(question.id, answerTo(world, question))
  }
  throw new Error(`The run ${agent.name} still waits after a hundred answers.`)
}

/** Steers and stops where the plan says so, whoever drives. */
function meddle({ plan, journal }: World, run: RunHandle<unknown>): void {
  const { steerAt, stopAt } = plan
  let steered = steerAt === undefined
  let stopped = stopAt === undefined
  const unwatch = journal.watch(thread, (seq) => {
    if (!steered && seq >= (steerAt ?? 0)) {
      steered = true
      void run.steer('By the way.').catch(() => {})
    }
    if (!stopped && seq >= (stopAt ?? 0)) {
      stopped = true
      void run.stop('Enough.').catch(() => {})
    }
    if (steered && stopped) unwatch()
  })
}
