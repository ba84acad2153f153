/** Routes that control what is under way. The sender is the author of all that is recorded. */
import { adopt, compact, pause, steer, stop } from '@loom-agent/agent'
import { anything, number, object, optional, text } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { findDriven, findThread } from '../service/find-thread.ts'

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

/** Control. */
export const controlRoutes: readonly Route[] = [steerThread, pauseThread, resumeThread, stopThread, compactThread, signalThread, adoptThread]
