/** Entering a tool's body: plain, durable, or after its performer was lost. */
import { callOf, type Desk, type Draft, LoomError, type Run, unknownOutcome } from '@loom-agent/kernel'
import { type CallJob, incompatible, intend } from './call-job.ts'
import type { Checked, DurableContext, ToolContext } from '../tool/define.ts'
import { ask, child, createSession, type Rehearsal, type Session, sleep, step, unreached } from './durable.ts'
import { type Executed, type Execution, execute } from './execute.ts'
import type { RunnerScene } from './call-work.ts'

/** A call whose intent is durable. */
export interface Entry {
  readonly scene: RunnerScene
  readonly desk: Desk
  readonly job: CallJob
  readonly controller: AbortController
}

/** What an entry came to: the end of the body, or facts that are no end. */
export type Entered = Exclude<Executed, { kind: 'suspended' }> | { readonly kind: 'facts'; readonly drafts: readonly Draft[] }

const defaultTimeout = 120_000

/** Enters the body of a call. A plain body that has its value at once is not waited for. */
export function enterBody(entry: Entry): Entered | Promise<Entered> {
  const { tool, call } = entry.job
  const context = contextOf(entry)
  if (tool.definition.durable) return enterDurable(entry, context)
  return tool.effect === 'reconcilable' && call.state === 'running' ? enterLost(entry, context) : enterPlain(entry, context)
}

function enterPlain(entry: Entry, context: ToolContext): Entered | Promise<Entered> {
  const { tool, value } = entry.job
  return execute(executionOf(entry, () => tool.definition.run(value, context as DurableContext))) as Entered | Promise<Entered>
}

/** The performer of a call was lost, and its tool can look whether it happened. */
async function enterLost(entry: Entry, context: ToolContext): Promise<Entered> {
  const checked = await reconcile(entry, context)
  if (checked.status === 'done') return { kind: 'returned', value: checked.result }
  return checked.status === 'unknown' ? { kind: 'facts', drafts: doubt(entry) } : enterPlain(entry, context)
}

async function reconcile({ job }: Entry, context: ToolContext): Promise<Checked> {
  try {
    return (await job.tool.definition.check?.(context.key, context)) ?? { status: 'unknown' }
  } catch {
    return { status: 'unknown' }
  }
}

function doubt({ desk, job }: Entry): readonly Draft[] {
  const { call, tool } = job
  const why = `The process was lost while ${tool.name} ran, and its check cannot tell whether it happened.`
  const fact: Draft = { type: 'tool.in-doubt', data: { call: call.id } }
  if (desk.frame.run?.request.unattended === 'deny') return [fact, { type: 'tool.finished', data: { call: call.id, ...unknownOutcome(why) } }]
  const prompt = `${why} Respond with its result if it did, approve to run it if it did not, or reject.`
  const id = `${call.id}#${desk.frame.asked + 1}`
  return [fact, { type: 'question.asked', data: { id, kind: 'in-doubt', call: call.id, prompt, show: call.input } }]
}

function executionOf({ scene, job, controller }: Entry, enter: () => unknown): Execution {
  const { definition } = scene
  return {
    enter,
    clock: definition.ports.clock,
    timeout: job.tool.definition.schedule?.timeout ?? defaultTimeout,
    grace: definition.behaviour.grace,
    controller,
    progress: (data) => progress(scene, job, data),
  }
}

function progress({ hub, lineage, context }: RunnerScene, { call, tool }: CallJob, data: unknown): void {
  const turn = Number(call.id.slice(0, call.id.indexOf('.')))
  if (hub.isWatched(lineage))
    hub.publish(lineage, [{ type: 'tool-delta', thread: lineage[0] ?? '', run: context.run, turn, call: call.id, tool: tool.name, data }])
}

/** Keys are made when somebody asks for them: most tools never do. */
const lazyKey = {
  get key(): string {
    const { hash, thread, call } = this as object as { hash: (text: string) => string; thread: string; call: string }
    return hash(`${thread}/${call}`)
  },
}

function contextOf({ scene, desk, job, controller }: Entry): ToolContext {
  const context = Object.create(lazyKey) as { -readonly [K in keyof ToolContext]: ToolContext[K] } & { hash: (text: string) => string }
  context.thread = desk.frame.thread
  context.call = job.call.id
  context.hash = scene.definition.ports.hash
  context.signal = controller.signal
  context.deps = scene.context.deps
  context.progress = (data) => progress(scene, job, data)
  return context
}

async function enterDurable(entry: Entry, context: ToolContext): Promise<Entered> {
  const { job, desk, controller } = entry
  const call = callOf(desk.frame.run as Run, job.call.id) ?? job.call
  const body = (current: Session): unknown => job.tool.definition.run(job.value, durableContext(entry, context, current))
  let session = sessionOf(entry, call, undefined)
  let executed = await enter(entry, session, body)
  for (; executed.kind === 'suspended' && session.again; executed = await enter(entry, session, body)) {
    session = sessionOf(entry, callOf(desk.frame.run as Run, call.id) ?? call, undefined)
  }
  const missed = executed.kind === 'returned' || executed.kind === 'suspended' ? unreached(session) : []
  const accepted = call.answer?.kind === 'incompatible' && call.answer.answer.kind === 'approve'
  if (missed.length > 0 && !accepted) {
    const problem = `The code of ${job.tool.name} has changed: it no longer reaches ${missed.join(', ')}, which it had done.`
    const staged = incompatible(call, { asked: desk.frame.asked, unattended: desk.frame.run?.request.unattended === 'deny' }, problem)
    controller.abort('suspended')
    return { kind: 'facts', drafts: staged.kind === 'done' ? staged.drafts : [] }
  }
  if (executed.kind !== 'suspended') return executed
  const isFirst = call.done.length === 0
  const problem = entry.scene.definition.ports.development && isFirst ? await rehearse(entry, body, session) : undefined
  controller.abort('suspended')
  if (problem !== undefined) return { kind: 'threw', error: problem }
  return { kind: 'facts', drafts: [{ type: 'tool.suspended', data: { call: call.id } }] }
}

async function enter(entry: Entry, session: Session, body: (session: Session) => unknown): Promise<Executed> {
  const executed = await execute({ ...executionOf(entry, () => body(session)), suspended: session.suspended, excused: () => session.attended > 0 })
  session.dead = true
  return executed
}

/** Development only: enters the body once more at its first wait, to see at once whether it takes the same way. Nothing is performed. */
async function rehearse(entry: Entry, body: (session: Session) => unknown, first: Session): Promise<unknown> {
  const call = callOf(entry.desk.frame.run as Run, entry.job.call.id)
  if (!call) return undefined
  const session = sessionOf(entry, call, first)
  const execution = {
    ...executionOf(entry, () => body(session)),
    suspended: session.suspended,
    timeout: 1000,
    controller: new AbortController(),
  }
  const ended = await execute(execution)
  session.dead = true
  if (ended.kind === 'threw') return ended.error
  const missed = [...first.reached].filter((key) => !session.reached.has(key))
  if (missed.length === 0) return undefined
  const reason = `Entered again, the body did not reach ${missed.join(', ')}. Put what changes between entries into steps.`
  return new LoomError('LOOM_STEP_DIVERGED', reason)
}

function sessionOf({ scene, desk, job, controller }: Entry, call: CallJob['call'], rehearsal: Rehearsal | undefined): Session {
  const { ports } = scene.definition
  return createSession({
    call,
    effect: job.tool.effect,
    signal: controller.signal,
    ...(rehearsal && { rehearsal }),
    reenter: ports.reenter === true && !rehearsal,
    desk: {
      append: (drafts, how) => desk.append(drafts, how),
      intend: (draft) => intend(desk, draft, controller.signal),
      call: () => desk.frame.run && callOf(desk.frame.run, call.id),
      asked: () => desk.frame.asked,
      isUnattended: () => desk.frame.run?.request.unattended === 'deny',
      now: () => ports.clock.now(),
      hash: (text) => ports.hash(`${desk.frame.thread}/${text}`),
      soon: (ring) => void ports.clock.at(ports.clock.now(), ring),
    },
  })
}

function durableContext({ scene, desk, job, controller }: Entry, context: ToolContext, session: Session): DurableContext {
  const { children } = scene
  const { thread, call, key, signal, deps } = context
  return {
    thread,
    call,
    key,
    signal,
    deps,
    progress: context.progress,
    // A record is what the step once returned: the caller's type is the caller's word.
    step: ((name, run, options) => step(session, name, { run, effect: options?.effect ?? job.tool.effect })) as DurableContext['step'],
    ask: (prompt, options) => ask(session, prompt, options),
    sleep: (ms) => sleep(session, ms),
    async run(agent, input, { name = agent.name } = {}) {
      const attend = (own: string, { begun }: { begun: boolean }) =>
        children.attend({ desk, call: job.call.id, key: own, begun, agent, input, signal: controller.signal })
      return children.resultOf(agent, await child(session, name, attend))
    },
  }
}
