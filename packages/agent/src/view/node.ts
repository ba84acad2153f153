/** The node view: the lifecycle methods of the founding documents as adapters over hooks and observers. */
import { type Failure, type Frame, items, type LoomEvent } from '@loom-agent/kernel'
import { type Hook, type HookContext, type ProposedCall, type Skipped, skip } from '../hook/hook.ts'
import type { SeedEvent } from './seed-event.ts'
import { projectSeed } from './seed-events.ts'
import { emptyView, type SeedView } from './seed-view.ts'

/** How a node is doing. A run that waits is idle: nobody drives it. A run that was stopped before it was done has failed. */
export type NodeState = 'idle' | 'running' | 'completed' | 'failed'

/** Where a callback belongs. */
export interface NodePlace {
  readonly thread: string
  readonly run: string
}

/** What may be asked of a callback that decides: `false` denies, anything else allows. */
export type Consent = boolean | undefined | void | Promise<boolean | undefined | void>

/** The lifecycle methods. Those that tell must not throw; those that decide may be asked again after a crash. */
export interface NodeCallbacks {
  onStart?(place: NodePlace): void
  onComplete?(place: NodePlace & { readonly text: string }): void
  onError?(place: NodePlace & { readonly error: Failure }): void
  /** Asked once for all the calls of a reply. Denied, each of them is skipped, and the model may plan anew. */
  onPlanning?(plan: NodePlace & { readonly turn: number; readonly calls: readonly ProposedCall[] }): Consent
  /** Asked for every call. Denied, it is skipped, and the model is told. */
  onToolCallRequest?(call: NodePlace & ProposedCall): Consent
}

/** What an agent is given to have a node view: `hooks: [view.hook], observers: [view.observer]`. */
export interface NodeView {
  readonly hook: Hook
  readonly observer: (event: LoomEvent) => void
}

/** The state of the latest run of a thread, from its frame: runs share nothing. */
export function nodeStateOf({ run }: Frame): NodeState {
  if (!run) return 'idle'
  const states = { active: 'running', suspended: 'idle', finished: 'completed', failed: 'failed', stopped: 'failed' } as const
  return states[run.status]
}

/**
 * Makes hooks and an observer of lifecycle methods.
 *
 * @example
 * const view = nodeView({ onToolCallRequest: ({ tool }) => tool !== 'delete_file' })
 * agent({ model, tools, hooks: [view.hook], observers: [view.observer] })
 */
export function nodeView(callbacks: NodeCallbacks): NodeView {
  return { hook: hookOf(callbacks), observer: observerOf(callbacks) }
}

const placeOf = ({ thread, frame }: HookContext): NodePlace => ({ thread, run: frame.run?.id ?? '' })

function hookOf(callbacks: NodeCallbacks): Hook {
  // The verdict on a plan is kept by the plan's first call: it lives as long as the turn and belongs to no other run.
  const verdicts = new WeakMap<object, Promise<boolean>>()
  const isPlanAllowed = (context: HookContext): Promise<boolean> => {
    const calls = context.frame.run ? [...items(context.frame.run.calls)] : []
    const key = calls[0]?.part
    const known = key && verdicts.get(key)
    if (known || !key) return known ?? Promise.resolve(true)
    const plan = calls.map(({ id, part, input }) => ({ id, tool: part.name, input }))
    const asked = Promise.resolve(callbacks.onPlanning?.({ ...placeOf(context), turn: context.turn, calls: plan }))
    const verdict = asked.then((consent) => consent !== false)
    verdicts.set(key, verdict)
    return verdict
  }
  const decide = async (context: HookContext, call: ProposedCall): Promise<Skipped | undefined> => {
    if (callbacks.onPlanning && !(await isPlanAllowed(context))) return skip('The plan was not accepted. Make another.')
    const consent = await callbacks.onToolCallRequest?.({ ...placeOf(context), ...call })
    return consent === false ? skip(`The call of ${call.tool} was denied.`) : undefined
  }
  return {
    name: 'node',
    ...(callbacks.onStart && {
      beforeIterationStart: (context: HookContext) => {
        if (context.turn === context.frame.run?.firstTurn) callbacks.onStart?.(placeOf(context))
      },
    }),
    ...((callbacks.onPlanning || callbacks.onToolCallRequest) && { beforeToolExecution: decide }),
  }
}

function observerOf(callbacks: NodeCallbacks): (event: LoomEvent) => void {
  const views = new Map<string, SeedView>()
  return (event) => {
    const projected = projectSeed(views.get(event.thread) ?? emptyView(event.thread), event)
    if (isEnd(event)) views.delete(event.thread)
    else views.set(event.thread, projected.view)
    for (const told of projected.events) tellEnd(callbacks, told)
  }
}

const isEnd = ({ type }: LoomEvent): boolean => type === 'run.finished' || type === 'run.failed' || type === 'run.stopped'

function tellEnd(callbacks: NodeCallbacks, event: SeedEvent): void {
  const { thread, run } = event
  switch (event.type) {
    case 'agent_finish':
      return callbacks.onComplete?.({ thread, run, text: event.content })
    case 'error':
      return callbacks.onError?.({ thread, run, error: event.error })
    case 'execution_cancelled':
    case 'max_iterations_reached':
    case 'recursion_terminated': {
      if (event.type === 'execution_cancelled' && event.interrupt) return undefined
      return callbacks.onError?.({ thread, run, error: { code: 'LOOM_ABORTED', message: event.reason, recoverable: false } })
    }
    default:
      return undefined
  }
}
