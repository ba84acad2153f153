/** Routes that start runs. */
import type { Input, ModelSettings, Question, Result, RunHandle } from '@loom-agent/agent'
import { type Failure, type Limits, LoomError, type Usage } from '@loom-agent/kernel'
import { anything, type Described, flag, list, named, object, oneOf, optional, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { mayUse, threadNotFound } from '../service/find-thread.ts'
import { type StartedRun, startOf } from '../service/started-run.ts'
import { agentOf } from './agent-routes.ts'
import { ofAgent, startedRun } from './schemas.ts'

/** How a run rests. */
export interface RunResult {
  readonly thread: string
  readonly run: string
  readonly status: Result['status']
  readonly text: string
  readonly output?: unknown
  readonly finish?: string | undefined
  readonly turns: number
  readonly usage: Usage
  readonly cost?: number | undefined
  readonly questions: readonly Question[]
  readonly reason?: string | undefined
  readonly kind?: string | undefined
  readonly until?: number | undefined
  readonly error?: Failure | undefined
}

const longestText = 1 << 24

/** The result of a run as JSON. */
export const runResult: Described<RunResult> = object({
  thread: text('The thread.'),
  run: text('The id of the run on its thread.'),
  status: oneOf('How it rests.', 'done', 'waiting', 'stopped', 'failed'),
  text: text('The answer, or as much of it as there is.', { most: longestText }),
  output: optional(anything('The answer in the form of the output schema; the text when the agent has none.')),
  finish: optional(text('How the last reply ended.')),
  turns: whole('Turns that it took.'),
  usage: named<Usage>('Usage', '@loom-agent/kernel', 'Tokens of all its model calls.'),
  cost: optional(whole('Integer micro-units; absent when a price is not known.')),
  questions: list('Open questions, also those of children.', ofAgent<Question>('Question', 'A question.')),
  reason: optional(text('What it waits for, or why it was stopped.', { most: longestText })),
  kind: optional(text('What stopped it.')),
  until: optional(whole('When it goes on by itself, in milliseconds since 1970.')),
  error: optional(named<Failure>('Failure', '@loom-agent/kernel', 'What went wrong.')),
})

/** What is sent of a result. */
export function resultRow(result: Result<unknown>): RunResult {
  const { thread, run, status, text: answer, finish, turns, usage, cost, questions } = result
  const shared = { thread, run, status, text: answer, finish, turns, usage, cost, questions }
  if (result.status === 'done') return { ...shared, output: result.output }
  if (result.status === 'waiting') return { ...shared, reason: result.reason, until: result.until, error: result.error }
  if (result.status === 'stopped') return { ...shared, reason: result.reason, kind: result.kind }
  return { ...shared, error: result.error }
}

const startBody = object({
  input: ofAgent<Input>('Input', 'A text, parts or messages.'),
  thread: optional(text('The thread; default: a new one.', { least: 1 })),
  id: optional(text('The id of this start: sent again with the same input, it starts no second run.', { least: 1 })),
  settings: optional(ofAgent<ModelSettings>('ModelSettings', 'Settings of the model that differ for this run.')),
  limits: optional(named<Limits>('Limits', '@loom-agent/kernel', 'Limits that differ for this run.')),
  metadata: optional(named<{ readonly [key: string]: unknown }>('JsonObject', '@loom-agent/kernel', 'Journaled with the run.')),
  pin: optional(flag('Keeps the input in the context for good.')),
  whenBusy: optional(oneOf('What happens when the thread is busy.', 'queue', 'steer', 'reject')),
})
type StartBody = NonNullable<typeof startBody.type>
type StartCall = Call<{ readonly agent: string }, unknown, StartBody>

/** A run that was taken on, and the promise of its start. */
interface TakenOn {
  readonly handle: RunHandle<unknown>
  readonly started: StartedRun
}

/** Starts a run, where there is room for it. A client that leaves meanwhile changes nothing. */
async function takeOn({ service, identity, params, body, request }: StartCall): Promise<TakenOn> {
  const agent = agentOf(service, params.agent)
  const { input, id = request.headers.get('idempotency-key') ?? crypto.randomUUID(), thread, ...options } = body
  if (thread !== undefined && !mayUse(identity, thread)) throw threadNotFound(thread)
  if (thread === undefined && identity.threads) {
    const message = `${identity.name} may use some threads only: name the one on which the run is to start.`
    throw new LoomError('LOOM_REQUEST_INVALID', message, { context: { name: identity.name } })
  }
  const leave = service.admission.enterRun(identity.name)
  try {
    const handle = agent.start(input, { ...options, id, thread })
    // The client that has started it is gone by then: how it ends is in the journal.
    handle.result().then(leave, leave)
    return { handle, started: await startOf(handle, id) }
  } catch (error) {
    leave()
    throw error
  }
}

const startRun = route({
  name: 'startRun',
  method: 'POST',
  path: '/agents/{agent}/runs',
  scope: 'run',
  summary: 'Starts a run. Returns when the start is durable; the run goes on whether the client stays or not.',
  body: startBody,
  reply: { status: 202, schema: startedRun },
  async handle(call) {
    const { started } = await takeOn(call)
    return started
  },
})

const runToRest = route({
  name: 'runToRest',
  method: 'POST',
  path: '/agents/{agent}/results',
  scope: 'run',
  summary: 'Starts a run, and returns its result when it ends or waits.',
  body: startBody,
  reply: { schema: runResult },
  async handle(call) {
    const { handle } = await takeOn(call)
    return resultRow(await handle.result())
  },
})

/** Starting runs. */
export const runRoutes: readonly Route[] = [startRun, runToRest]
