/** The end of a child, as its parent records it. */
import {
  addUsage,
  callOf,
  type EventData,
  type Failure,
  type Frame,
  isOver,
  items,
  type Json,
  type LoomError,
  type Run,
  readEvents,
  type StepRecord,
  type Taint,
} from '@loom-agent/kernel'
import type { ChildOwner } from '../call/child-runner.ts'
import { looking } from '../call/guard-result.ts'
import { failureOf } from '../platform/failure-of.ts'
import { never } from '../platform/never.ts'
import { messageOf } from '../platform/normalize.ts'
import { openChildren } from '../question/open-children.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'
import type { ChildRecord, Result } from '../types/result.ts'
import { resultOf } from './result-of.ts'

type EndedResult = Exclude<Result<unknown>, { status: 'waiting' }>

/** The end of a child as its parent records it. */
export type ChildEnd = Pick<EventData['child.finished'], 'value' | 'error' | 'taint' | 'usage' | 'cost' | 'calls' | 'children'>

const neverStarted: Failure = { code: 'LOOM_ABORTED', message: 'The run was stopped before the child was started.', recoverable: false }

/** Records how a child ended; undefined where no record is wanted any more, or it cannot be made. Only the parent's driver does. */
export async function recordEnd({ outbox, call, key }: ChildOwner, child: string, end: ChildEnd): Promise<StepRecord | undefined> {
  const { run } = outbox.frame
  const current = run && callOf(run, call)
  // The child's end may have been recorded already, by the watch that was set while it waited.
  const known = current && [...items(current.done)].find((record) => record.key === key)
  if (known) return known
  // The run may have ended without waiting for the child, and another may have started.
  if (!current?.open.some((step) => step.key === key && step.child === child)) return undefined
  const { value } = end
  const isDurable = await outbox.append([{ type: 'child.finished', data: { call, key, child, ...end } }], 'happened')
  return isDurable ? { key, ...(value !== undefined && { value }) } : undefined
}

/** The end that a result stands for. */
export async function endOf(instance: AgentInstance, result: EndedResult, child: string): Promise<ChildEnd> {
  const isInDoubt = result.status !== 'done' && (await endedInDoubt(instance, child))
  const { frame } = await instance.runtime.threads.load(child)
  const { usage, cost } = result
  const taint = readBy(frame)
  const value = await guardedRecord(instance, frame, recordOf(result, isInDoubt))
  return { value, usage, ...(cost !== undefined && { cost }), ...countsOf(frame), ...(taint && { taint }) }
}

/** The record of a child as the guards of its parent leave it: what it says is a result there. */
async function guardedRecord(instance: AgentInstance, { parent }: Frame, record: ChildRecord): Promise<ChildRecord> {
  if (instance.definition.guards.length === 0 || !parent) return record
  const { run } = (await instance.runtime.threads.load(parent.thread)).frame
  const look = looking(instance, { thread: parent.thread, tool: run && callOf(run, parent.call)?.part.name, step: `child ${parent.key}` })
  const { text, output, reason } = record
  try {
    return { ...record, ...(await look({ text, ...(output !== undefined && { output }), ...(reason !== undefined && { reason }) })) }
  } catch (withheld) {
    const { output: _, ...rest } = record
    return { ...rest, text: messageOf(withheld), ...(reason !== undefined && { reason: messageOf(withheld) }) }
  }
}

/** What a child has read that its parent had not when it started the child. */
function readBy({ run, taint }: Frame): Taint | undefined {
  const before = run?.request.taint
  const untrusted = before?.untrusted ? undefined : taint?.untrusted
  const secret = before?.private ? undefined : taint?.private
  return untrusted || secret ? { ...(untrusted && { untrusted }), ...(secret && { private: secret }) } : undefined
}

/** How many calls and children there were in a run and below it; those that had none say nothing. */
function countsOf({ run }: Frame): Pick<ChildEnd, 'calls' | 'children'> {
  return { ...(run?.called && { calls: run.called }), ...(run?.children && { children: run.children }) }
}

/** Records the end of a child that was asked to stop. Of one that has not ended, what it has spent is recorded, and that its end is not known. */
export async function recordStopped(instance: AgentInstance, owner: ChildOwner, child: string): Promise<void> {
  const { threads } = instance.runtime
  const { frame } = await threads.load(child)
  const { run } = frame
  if (!run) return void (await recordEnd(owner, child, { error: neverStarted }))
  const result = isOver(run) ? await resultOf(frame, run, { threads }) : undefined
  const hasEnded = result && result.status !== 'waiting'
  await recordEnd(
    owner,
    child,
    hasEnded ? await endOf(instance, result, child) : { value: leftBehind(frame, run), ...(await spentBy(threads, frame)) },
  )
}

/** The record of a child that its parent waits for no longer. */
function leftBehind({ turn }: Frame, { firstTurn }: Run): ChildRecord {
  const reason = 'It was asked to stop, and had not ended in time.'
  return { status: 'stopped', kind: 'cancelled', reason, inDoubt: true, text: '', turns: Math.max(0, turn - firstTurn + 1) }
}

/** What a thread has spent so far, with its children that have not ended. */
async function spentBy(threads: ThreadCache, frame: Frame): Promise<Required<Omit<ChildEnd, 'value' | 'error' | 'taint'>>> {
  const { usage = { input: 0, output: 0 }, cost = 0, called: calls = 0, children = 0 } = frame.run ?? {}
  let spent = { usage, cost, calls, children }
  for (const child of openChildren(frame)) {
    const more = await spentBy(threads, (await threads.load(child)).frame)
    const counts = { calls: spent.calls + more.calls, children: spent.children + more.children }
    spent = { usage: addUsage(spent.usage, more.usage), cost: spent.cost + more.cost, ...counts }
  }
  return spent
}

/** Records that a child could not be started. */
export async function refuse({ outbox, call, key }: ChildOwner, child: string, cause: LoomError): Promise<StepRecord> {
  const error = failureOf(cause)
  const isDurable = await outbox.append([{ type: 'child.finished', data: { call, key, child, error } }], 'happened')
  return isDurable ? { key, error } : never()
}

/** Whether it is not known what a call of the child's last turn came to. The child's model has not read it: only the child's journal says so. */
async function endedInDoubt({ runtime }: AgentInstance, child: string): Promise<boolean> {
  const { frame } = await runtime.threads.load(child)
  for await (const { type, turn, data } of readEvents(runtime.journal, child))
    if (type === 'tool.finished' && turn === frame.turn && data.errorType === 'outcome-unknown') return true
  return false
}

function recordOf(result: EndedResult, isInDoubt: boolean): ChildRecord {
  const { text, turns } = result
  if (result.status === 'done') return { status: 'done', text, turns, ...(result.output !== result.text && { output: result.output as Json }) }
  const ended = { text, turns, ...(isInDoubt && { inDoubt: true as const }) }
  if (result.status === 'stopped') return { ...ended, status: 'stopped', kind: result.kind, reason: result.reason }
  return { ...ended, status: 'failed', reason: result.error.message }
}
