/** Runs a plan to its end: processes that die one after another, answers, a stop, a steered message. */
import type { Agent, Result, RunHandle } from '@loom-agent/agent'
import { planInput } from '@loom-agent/harness/crash'
import { isLoomError } from '@loom-agent/kernel'
import { answerTo, createProcess, type World } from './world.ts'

/** How a plan ended. */
export interface PlanEnd {
  readonly result: Result<unknown>
  readonly deaths: number
}

/** How a plan is run. */
export interface PlanOptions {
  /** Leaves out the deaths of the plan. */
  readonly withoutDeaths?: boolean
  readonly ports?: object
}

const thread = 't'

/** Runs the plan of a world; rejects when it makes no progress. */
export function runPlan(world: World, options: PlanOptions = {}): Promise<PlanEnd> {
  return inTime(runProcesses(world, options))
}

/** The end of work that must not stand still. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const hanging = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('The plan makes no progress.')), 20_000)
  })
  try {
    return await Promise.race([work, hanging])
  } finally {
    clearTimeout(timer)
  }
}

/** The last process does not die. */
async function runProcesses(world: World, { withoutDeaths = false, ports = {} }: PlanOptions = {}): Promise<PlanEnd> {
  const deaths = withoutDeaths ? [] : world.plan.deaths
  let died = 0
  for (const death of [...deaths, undefined]) {
    const { agent, mortal } = createProcess(world, death, { ports })
    const stored = await world.journal.head(thread)
    const run = stored && stored.seq > 0 ? agent.resume(thread) : agent.start(planInput(world.plan), { thread })
    steerAndStop(world, run)
    const result = await Promise.race([settle(world, agent, run), mortal.died])
    if (result) return { result, deaths: died }
    died += 1
  }
  throw new Error('The last process died, and it cannot.')
}

/**
 * Runs the plan of a world until its run fails: after the deaths of the plan comes a process without instructions, which fails as soon as there is
 * something to do.
 */
export async function runToFailure(world: World): Promise<Result<unknown>> {
  for (const death of world.plan.deaths) {
    const { agent, mortal } = createProcess(world, death)
    const stored = await world.journal.head(thread)
    const run = stored && stored.seq > 0 ? agent.resume(thread) : agent.start(planInput(world.plan), { thread })
    await Promise.race([settle(world, agent, run), mortal.died])
  }
  const instructions = (): string => {
    throw new Error('The instructions cannot be read.')
  }
  const { agent } = createProcess(world, undefined, { instructions })
  const stored = await world.journal.head(thread)
  const run = stored && stored.seq > 0 ? agent.resume(thread) : agent.start(planInput(world.plan), { thread })
  let result = await run.result()
  for (; result.status === 'waiting'; result = await run.result()) {
    const [question] = result.questions
    if (!question) throw new Error('The run waits without a question.')
    await run.answer(question.id, answerTo(world, question))
  }
  return result
}

/** Answers what is asked until the run is over. */
export async function settle(world: World, agent: Agent, run: RunHandle<unknown>): Promise<Result<unknown>> {
  for (let round = 0; round < 100; round += 1) {
    const result = await run.result()
    if (result.status === 'failed') throw new Error(`The run failed: ${result.error.message}`)
    if (result.status !== 'waiting') return result
    const question = result.questions[round % Math.max(1, result.questions.length)]
    if (!question) throw new Error('The run waits without a question.')
    await run.answer(question.id, answerTo(world, question)).catch((error: unknown) => {
      // The stop of the plan may come first: then nothing is asked any more.
      if (world.plan.stopAt === undefined || !isLoomError(error) || error.code !== 'LOOM_QUESTION_NOT_FOUND') throw error
    })
  }
  throw new Error(`The run ${agent.name} still waits after a hundred answers.`)
}

/** Steers and stops where the plan says so, whichever process drives. */
function steerAndStop({ plan, journal }: World, run: RunHandle<unknown>): void {
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
