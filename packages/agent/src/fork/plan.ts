/**
 * The fork plan: what a fork would reuse, run again and risk, known before it is made.
 *
 * PLAN-1. The fate of a call is found by the stages that judge it in the fork, with the tools, policies and dependencies of today. What hooks decide is
 *     taken from the record of the parent, because they are not called; so is everything where the dependencies of the run are not there.
 */

import { type Call, type Draft, type EffectClass, type Frame, items, type LoomEvent } from '@loom-agent/kernel'
import { isRefusal } from '../call/call-job.ts'
import type { PreparingWork } from '../call/call-work.ts'
import { createParentRecord } from '../call/parent-record.ts'
import { prepare } from '../call/pipeline.ts'
import { type StandIns, standInsOf } from '../call/stand-in.ts'
import type { Situation } from '../definition/agent-options.ts'
import { callUser } from '../platform/call-user.ts'
import { createCancellation } from '../platform/cancellation.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { listReadMore } from '../tool/read-more-listing.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import { compileTools, type ReadyTool } from '../tool/toolbox.ts'
import { isHarmless } from '../types/effect-class.ts'
import { nameMoment } from '../types/moment.ts'
import { spentIn } from '../types/spent-in.ts'
import { type CallNotes, noteCalls } from './call-notes.ts'
import { followCut } from './follow-cut.ts'
import type { Cut, ForkPlan, PlannedCall } from './fork-types.ts'

/** A fork as it would be: the frame at the cut, and that with the first events of the fork. */
export interface PlannedFork extends Cut {
  readonly before: Frame
  readonly after: Frame
}

/** The plan of a fork. */
export async function planOf(instance: AgentInstance, fork: PlannedFork): Promise<ForkPlan> {
  const { moment, effects, events, before, after } = fork
  const shared = events.slice(0, moment.seq)
  const followed = followCut(fork)
  const open = after.run ? [...items(after.run.calls)].filter(({ state }) => state !== 'settled') : []
  const planned = await planCalls(instance, fork, [...open, ...followed.calls])
  const isOpen = (id: string): boolean => open.some((call) => call.id === id)
  // A question about the run itself is asked anew, unless another input ends the run.
  const questions = Object.values(before.questions).filter(({ call }) => (call === undefined ? after.run?.id === before.run?.id : isOpen(call)))
  return {
    from: nameMoment(moment),
    effects,
    reused: { events: shared.length, ...usedIn(shared) },
    estimate: usedIn(followed.events),
    calls: planned.map(({ call }) => call),
    unsafe: planned.flatMap(({ call, isUnsafe }) => (isUnsafe ? [call] : [])),
    reopened: [...open, ...questions].map(({ id }) => id),
  }
}

/** The calls with their fates, in the order in which the fork makes them, and whether they change the world unasked. */
async function planCalls(
  instance: AgentInstance,
  fork: PlannedFork,
  calls: readonly Call[],
): Promise<readonly { call: PlannedCall; isUnsafe: boolean }[]> {
  const { effects, events } = fork
  const notes = noteCalls(events)
  const standIns = standInsFor(fork)
  const work = calls.length > 0 ? await preparingWork(instance, fork, standIns) : undefined
  const planned = []
  for (const call of calls) {
    const note = notes.get(call.id) ?? {}
    const tool = call.part.name
    const effect = effectNow(work?.context.toolbox.tools.get(tool), note)
    const judged: Judged = { call, effect, note }
    const fate = fateOfRecord(standIns, judged) ?? (work ? await fateNow(work, judged) : fateThen(standIns, judged))
    const isUnsafe = fate === 'runs' && (!isHarmless(effect) || (effects === 'live' && changes(judged)))
    planned.push({ call: { call: call.id, tool, effect, fate }, isUnsafe })
  }
  return planned
}

/** The effect class of a call: that of its tool as it is now. One that depends on the arguments is the one that was recorded. */
function effectNow(tool: ReadyTool | undefined, { effect: recorded = 'unsafe' }: CallNotes): EffectClass {
  return tool && typeof tool.definition.effect !== 'function' ? tool.effect : recorded
}

/** Whether a step or a child of a call changed the world in the parent, and is not recorded in the part that the fork shares. */
function changes({ call, note }: Judged): boolean {
  const done = new Set([...items(call.done)].map(({ key }) => key))
  return (note.changing ?? []).some((key) => !done.has(key))
}

function standInsFor({ moment, effects, events }: PlannedFork): StandIns {
  if (effects !== 'recorded') return standInsOf(effects, undefined)
  const { record, add } = createParentRecord({ parent: moment, used: new Set() })
  for (const event of events) add(event)
  return standInsOf(effects, record)
}

/** What the stages before execution have in the fork; undefined when the dependencies that the run was started with are not there. */
async function preparingWork(
  { definition, policies }: AgentInstance,
  { after }: PlannedFork,
  standIns: StandIns,
): Promise<PreparingWork | undefined> {
  const { options } = definition
  const { thread, run } = after
  const metadata = (run?.request.metadata ?? {}) as Situation['metadata']
  const { deps: given } = options
  const deps: unknown = typeof given === 'function' ? await callUser(() => (given as (at: object) => unknown)({ thread, metadata })) : given
  if (run?.request.needsDeps && deps === undefined) return undefined
  const situation = { thread, metadata, frame: after, deps: deps as never }
  const { tools } = options
  const box = definition.toolbox ?? compileTools(typeof tools === 'function' ? ((await callUser(() => tools(situation))) as ToolSet<never>) : tools)
  const toolbox = await listReadMore(box, definition.readMore)
  return { definition, context: { toolbox, deps }, outbox: { frame: after }, policies: [...policies, ...standIns.policies], standIns }
}

/** A call, the class of its tool, and what the parent recorded of it. */
interface Judged {
  readonly call: Call
  readonly effect: EffectClass
  readonly note: CallNotes
}

type Fate = PlannedCall['fate']

/** What follows from the record alone: a result, or what hooks did before the call was judged. */
function fateOfRecord(standIns: StandIns, { call, note }: Judged): Fate | undefined {
  if (standIns.take(call)) return 'recorded'
  const asked = (note.hookQuestions ?? []).map((data): Draft => ({ type: 'question.asked', data }))
  if (asked.some((question) => standIns.withAnswers([question], call).length === 1)) return 'asked'
  return note.byHook === 'skipped' ? 'skipped' : undefined
}

/** What the stages make of a call today. */
async function fateNow(work: PreparingWork, { call, effect, note }: Judged): Promise<Fate> {
  const { standIns, definition } = work
  const cancellation = createCancellation(definition.ports.clock, definition.behaviour.grace)
  const prepared = await prepare(work, { ...call, input: note.input ?? call.input }, cancellation)
  const executed = (): Fate => (note.byHook === 'answered' ? 'skipped' : standIns?.stubs(effect) ? 'stubbed' : 'runs')
  if (!isRefusal(prepared)) return executed()
  const [first, second] = standIns?.withAnswers(prepared, call) ?? prepared
  if (first?.type === 'tool.denied') return 'denied'
  if (first?.type === 'tool.finished') return 'refused'
  if (second?.type !== 'question.answered') return 'asked'
  const { kind } = second.data.answer
  return kind === 'approve' || kind === 'edit' ? executed() : 'recorded'
}

/** What the stages made of a call in the parent, and what the effects of the fork add. */
function fateThen(standIns: StandIns, { effect, note }: Judged): Fate {
  const { verdict } = note
  if (verdict === 'denied' || verdict === 'refused') return verdict
  if (standIns.stubs(effect)) return 'stubbed'
  if (verdict === 'asked' || (standIns.policies.length > 0 && !isHarmless(effect))) return 'asked'
  return note.byHook === 'answered' ? 'skipped' : 'runs'
}

/** What the events of a thread used. */
function usedIn(events: readonly LoomEvent[]): ForkPlan['estimate'] {
  return { turns: events.filter(({ type }) => type === 'turn.entered').length, ...spentIn(events) }
}
