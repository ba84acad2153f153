/** Forking: another way for a thread to go from a moment on. */
import {
  type Draft,
  evolve,
  type ForkEffects,
  type Frame,
  fold,
  type Journal,
  type Limits,
  LoomError,
  type LoomEvent,
  place,
  summarize,
} from '@loom-agent/kernel'
import type { RunHandle, RunOptions } from '../agent-type.ts'
import type { Runtime } from '../run/drive.ts'
import { checkThread } from '../run/visit.ts'
import { type Moment, nameMoment, parseMoment } from '../travel/moment.ts'
import { cutFor, describeEdits, type Edit, editDrafts } from './edit.ts'
import { cutOf } from './forkable.ts'
import { type ForkPlan, planOf } from './plan.ts'

/** How a thread is forked. */
export interface ForkOptions {
  /** The id of the fork; default: made up. */
  readonly thread?: string
  /** What is different from the cut on; default: nothing. */
  readonly edit?: Edit | readonly Edit[]
  /** What becomes of effects after the cut; default `ask`: those that change the world are asked about. */
  readonly effects?: ForkEffects
  /** What the run that goes on may spend. Without it, it spends nothing until somebody grants it. */
  readonly limits?: Limits
}

/** A fork: a thread of its own. */
export interface Fork<Output = string> {
  /** The id of the fork. */
  readonly thread: string
  /** Where it was cut. */
  readonly from: string
  /** What it reuses, runs and risks. */
  readonly plan: ForkPlan
  /** Goes on from the cut. */
  resume(options?: Omit<RunOptions<never>, 'thread' | 'whenBusy'>): RunHandle<Output>
}

interface Cut {
  readonly moment: Moment
  readonly edits: readonly Edit[]
  readonly effects: ForkEffects
  readonly events: readonly LoomEvent[]
}

const listOf = (edit: ForkOptions['edit']): readonly Edit[] => (edit === undefined ? [] : Array.isArray(edit) ? edit : [edit as Edit])

/** Says what a fork would reuse, run and risk, and makes none. */
export async function planFork(runtime: Runtime, at: string, options: ForkOptions): Promise<ForkPlan> {
  const cut = await cutAt(runtime, at, options)
  return planOf(runtime.definition, { ...cut, before: frameAtCut(cut, cut.moment.thread) })
}

/** Forks a thread. The parent is only read. */
export async function forkThread(runtime: Runtime, at: string, options: ForkOptions): Promise<Fork<unknown>> {
  const { world } = runtime
  const cut = await cutAt(runtime, at, options)
  const { moment, edits, effects } = cut
  const thread = options.thread ?? world.ports.ids()
  checkThread(thread)
  const start = frameAtCut(cut, thread)
  const { limits } = options
  const forked: Draft = {
    type: 'thread.forked',
    data: { from: nameMoment(moment), effects, ...(edits.length > 0 && { edits: describeEdits(edits) }), ...(limits && { limits }) },
  }
  await append(runtime, start, draftsOf(runtime, start, { forked, edits }))
  const model = edits.find((edit) => edit.kind === 'model')?.model
  return {
    thread,
    from: nameMoment(moment),
    plan: planOf(runtime.definition, { ...cut, before: start }),
    resume: (given = {}) => runtime.launch(runtime, { thread, options: { ...(model !== undefined && { model }), ...given } }),
  }
}

/** The thread where it is cut, under the name of whoever goes on: no event is looked at for its thread. */
const frameAtCut = ({ moment, events }: Cut, thread: string): Frame => fold(thread, events.slice(0, moment.seq))

async function cutAt(runtime: Runtime, at: string, { edit, effects = 'ask' }: ForkOptions): Promise<Cut> {
  const { journal } = runtime.world
  const asked = parseMoment(at)
  const events = await recordOf(journal, asked.thread)
  const last = events.length
  if (last === 0)
    throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${asked.thread} in this journal.`, { context: { thread: asked.thread } })
  if (asked.seq > last) throw new LoomError('LOOM_OPTION_INVALID', `fork: ${at} is not there yet; the thread ends at ${asked.thread}@${last}.`)
  const [first] = events
  if (first?.type === 'thread.started' && first.data.parent) {
    throw new LoomError('LOOM_THREAD_IS_CHILD', `${asked.thread} is a child of another thread: fork that one, it drives its children.`)
  }
  const edits = listOf(edit)
  const seq = cutFor(edits, events, asked)
  if (seq < 1) throw new LoomError('LOOM_OPTION_INVALID', 'fork: nothing is left before the cut. Start a new thread instead.')
  // A fork of a fork whose cut lies in the part they share is a fork of the thread that has it.
  let moment: Moment = { thread: asked.thread, seq }
  for (let shared = await cutOf(journal, moment.thread); shared && seq <= shared.seq; shared = await cutOf(journal, moment.thread)) {
    moment = { thread: shared.thread, seq }
  }
  return { moment, edits, effects, events }
}

/** All events of a thread: page by page, as a step for each event would cost more than the fold. */
async function recordOf(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for (;;) {
    const page = await journal.read(thread, { from: events.length + 1 })
    if (page.length === 0) return events
    for (const event of page) events.push(event)
  }
}

/** Everything the fork begins with: that it is one, and what is different. */
function draftsOf(runtime: Runtime, start: Frame, { forked, edits }: { forked: Draft; edits: readonly Edit[] }): readonly Draft[] {
  const drafts: Draft[] = []
  let frame = start
  const add = (added: readonly Draft[]): Frame => {
    drafts.push(...added)
    frame = place({ thread: start.thread, seq: frame.seq + 1, time: frame.time, run: frame.run?.id, turn: frame.turn }, added).reduce(evolve, frame)
    return frame
  }
  add([forked])
  const making = editDrafts(runtime, edits)
  making.next(frame)
  for (let made = making.next(frame); !made.done; made = making.next(frame)) add(made.value)
  return drafts
}

async function append({ world }: Runtime, start: Frame, events: readonly Draft[]): Promise<void> {
  const { journal, ports } = world
  const at = { time: ports.clock.now(), run: start.run?.id, turn: start.turn }
  const next = place({ thread: start.thread, seq: start.seq + 1, ...at }, events).reduce(evolve, start)
  const result = await journal.append(start.thread, { id: ports.ids(), expected: start.seq, ...at, events, summary: summarize(next) })
  if (result.kind === 'appended') return
  throw new LoomError('LOOM_THREAD_INVALID', `There is a thread ${start.thread} already. Give the fork another id.`, {
    context: { thread: start.thread },
  })
}
