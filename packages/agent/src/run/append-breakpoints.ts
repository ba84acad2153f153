/** Appending breakpoints to a thread and to its open children. Loaded on use. */
import { type Breakpoint, canonicalJson, type Draft, type Frame, type Journal, type Json, LoomError } from '@loom-agent/kernel'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { openChildren } from '../question/open-children.ts'
import { appendInput } from '../thread/append-input.ts'
import { createThreadCache, type ThreadCache } from '../thread/thread-cache.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { type BreakpointArguments, type BreakpointOptions, breakpointsOf, type StepArguments, stepId } from './break-requests.ts'
import { checkReadable } from './start-input.ts'

/** Where something is appended. */
interface Appending {
  readonly journal: Journal
  readonly threads: ThreadCache
  readonly by: string | undefined
}

function appendingTo(journal: Journal, thread: string, { by }: BreakpointOptions): Appending {
  requireJournal('setBreakpoints', journal)
  checkThread(thread)
  return { journal, threads: createThreadCache(journal), by }
}

/** Appends what the breakpoints of a thread become; returns its frame. */
async function change(to: Appending, thread: string, make: (frame: Frame) => readonly Breakpoint[]): Promise<Frame> {
  const cached = await to.threads.load(thread)
  if (cached.frame.seq === 0) throw threadNotFound(thread)
  return appendInput({ journal: to.journal, ports: completePorts() }, cached, (frame): readonly Draft[] => {
    checkReadable(frame)
    const breakpoints = make(frame)
    if (canonicalJson(breakpoints as unknown as Json) === canonicalJson(frame.breakpoints as unknown as Json)) return []
    return [{ type: 'breakpoints.changed', data: { breakpoints, ...(to.by !== undefined && { by: to.by }) } }]
  })
}

/** The same for a thread, its open children, and theirs. */
async function changeTree(to: Appending, thread: string, make: (frame: Frame) => readonly Breakpoint[]): Promise<void> {
  const frame = await change(to, thread, make)
  for (const child of openChildren(frame)) {
    // What somebody else started under the id of a child is no child.
    if ((await to.threads.load(child)).frame.parent?.thread === thread) await changeTree(to, child, make)
  }
}

/** Sets the breakpoints of a thread and its open children. */
export async function appendBreakpoints(journal: Journal, thread: string, [requests, options = {}]: BreakpointArguments): Promise<void> {
  const breakpoints = breakpointsOf(requests)
  await changeTree(appendingTo(journal, thread, options), thread, () => breakpoints)
}

const withoutStep = ({ breakpoints }: Frame): readonly Breakpoint[] => breakpoints.filter(({ id }) => id !== stepId)

/** Arms the next stop. */
export async function appendStep(journal: Journal, thread: string, [how, options = {}]: StepArguments): Promise<void> {
  const to = appendingTo(journal, thread, options)
  const armed = { id: stepId, on: `step ${how}`, once: true } as const
  if (how === 'into') return changeTree(to, thread, (frame) => [...withoutStep(frame), armed])
  if (how === 'over') return void (await change(to, thread, (frame) => [...withoutStep(frame), { ...armed, own: true }]))
  const frame = await change(to, thread, withoutStep)
  const { parent } = frame
  if (!parent) throw noParent(thread)
  await change(to, parent.thread, (above) => [...withoutStep(above), { ...armed, own: true }])
}

function noParent(thread: string): LoomError {
  const message = `The thread ${thread} is the child of none, so there is nothing to step out to. Resume it: agent.resume('${thread}').`
  return new LoomError('LOOM_OPTION_INVALID', message, { context: { thread } })
}
