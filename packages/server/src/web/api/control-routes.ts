/** Routes that control what is under way. The sender is the author of all that is recorded. */
import { adopt, compact, type Edit, pause, steer, stop } from '@loom-agent/agent'
import type { ForkEffects, Limits } from '@loom-agent/kernel'
import { anything, type Described, flag, list, named, number, object, oneOf, optional, text } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { findDriven, findThread, mayUse, threadNotFound } from '../service/find-thread.ts'
import type { ServedFork } from '../service/served-agent.ts'
import { ofAgent, seqOf } from './schemas.ts'

const longestWords = 100_000

/** Errors of what goes on behind a request that was answered. */
const inBackground = ({ service }: Pick<Call, 'service'>, work: Promise<unknown>): void => void work.catch(service.onError)

const steerThread = route({
  name: 'steerThread',
  method: 'POST',
  path: '/threads/{thread}/steer',
  scope: 'run',
  summary: 'Adds a message for the next turn.',
  body: object({ text: text('The message.', { least: 1, most: longestWords }), priority: optional(number('The highest goes first; default 0.')) }),
  reply: { status: 204 },
  async handle(call) {
    await findThread(call, call.params.thread)
    const { text: words, priority } = call.body
    await steer(call.service.journal, call.params.thread, words, { priority, by: call.identity.name })
  },
})

const pauseThread = route({
  name: 'pauseThread',
  method: 'POST',
  path: '/threads/{thread}/pause',
  scope: 'run',
  summary: 'Asks the run under way to pause at its next safe point.',
  reply: { status: 204 },
  async handle(call) {
    await findThread(call, call.params.thread)
    await pause(call.service.journal, call.params.thread, { by: call.identity.name })
  },
})

const resumeThread = route({
  name: 'resumeThread',
  method: 'POST',
  path: '/threads/{thread}/resume',
  scope: 'run',
  summary: 'Goes on with a thread: after a pause, a failure, a raised limit, or a process that is gone.',
  reply: { status: 204 },
  async handle(call) {
    const { agent } = await findDriven(call, call.params.thread)
    const leave = call.service.admission.enterRun(call.identity.name)
    const handle = agent.resume(call.params.thread)
    const rest = handle.result()
    rest.then(leave, leave)
    const events = handle.events()
    // Where nothing is appended, the run rests at once.
    await Promise.race([events.next(), rest]).finally(() => void events.return?.())
  },
})

const stopThread = route({
  name: 'stopThread',
  method: 'POST',
  path: '/threads/{thread}/stop',
  scope: 'run',
  summary: 'Stops the run under way, also one that no process drives. Returns when the request is durable.',
  body: object({ reason: optional(text('Why; shown in the result.', { least: 1, most: 1000 })) }),
  reply: { status: 204 },
  async handle(call) {
    const { thread } = call.params
    const { head, agent } = await findThread(call, thread)
    const { reason } = call.body
    const by = { by: call.identity.name }
    await stop(call.service.journal, thread, reason, by)
    const isUnderWay = head.summary.status === 'running' || head.summary.status === 'waiting'
    // The request is stored: now the run is ended, by its driver or by this process.
    if (agent && isUnderWay && head.summary.parent === undefined) inBackground(call, agent.stop(thread, reason, by))
  },
})

const compactThread = route({
  name: 'compactThread',
  method: 'POST',
  path: '/threads/{thread}/compact',
  scope: 'run',
  summary: 'Asks for a shorter context before the next model call.',
  reply: { status: 204 },
  async handle(call) {
    await findThread(call, call.params.thread)
    await compact(call.service.journal, call.params.thread, { by: call.identity.name })
  },
})

const signalThread = route({
  name: 'signalThread',
  method: 'POST',
  path: '/threads/{thread}/signals/{signal}',
  scope: 'run',
  summary: 'Sends a value to a thread: to the first open wait of this name, or to the next one.',
  body: object({ value: optional(anything('The value.')) }),
  reply: { status: 204 },
  async handle(call) {
    const { thread, signal } = call.params
    const { agent } = await findDriven(call, thread)
    await agent.signal(thread, signal, call.body.value, { by: call.identity.name })
  },
})

const adoptThread = route({
  name: 'adoptThread',
  method: 'POST',
  path: '/threads/{thread}/adopt',
  scope: 'admin',
  summary: 'Ends the quarantine of a thread that was imported.',
  body: object({ agent: optional(text('The agent that goes on with it; default: the one that its record names.', { least: 1 })) }),
  reply: { status: 204 },
  async handle(call) {
    await findThread(call, call.params.thread)
    await adopt(call.service.journal, call.params.thread, { agent: call.body.agent })
  },
})

const forkFields = {
  at: seqOf('The last event that the fork shares.'),
  thread: optional(text('The id of the fork; default: made up.', { least: 1 })),
  edits: optional(list('What is different from the cut on.', ofAgent<Edit>('Edit', 'An edit.'))),
  effects: optional(oneOf('What happens to effects after the cut; default `ask`.', 'live', 'recorded', 'stub', 'ask')),
  limits: optional(named<Limits>('Limits', '@loom-agent/kernel', 'What the run that goes on may spend; default: it asks.')),
}
const forkBody = object({ ...forkFields, resume: optional(flag('Goes on from the cut at once; default false.')) })
const planBody = object(forkFields)
type ForkBody = NonNullable<typeof planBody.type>
/** What a fork would reuse, run and risk. */
const plan: Described<ServedFork['plan']> = ofAgent('ForkPlan', 'What it reuses, runs and risks.')

interface ForkSetup {
  readonly agent: Awaited<ReturnType<typeof findDriven>>['agent']
  readonly moment: string
  readonly options: { readonly thread?: string; readonly edit?: readonly Edit[]; readonly effects?: ForkEffects; readonly limits?: Limits }
}

async function forkOf(call: Call<{ readonly thread: string }>, { at, thread, edits, effects, limits }: ForkBody): Promise<ForkSetup> {
  const { agent } = await findDriven(call, call.params.thread)
  const isOwn = thread === undefined ? call.identity.threads === undefined : mayUse(call.identity, thread)
  if (!isOwn) throw threadNotFound(thread ?? 'of a fork without a name')
  const options = { ...(thread !== undefined && { thread }), ...(edits && { edit: edits }), ...(effects && { effects }), ...(limits && { limits }) }
  return { agent, moment: `${call.params.thread}@${at}`, options }
}

const forkThread = route({
  name: 'forkThread',
  method: 'POST',
  path: '/threads/{thread}/forks',
  scope: 'run',
  summary: 'Forks a thread. The thread itself is only read.',
  body: forkBody,
  reply: { schema: object({ thread: text('The id of the fork.'), from: text('Where it was cut: `thread@seq`.'), plan }) },
  async handle(call) {
    const { resume, ...body } = call.body
    const { agent, moment, options } = await forkOf(call, body)
    const leave = resume ? call.service.admission.enterRun(call.identity.name) : () => {}
    try {
      const fork = await agent.fork(moment, options)
      if (resume) fork.resume().result().then(leave, leave)
      return { thread: fork.thread, from: fork.from, plan: fork.plan }
    } catch (error) {
      leave()
      throw error
    }
  },
})

const planFork = route({
  name: 'planFork',
  method: 'POST',
  path: '/threads/{thread}/fork-plans',
  scope: 'read',
  summary: 'What such a fork would reuse, run and risk; nothing is made.',
  body: planBody,
  reply: { schema: plan },
  async handle(call) {
    const { agent, moment, options } = await forkOf(call, call.body)
    return agent.planFork(moment, options)
  },
})

/** Control, and forks. */
export const controlRoutes: readonly Route[] = [
  ...[steerThread, pauseThread, resumeThread, stopThread, compactThread, signalThread, adoptThread],
  ...[forkThread, planFork],
]
