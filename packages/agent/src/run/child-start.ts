/** Starting a child: its place in the tree, what it is given, and what it may spend. */
import type { Limits } from '@loom-agent/kernel'
import type { ChildRequest } from '../call/child-runner.ts'
import { definitionOf } from '../definition/agent-definition.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { toMessages } from '../types/input.ts'
import { allotmentFor } from './allotment.ts'
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
  const { agent, outbox, call, input, deps } = request
  const { definition, runtime } = instance
  const { run } = outbox.frame
  const own = definitionOf(agent)
  const childInstance: AgentInstance = {
    ...instance,
    definition: { ...own, journal: runtime.journal, ports: runtime.ports },
    policies: [own.policy, ...instance.policies],
    locks: [own.locks, ...instance.locks],
    inheritedDeps: deps,
    forkEffects: outbox.frame.fork?.effects ?? instance.forkEffects,
    onQuestion: own.options.onQuestion ?? instance.onQuestion,
  }
  const limits = await limitsOf(instance, request, child)
  const options = { limits, ...(run?.request.metadata && { metadata: run.request.metadata }) }
  const link = { thread: outbox.frame.thread, incarnation: outbox.frame.incarnation, call, key: request.key, depth: depthIn(request) }
  const unattended = run?.request.unattended === 'deny' || definition.behaviour.unattended === 'deny'
  return { instance: childInstance, request: { thread: child, messages: toMessages(input), options, parent: link, unattended } }
}

/** What a child may spend: its own limits, and at most what is left to its parent. */
async function limitsOf({ runtime }: AgentInstance, { agent, outbox }: ChildRequest, child: string): Promise<Limits> {
  const { run } = outbox.frame
  const own = definitionOf(agent)
  // How deep a tree may grow is counted from its root: no child may go deeper than its parent could.
  const depth = Math.min(own.limits.depth ?? Number.MAX_SAFE_INTEGER, run?.limits.depth ?? Number.MAX_SAFE_INTEGER)
  const allotted = await allotmentFor(runtime.threads, outbox.frame, { child, own: own.options.limits ?? {} })
  // A run that stops at its limit must not wait because of a child's: what its children spend is part of the same budget.
  const onReached = run?.limits.onReached === 'stop' ? ({ onReached: 'stop' } as const) : {}
  const unpriced = own.options.limits?.unpriced ?? run?.limits.unpriced ?? 'allow'
  return { ...own.limits, depth, turns: own.options.limits?.turns ?? childTurns, unpriced, ...allotted, ...onReached }
}
