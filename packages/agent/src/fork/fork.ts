/** Forking: a new thread that shares the past of another up to a moment. */
import {
  type Draft,
  evolve,
  type ForkOf,
  type Frame,
  fold,
  type Head,
  type Journal,
  LoomError,
  type LoomEvent,
  place,
  summarize,
} from '@loom-agent/kernel'
import { startRun } from '../run/start-run.ts'
import { adoptionOf } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { nameMoment, notThereYet, parseMoment } from '../types/moment.ts'
import { checkThread, isChildId, reservedId, threadNotFound } from '../types/thread-id.ts'
import { applyEdits, cutFor, describeEdits } from './edit.ts'
import { checkFork } from './fork-options.ts'
import type { Cut, Edit, Fork, ForkOptions, ForkPlan } from './fork-types.ts'
import { planOf } from './plan.ts'

const listOf = (edit: ForkOptions['edit']): readonly Edit[] => (edit === undefined ? [] : Array.isArray(edit) ? edit : [edit as Edit])

/** Returns what a fork would reuse, run and risk, and makes none. */
export async function planFork(instance: AgentInstance, at: string, options: ForkOptions): Promise<ForkPlan> {
  checkFork(instance.definition, options)
  const cut = await cutAt(instance, at, options)
  return planOf(instance.definition, { ...cut, before: frameAtCut(cut, cut.moment.thread) })
}

/** Forks a thread. The parent is only read. */
export async function forkThread(instance: AgentInstance, at: string, options: ForkOptions): Promise<Fork<unknown>> {
  const { runtime, definition } = instance
  checkFork(definition, options)
  const cut = await cutAt(instance, at, options)
  const { moment, edits, effects } = cut
  const thread = options.thread ?? runtime.ports.ids()
  checkThread(thread)
  if (isChildId(thread)) throw reservedId(thread)
  const start = frameAtCut(cut, thread)
  const { limits } = options
  const incarnation = runtime.ports.ids()
  const forked: Draft = {
    type: 'thread.forked',
    data: {
      from: nameMoment(moment),
      incarnation,
      effects,
      ...(edits.length > 0 && { edits: describeEdits(edits) }),
      ...(limits && { limits }),
    },
  }
  await appendFork(instance, start, { forkOf: moment, forked, edits, isAnonymous: options.thread === undefined || undefined })
  const model = edits.find((edit) => edit.kind === 'model')?.model
  return {
    thread,
    from: nameMoment(moment),
    plan: planOf(definition, { ...cut, before: start }),
    resume: (given = {}) => startRun(instance, { thread, incarnation, options: { ...(model !== undefined && { model }), ...given } }),
  }
}

/** The thread where it is cut, under the name of the fork: folding looks at no event's thread. */
const frameAtCut = ({ moment, events }: Cut, thread: string): Frame => fold(thread, events.slice(0, moment.seq))

async function cutAt(instance: AgentInstance, at: string, { edit, effects = 'ask' }: ForkOptions): Promise<Cut> {
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
  if (seq < 1) throw new LoomError('LOOM_OPTION_INVALID', 'fork: nothing is left before the cut. Start a new thread instead.')
  // A fork of a fork whose cut is in the part they share is a fork of the thread that has it, unless it needs the record of the thread asked for.
  let moment: ForkOf = { thread: asked.thread, incarnation: head.incarnation, seq }
  for (let parent = effects === 'recorded' ? undefined : head.forkOf; parent && seq <= parent.seq; ) {
    moment = { ...parent, seq }
    const above = await journal.head(moment.thread)
    parent = above?.incarnation === moment.incarnation ? above.forkOf : undefined
  }
  return { moment, edits, effects, events }
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

/** Appends the first events of a fork: that it is one, and what is different. Each edit sees the frame that those before have left. */
async function appendFork(instance: AgentInstance, start: Frame, { forkOf, forked, edits, isAnonymous }: FirstBatch): Promise<void> {
  const { journal, ports } = instance.runtime
  const { thread } = start
  const at = { time: ports.clock.now(), run: start.run?.id, turn: start.turn }
  const events: Draft[] = []
  const add = (drafts: readonly Draft[]): Frame => {
    events.push(...drafts)
    return place({ thread, seq: start.seq + 1, ...at }, events).reduce(evolve, start)
  }
  // A fork belongs to the agent that made it.
  const frame = applyEdits(instance, { edits, frame: add([forked, ...adoptionOf(instance, start, { adopt: true })]), add })
  const { incarnation } = frame
  const batch = { id: ports.ids(), incarnation, expected: start.seq, forkOf, ...at, events, summary: summarize(frame), isAnonymous }
  const result = await journal.append(thread, batch)
  if (result.kind === 'appended') return
  throw new LoomError('LOOM_THREAD_INVALID', `There is a thread ${thread} already. Give the fork another id.`, { context: { thread } })
}

/** What the first batch of a fork is made of. */
interface FirstBatch {
  readonly forkOf: ForkOf
  readonly forked: Draft
  readonly edits: readonly Edit[]
  readonly isAnonymous: true | undefined
}
