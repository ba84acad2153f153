/** Forking: a new thread that shares the past of another up to a moment. */
import {
  type Batch,
  type Draft,
  evolve,
  type ForkOf,
  type Frame,
  fold,
  type Head,
  type Journal,
  LoomError,
  type LoomEvent,
  nextPlace,
  place,
  summarize,
} from '@loom-agent/kernel'
import { resumeShape } from '../definition/option-shapes.ts'
import { checkModel, modelId } from '../model/model.ts'
import { checkOptions } from '../platform/options.ts'
import { startRun } from '../run/start-run.ts'
import { adoptionOf } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { blobsOf } from '../thread/append-input.ts'
import { nameMoment, notThereYet, parseMoment } from '../types/moment.ts'
import { checkThread, isChildId, reservedId, threadNotFound } from '../types/thread-id.ts'
import { applyEdits, cutFor, describeEdits, standingEdits } from './edit.ts'
import { checkFork } from './fork-options.ts'
import type { Cut, Edit, ErasedFork, ForkOptions, ForkPlan } from './fork-types.ts'
import { planOf } from './plan.ts'

const listOf = (edit: ForkOptions['edit']): readonly Edit[] => (edit === undefined ? [] : Array.isArray(edit) ? edit : [edit as Edit])

/** Returns what a fork would reuse, run and risk, and makes none. */
export async function planFork(instance: AgentInstance, at: string, options: ForkOptions): Promise<ForkPlan> {
  checkFork(instance.definition, options)
  const cut = await cutAt(instance, at, options)
  return planOf(instance, { ...cut, ...firstBatch(instance, cut, { thread: options.thread ?? cut.moment.thread }) })
}

/** Forks a thread. The parent is only read. */
export async function forkThread(instance: AgentInstance, at: string, options: ForkOptions): Promise<ErasedFork> {
  const { runtime, definition } = instance
  checkFork(definition, options)
  const cut = await cutAt(instance, at, options)
  const thread = options.thread ?? runtime.ports.ids()
  requireFree(thread)
  const made = firstBatch(instance, cut, { thread })
  // Made first: a fork that cannot be planned is not made.
  const plan = await planOf(instance, { ...cut, ...made })
  await appendFork(instance, cut, { ...made, isAnonymous: options.thread === undefined || undefined })
  return madeFork(instance, { thread, plan, edits: cut.edits, incarnation: made.after.incarnation })
}

/** Throws where a fork may not have this name. */
export function requireFree(thread: string): void {
  checkThread(thread)
  if (isChildId(thread)) throw reservedId(thread)
}

/** What is known of a fork that was made. */
interface ForkHandle {
  readonly thread: string
  readonly incarnation: string
  readonly plan: ForkPlan
  readonly edits: readonly Edit[]
}

/** A fork that was made, for its caller. */
export function madeFork(instance: AgentInstance, { thread, incarnation, plan, edits }: ForkHandle): ErasedFork {
  const { runtime, definition } = instance
  const model = edits.findLast((edit) => edit.kind === 'model')?.model
  if (typeof model === 'object') runtime.models.set(modelId(model), model)
  return {
    thread,
    from: plan.from,
    plan,
    resume(given = {}) {
      checkOptions(`a run of ${definition.name}`, given, resumeShape)
      if (given.model !== undefined) checkModel(given.model)
      return startRun(instance, { thread, incarnation, options: { ...(model !== undefined && { model }), ...given } })
    },
  }
}

/** Where and how a thread is cut for a fork. */
export async function cutAt(instance: AgentInstance, at: string, { edit, effects = 'ask', limits }: ForkOptions): Promise<Cut> {
  const { journal } = instance.runtime
  const asked = parseMoment(at)
  const head = await journal.head(asked.thread)
  if (!head?.seq) throw threadNotFound(asked.thread)
  const events = await recordOf(journal, head)
  const last = events.length
  if (asked.seq > last) throw notThereYet(asked, last)
  const [first] = events
  if (first?.type === 'thread.started' && first.data.parent) {
    throw new LoomError('LOOM_THREAD_IS_CHILD', `${asked.thread} is a child of another thread: fork that one, it drives its children.`, {
      context: { thread: asked.thread },
    })
  }
  const edits = listOf(edit)
  const seq = cutFor(edits, events, asked)
  if (seq < 1)
    throw new LoomError('LOOM_OPTION_INVALID', 'A fork needs something before its cut, and this one would have nothing. Start a new thread instead.')
  // A fork of a fork whose cut is in the part they share is a fork of the thread that has it, unless it needs the record of the thread asked for.
  let moment: ForkOf = { thread: asked.thread, incarnation: head.incarnation, seq }
  let { quarantined } = head.summary
  for (let parent = effects === 'recorded' ? undefined : head.forkOf; parent && seq <= parent.seq; ) {
    moment = { ...parent, seq }
    const above = await journal.head(moment.thread)
    quarantined = above?.summary.quarantined
    parent = above?.incarnation === moment.incarnation ? above.forkOf : undefined
  }
  return { moment, edits, effects, limits, events, quarantined }
}

/** All events of a thread: page by page, as a step for each event would cost more than the fold. */
async function recordOf(journal: Journal, { thread, incarnation }: Head): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for (;;) {
    const page = await journal.read(thread, { from: events.length + 1, incarnation })
    if (page.length === 0) return events
    for (const event of page) events.push(event)
  }
}

/** The first events of a fork: that it is one, and what is different. */
export interface MadeFork {
  /** The thread where it is cut, under the name of the fork. */
  readonly before: Frame
  /** The fork with its first events. */
  readonly after: Frame
  readonly own: readonly Draft[]
  readonly time: number
}

/** Makes the first events of a fork, and more behind them. Each edit sees the frame that those before have left. */
export function firstBatch(
  instance: AgentInstance,
  { moment, edits, effects, limits, events }: Cut,
  { thread, more = [] }: { readonly thread: string; readonly more?: readonly Draft[] },
): MadeFork {
  const { ports } = instance.runtime
  // Folding looks at no event's thread.
  const before = fold(thread, events.slice(0, moment.seq))
  const time = ports.clock.now()
  const own: Draft[] = []
  const add = (drafts: readonly Draft[]): Frame => {
    own.push(...drafts)
    return place(nextPlace(before, time), own).reduce(evolve, before)
  }
  const forked: Draft = {
    type: 'thread.forked',
    data: {
      from: nameMoment(moment),
      incarnation: ports.ids(),
      effects,
      ...(edits.length > 0 && { edits: describeEdits(edits) }),
      ...(limits && { limits }),
      ...standingEdits(edits, before),
    },
  }
  // A fork belongs to the agent that made it.
  const opening = add([forked, ...adoptionOf(instance, before, { adopt: true })])
  const edited = applyEdits(instance, { edits, limits, frame: opening, add })
  return { before, time, own, after: more.length > 0 ? add(more) : edited }
}

/** Appends the first events of a fork. */
export async function appendFork(
  { runtime }: AgentInstance,
  { moment, quarantined }: Cut,
  batchOf: MadeFork & Pick<Batch, 'isAnonymous'>,
): Promise<void> {
  const { before, after, own, time, isAnonymous } = batchOf
  const { journal, ports } = runtime
  const { thread, incarnation } = after
  const place = { time, run: before.run?.id, turn: before.turn }
  // What was imported stays quarantined in its forks (JOURNAL-23).
  const summary = quarantined ? { ...summarize(after), quarantined } : summarize(after)
  const stored = { events: own, summary, isAnonymous, blobs: blobsOf(own) }
  const batch = { id: ports.ids(), incarnation, expected: before.seq, forkOf: moment, ...place, ...stored }
  const result = await journal.append(thread, batch)
  if (result.kind === 'appended') return
  throw new LoomError('LOOM_THREAD_INVALID', `There is a thread ${thread} already. Give the fork another id.`, { context: { thread } })
}
