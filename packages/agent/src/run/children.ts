/** Children: threads that calls of another thread start. Their ids follow from the parent's, so recovery finds them again. */
import { callOf, type Draft, isLoomError, isOver, items, type Json, LoomError, type Run, type StepRecord } from '@loom-agent/kernel'
import type { AnyAgent } from '../agent-type.ts'
import { toMessages } from '../types/input.ts'
import { leftOf } from '../model/budget.ts'
import { createLeash } from '../platform/cancellation.ts'
import { intend } from '../call/call-job.ts'
import type { ChildRequest, ChildRunner } from '../call/child-runner.ts'
import { parked } from '../call/durable.ts'
import type { Runtime } from '../thread/thread-driver.ts'
import type { ChildValue, Result } from '../types/result.ts'

/** Turns a child has when its agent says nothing else. */
const childTurns = 10

/** The children of one driver. */
export interface Children extends ChildRunner {
  /** Lets go of all children; those that wait go on waiting. */
  close(): void
}

/** Runs the children of a thread. */
export function createChildRunner(runtime: Runtime, parent: string): Children {
  const { world } = runtime
  const attendants = new Map<string, () => void>()

  const attend = async (request: ChildRequest): Promise<StepRecord> => {
    const { desk, call, key, begun, agent } = request
    const child = world.ports.hash(`${parent}/${call}/${key}`).slice(0, 32)
    const depth = (desk.frame.parent?.depth ?? 0) + 1
    if (depth > (desk.frame.run?.limits.depth ?? Number.POSITIVE_INFINITY)) {
      const message = `Agents may be nested ${desk.frame.run?.limits.depth} deep, and ${agent.name} would be one more. Raise limits.depth, or do the task here.`
      return { key, error: { code: 'LOOM_DEPTH_EXCEEDED', message, recoverable: false } }
    }
    const started: Draft = { type: 'child.started', data: { call, key, child, agent: agent.name } }
    if (!begun && !(await intend(desk, started, request.signal))) return new Promise(() => {})
    attendants.get(child)?.()
    const result = await runChild(runtime, request, { child, parent, depth }).catch((error: unknown) => failedUnder(request, error))
    if (result.status !== 'waiting') return finish(request, child, result)
    watchParked(request, { child, depth })
    return parked
  }

  /** While the parent is driven for other reasons, an answer to a waiting child must still move it on. */
  const watchParked = (request: ChildRequest, at: { child: string; depth: number }): void => {
    const unwatch = world.journal.watch(at.child, () => {
      close()
      void goOn(request, at).catch(() => {})
    })
    const close = (): void => {
      unwatch()
      attendants.delete(at.child)
    }
    attendants.set(at.child, close)
  }
  const goOn = async (request: ChildRequest, at: { child: string; depth: number }): Promise<void> => {
    const result = await runChild(runtime, { ...request, signal: new AbortController().signal }, { ...at, parent })
    if (result.status === 'waiting') watchParked(request, at)
    else await finish(request, at.child, result)
  }

  return {
    attend,
    stop: (child, reason) => stopChild(runtime, child, reason),
    resultOf,
    close: () => {
      for (const close of [...attendants.values()]) close()
    },
  }
}

/** A child that waits has nobody who could hear of a stop: it is told, and driven to its end. Ending needs none of its agent's code. */
export async function stopChild(runtime: Runtime, child: string, reason: string): Promise<void> {
  const { world, definition } = runtime
  const { frame } = await world.residents.load(child)
  if (!frame.parent || !frame.run || isOver(frame.run)) return
  const { fingerprint } = frame.run.request.agent
  const bare = { ...definition, hooks: {}, observers: [], toolbox: undefined, journal: world.journal, fingerprint: () => fingerprint }
  const request = { thread: child, messages: [], options: {}, parent: frame.parent }
  const handle = runtime.launch({ ...runtime, definition: bare, onQuestion: undefined }, request)
  await handle.stop(reason)
  const leash = createLeash({ clock: world.ports.clock, grace: definition.behaviour.grace })
  leash.hurry()
  await leash.hold(handle.result()).catch(() => {
    // The request is durable: whoever drives the child ends it.
  })
}

async function runChild(runtime: Runtime, request: ChildRequest, at: { child: string; parent: string; depth: number }): Promise<Result<unknown>> {
  const { agent, desk, call, input, signal } = request
  const { definition, world } = runtime
  const own = agent.definition
  const childRuntime: Runtime = {
    definition: { ...own, journal: world.journal, ports: world.ports },
    world,
    policies: [own.policy, ...runtime.policies],
    ancestors: [at.parent, ...runtime.ancestors],
    onQuestion: own.options.onQuestion ?? runtime.onQuestion,
    launch: runtime.launch,
  }
  // How deep a tree may grow is counted from its root: no child may go deeper than its parent could.
  const depth = Math.min(own.limits.depth ?? Number.MAX_SAFE_INTEGER, desk.frame.run?.limits.depth ?? Number.MAX_SAFE_INTEGER)
  const limits = { ...own.limits, depth, turns: own.options.limits?.turns ?? childTurns, ...(await allotment(runtime, request, at.child)) }
  const handle = runtime.launch(childRuntime, {
    thread: at.child,
    messages: toMessages(input),
    options: { limits },
    parent: { thread: at.parent, call, depth: at.depth },
    unattended: desk.frame.run?.request.unattended === 'deny' || definition.behaviour.unattended === 'deny',
  })
  // The parent's stop reaches the child while it is attended; a parent that only lets go of it does not stop it.
  const stop = (): void => {
    if (desk.frame.run?.stop || signal.reason === 'timed out') void handle.stop(String(signal.reason)).catch(() => {})
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await handle.result()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A child whose journal fails has no result: its parent's driver ends as well, and whoever takes the thread next attends to the child again. */
function failedUnder({ desk }: ChildRequest, error: unknown): Promise<never> {
  if (isLoomError(error) && error.retry === 'never') throw error
  desk.fail(error)
  return new Promise(() => {})
}

/** A child's budget: its own, at most its part of what is left. What siblings were allotted is not there any more, whatever they make of it. */
async function allotment({ world }: Runtime, { desk, agent }: ChildRequest, child: string): Promise<{ tokens?: number; cost?: number }> {
  const own = agent.definition.options.limits ?? {}
  const run = desk.frame.run as Run
  const left = leftOf(run)
  const given = { ...(own.tokens !== undefined && { tokens: own.tokens }), ...(own.cost !== undefined && { cost: own.cost }) }
  if (left.tokens === undefined && left.cost === undefined) return given
  const calls = [...items(run.calls)].filter(({ state }) => state !== 'settled')
  const open = calls.map((call) => call.open.flatMap((step) => step.child ?? []))
  const siblings = await Promise.all(open.flat().flatMap((id) => (id === child ? [] : [world.residents.load(id)])))
  const begun = siblings.flatMap(({ frame }) => frame.run ?? [])
  // Any other call that has no child yet may begin one.
  const together = 1 + siblings.length - begun.length + open.filter((children) => children.length === 0).length
  const part = (key: 'tokens' | 'cost'): { tokens?: number; cost?: number } => {
    const rest = left[key]
    if (rest === undefined) return {}
    const free = begun.reduce((sum, sibling) => sum - heldBy(sibling, key), rest)
    return { [key]: Math.min(Math.max(0, Math.floor(free / together)), own[key] ?? Number.POSITIVE_INFINITY) }
  }
  return { ...given, ...part('tokens'), ...part('cost') }
}

/** What a child may spend, or has spent when it is over. */
function heldBy(run: Run, key: 'tokens' | 'cost'): number {
  const max = run.limits[key] ?? 0
  return isOver(run) ? max - (leftOf(run)[key] ?? 0) : max
}

/** Only the parent's driver writes what became of a child. */
async function finish(
  { desk, call, key }: ChildRequest,
  child: string,
  result: Exclude<Result<unknown>, { status: 'waiting' }>,
): Promise<StepRecord> {
  const { run } = desk.frame
  // The run may have ended without waiting for it, and another may have begun.
  const isAwaited = run && callOf(run, call)?.open.some((step) => step.key === key && step.child === child)
  if (!isAwaited) return new Promise(() => {})
  const value: Json = recordOf(result)
  const { usage, cost } = result
  const finished = { call, key, child, value, usage, ...(cost !== undefined && { cost }) }
  if (!(await desk.append([{ type: 'child.finished', data: finished }], 'happened'))) return new Promise(() => {})
  return { key, value }
}

function recordOf(result: Exclude<Result<unknown>, { status: 'waiting' }>): ChildValue {
  const { status, text, turns } = result
  if (result.status === 'done') return { status: 'done', text, turns, ...(result.output !== result.text && { output: result.output as Json }) }
  if (result.status === 'stopped') return { status: 'stopped', text, turns, kind: result.kind, reason: result.reason }
  return { status: status as 'failed', text, turns, reason: result.error.message }
}

/** The result that a child's record stands for. */
function resultOf<Output>(agent: AnyAgent<Output>, record: Json | undefined): Result<Output> {
  if (record === undefined) throw new LoomError('LOOM_THREAD_NOT_FOUND', `The child ${agent.name} left no record.`)
  const value = record as ChildValue & Json
  const ended = {
    thread: '',
    run: 'r1',
    text: value.text,
    usage: { input: 0, output: 0 },
    cost: undefined,
    turns: value.turns,
    questions: [],
  }
  if (value.status === 'done') return { ...ended, status: 'done', output: (value.output ?? value.text) as Output }
  if (value.status === 'stopped') return { ...ended, status: 'stopped', kind: value.kind ?? 'cancelled', reason: value.reason ?? '' }
  return { ...ended, status: 'failed', error: { code: 'LOOM_RUN_FAILED', message: value.reason ?? '', recoverable: true } }
}
