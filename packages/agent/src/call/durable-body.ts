/** Entering a durable body: from its first line, and again whenever what it waits for has happened. */

import { callOf, items, LoomError, type Run, stepName } from '@loom-agent/kernel'
import { handled } from '../platform/call-user.ts'
import { abort, type Cancellation, createCancellation, signalOf } from '../platform/cancellation.ts'
import { type Expected, expected } from '../platform/expected.ts'
import { never } from '../platform/never.ts'
import { checkOptions } from '../platform/options.ts'
import { isAgentTool } from '../tool/agent-tool.ts'
import type { DurableContext, ToolContext } from '../tool/define.ts'
import { type AnyAgent, isAgent } from '../types/any-agent.ts'
import type { ChildResult } from '../types/result.ts'
import { endCall } from './body-end.ts'
import { type BodyEntry, createBodyEntry, keyOf } from './body-entry.ts'
import { type CallJob, incompatible } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import { childResult } from './child-result.ts'
import { callerEnded } from './child-runner.ts'
import { comeToRest } from './delivery.ts'
import { differenceOf } from './divergence.ts'
import { ask, child, type GivenStep, type StepBody, sleep, step } from './durable.ts'
import { type Entered, type Executed, type Execution, execute } from './execute.ts'
import { broughtBy } from './taint.ts'
import { executionOf } from './tool-context.ts'
import { waitForSignal } from './wait-for-signal.ts'

// What few calls need is loaded together.
export { enterLost } from './lost-body.ts'

type Body = (entry: BodyEntry) => unknown

/** Enters a durable body until it ends or only waits are outstanding. */
export async function enterDurable(work: CallWork, job: CallJob, context: ToolContext): Promise<Entered> {
  const { outbox, definition } = work
  const { frame } = outbox
  const call = callOf(frame.run as Run, job.call.id) ?? job.call
  const body: Body = (entry) => job.tool.definition.run(job.value, durableContext(entry, context))
  let entry = createBodyEntry(work, job, { call })
  let executed = await enter(entry, body)
  for (; executed.kind === 'suspended' && entry.again; executed = await enter(entry, body)) {
    entry = createBodyEntry(work, job, { call: callOf(outbox.frame.run as Run, call.id) ?? call })
  }
  const difference = executed.kind === 'returned' || executed.kind === 'suspended' || entry.changes.length > 0 ? differenceOf(entry) : undefined
  if (difference !== undefined) {
    abort(job.cancellation, 'suspended')
    return { kind: 'facts', drafts: incompatible(outbox.frame, call, `The code of ${job.tool.name} has changed: ${difference}`) }
  }
  if (executed.kind !== 'suspended') return endCall(entry, executed)
  const isFirst = call.done.length === 0
  const problem = definition.ports.development && isFirst ? await rehearse(entry, body) : undefined
  abort(job.cancellation, 'suspended')
  if (problem !== undefined) return endCall(entry, { kind: 'threw', error: problem })
  return { kind: 'facts', drafts: [{ type: 'tool.suspended', data: { call: call.id } }] }
}

async function enter(entry: BodyEntry, body: Body): Promise<Executed> {
  const execution = executionOf(entry.work, entry.job, () => body(entry))
  const executed = await ended({ ...execution, suspended: entry.suspended, excused: () => entry.children > 0 })
  entry.hasEnded = true
  // Branches that the body no longer waits for may be on their way to keys that they reached before.
  if (executed.kind === 'returned' && entry.unreached.size > 0) await comeToRest(entry)
  entry.dead = true
  return executed
}

const ended = (execution: Execution): Promise<Executed> => new Promise((done) => execute(execution, done))

/** Development only: enters the body once more at its first wait, to see at once whether it reaches the same keys. Nothing is performed. */
async function rehearse(first: BodyEntry, body: Body): Promise<unknown> {
  const { work, job } = first
  const call = callOf(work.outbox.frame.run as Run, first.call.id)
  if (!call) return undefined
  const entry = createBodyEntry(work, job, { call, rehearsal: first })
  const { ports, behaviour } = work.definition
  const execution = executionOf(work, job, () => body(entry))
  const cancellation = createCancellation(ports.clock, behaviour.grace)
  const executed = await ended({ ...execution, suspended: entry.suspended, timeout: 1000, cancellation })
  entry.dead = true
  if (executed.kind === 'threw') return executed.error
  const missed = [...first.reached.keys()].filter((key) => !entry.reached.has(key))
  if (missed.length === 0) return undefined
  const reason = `Entered again, the body did not reach ${missed.map(stepName).join(', ')}. Put what changes between entries into steps.`
  return new LoomError('LOOM_STEP_DIVERGED', reason, { context: { call: call.id, keys: missed } })
}

const anAgent: Expected = { words: 'an agent, as agent() returns it', fits: isAgent, required: true }

function durableContext(entry: BodyEntry, context: ToolContext): DurableContext {
  const { thread, call, key, signal, deps } = context
  return {
    thread,
    call,
    key,
    signal,
    deps,
    progress: context.progress,
    // A record is what the step returned before: the caller states its type.
    // A body may leave any of them alone: how it ended is recorded (USER-2).
    // A function that says what guards look at is given what the step returned.
    step: ((name: string, run: StepBody, options: GivenStep['options'] = {}) =>
      handled(step(entry, name, { run, options }))) as DurableContext['step'],
    ask: ((prompt, options) => handled(ask(entry, prompt, options))) as DurableContext['ask'],
    sleep: (ms) => handled(sleep(entry, ms)),
    waitFor: ((name, options) => handled(waitForSignal(entry, name, options))) as DurableContext['waitFor'],
    run: (agent, input, options) => handled(runAgent(entry, { agent, input, options: options ?? {}, deps })),
  }
}

/** What `ctx.run` is given, and the dependencies of the run. */
interface AgentRun<Output> {
  readonly agent: AnyAgent<Output, unknown>
  readonly input: string
  readonly options: { readonly name?: string }
  readonly deps: unknown
}

/** `ctx.run` */
async function runAgent<Output>(entry: BodyEntry, { agent, input, options, deps }: AgentRun<Output>): Promise<ChildResult<Output>> {
  if (entry.dead) return never()
  const { work, job } = entry
  const { children, outbox } = work
  checkOptions('ctx.run', { agent }, { agent: anAgent })
  checkOptions('ctx.run', options, { name: expected.text })
  const { name = recordedChild(entry) ?? agent.name } = options
  const digest = work.definition.ports.hash(String(input))
  const key = keyOf(entry, { kind: 'run', name, about: digest })
  const request = { outbox, call: job.call.id, agent, brought: broughtBy(job), input, digest, deps }
  const runChild = (own: string, existing: string | undefined) =>
    children.run({ ...request, key: own, existing, cancellation: childCancellation(entry) })
  return childResult(agent, await child(entry, key, runChild))
}

/** What stops a child: what stops the body, and the end of the body. */
function childCancellation({ job, onEnded }: BodyEntry): Cancellation {
  const { cancellation } = job
  const own = createCancellation(cancellation.clock, cancellation.grace)
  const signal = signalOf(cancellation)
  const pass = (): void => abort(own, cancellation.reason)
  if (signal.aborted) pass()
  else signal.addEventListener('abort', pass, { once: true })
  onEnded.push(() => abort(own, callerEnded))
  return own
}

/** The name under which the call of an agent that is a tool has recorded its child: the agent may have another name now. */
function recordedChild({ job, call }: BodyEntry): string | undefined {
  if (!isAgentTool(job.tool.definition)) return undefined
  const recorded = [...call.open, ...items(call.done)].find(({ key }) => key.startsWith('run:'))
  return recorded?.key.replace(/^run:(.*):\d+$/s, '$1')
}
