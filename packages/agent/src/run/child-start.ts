/** Starting a child: its place in the tree, what it is given, and what it may spend. */
import { addTaint, type Limits, type Taint } from '@loom-agent/kernel'
import type { ChildRequest } from '../call/child-runner.ts'
import { definitionOf } from '../definition/agent-definition.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { toMessages } from '../types/input.ts'
import { allotmentFor } from './allotment.ts'
import { inherited } from './break-requests.ts'
import { childInstanceOf, isAttended } from './child-instance.ts'
import type { StartRequest } from './run-input.ts'

/** Turns of a child whose agent sets no limit. */
const childTurns = 10

/** How deep a child is in its tree; the root is at 0. */
export const depthIn = ({ outbox: { frame } }: ChildRequest): number => (frame.parent?.depth ?? 0) + 1

/** A child in its place in the tree, and the request that starts it. */
export interface ChildStart {
  /** The agent of the child, in its place. */
  readonly instance: AgentInstance
  /** What its run is started with. */
  readonly request: StartRequest
}

/** How a child is started. */
export async function childStart(instance: AgentInstance, request: ChildRequest, child: string): Promise<ChildStart> {
  const { outbox, call, input } = request
  const { run } = outbox.frame
  const childInstance = childInstanceOf(instance, request)
  const limits = await limitsOf(instance, request, child)
  const options = { limits, ...(run?.request.metadata && { metadata: run.request.metadata }) }
  const link = { thread: outbox.frame.thread, incarnation: outbox.frame.incarnation, call, key: request.key, depth: depthIn(request) }
  const unattended = run?.request.unattended === 'deny' || instance.definition.behaviour.unattended === 'deny'
  const attended = { unattended, isAttended: isAttended(childInstance) }
  const start = {
    thread: child,
    messages: toMessages(input),
    options,
    parent: link,
    taint: taintOf(request),
    breakpoints: inherited(outbox.frame.breakpoints),
    ...attended,
  }
  return { instance: childInstance, request: start }
}

/** What was read before the input of a child was written: on the thread of its parent, and by the call that starts it. */
function taintOf({ outbox: { frame }, call, brought }: ChildRequest): Taint | undefined {
  const { thread } = frame
  return addTaint(addTaint(undefined, frame.taint, { thread }), brought, { thread, call })
}

/** What a child may spend: its own limits, and at most what is left to its parent. */
async function limitsOf({ runtime }: AgentInstance, { agent, outbox }: ChildRequest, child: string): Promise<Limits> {
  const { run } = outbox.frame
  const own = definitionOf(agent)
  // How deep a tree may grow is counted from its root: no child may go deeper than its parent could.
  const depth = Math.min(own.limits.depth ?? Number.MAX_SAFE_INTEGER, run?.limits.depth ?? Number.MAX_SAFE_INTEGER)
  const allotted = await allotmentFor(runtime.threads, outbox, { child, own: own.options.limits ?? {} })
  // A run that stops at its limit must not wait because of a child's: what its children spend is part of the same budget.
  const onReached = run?.limits.onReached === 'stop' ? ({ onReached: 'stop' } as const) : {}
  // A limit of money holds for the tree: what refuses a model without a price in the run that has the limit refuses it below (PRICE-1).
  const isRefused = run?.limits.cost !== undefined && run.limits.unpriced === 'refuse'
  const unpriced = isRefused ? 'refuse' : (own.options.limits?.unpriced ?? run?.limits.unpriced ?? 'allow')
  return { ...own.limits, depth, turns: own.options.limits?.turns ?? childTurns, unpriced, ...allotted, ...onReached }
}
