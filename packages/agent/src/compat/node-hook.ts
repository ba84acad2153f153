/** Nodes of the original Python project: their lifecycle methods as a hook, and their state. */

import { type Failure, type Frame, items, type LoomEvent } from '@loom-agent/kernel'
import { type Hook, type HookContext, type ProposedCall, type Skipped, skip } from '../hook/hook.ts'
import { callUser, notify } from '../platform/call-user.ts'
import { replyText } from '../run/result-of.ts'

/** The state of a node. A run that waits is idle: no process drives it. A run that was stopped before it was done has failed. */
export type NodeState = 'idle' | 'running' | 'completed' | 'failed'

/** The run that a callback is about. */
export interface NodeRun {
  /** The id of the thread. */
  readonly thread: string
  /** The id of the run on its thread. */
  readonly run: string
}

/** What a callback that decides returns: `false` denies, anything else allows. */
export type Consent = boolean | undefined | void | Promise<boolean | undefined | void>

/** The lifecycle methods. The first three must not throw; those that decide may be called again after a crash. */
export interface NodeCallbacks {
  /** Called before the first turn of a run. */
  onStart?(run: NodeRun): void
  /** Called when a run is done. */
  onComplete?(run: NodeRun & { readonly text: string }): void
  /** Called when a run failed or was stopped. */
  onError?(run: NodeRun & { readonly error: Failure }): void
  /** Called once for all the calls of a reply. Denied, each of them is skipped, and the model may plan anew. */
  onPlanning?(plan: NodeRun & { readonly turn: number; readonly calls: readonly ProposedCall[] }): Consent
  /** Called for every call. A denied call is skipped, and the model gets the reason as its result. */
  onToolCallRequest?(call: NodeRun & ProposedCall): Consent
}

/** The state of the latest run of a thread, from its frame: runs share nothing. */
export function nodeStateOf({ run }: Frame): NodeState {
  if (!run) return 'idle'
  const states = { active: 'running', suspended: 'idle', finished: 'completed', failed: 'failed', stopped: 'failed' } as const
  return states[run.status]
}

/**
 * Makes a hook of lifecycle methods.
 *
 * @example
 * agent({ model, tools, hooks: [nodeHook({ onToolCallRequest: ({ tool }) => tool !== 'delete_file' })] })
 */
export function nodeHook(callbacks: NodeCallbacks): Hook {
  const { onStart, onComplete, onError, onPlanning, onToolCallRequest } = callbacks
  return {
    name: 'node',
    ...(onStart && {
      beforeIterationStart: async (context: HookContext) => {
        if (context.turn === context.frame.run?.firstTurn) await callUser(() => callbacks.onStart?.(runOf(context)))
      },
    }),
    ...((onPlanning || onToolCallRequest) && { beforeToolExecution: createDecision(callbacks) }),
    ...((onComplete || onError) && { observe: (event: LoomEvent, frame: Frame) => notifyEnd(callbacks, event, frame) }),
  }
}

const runOf = ({ thread, frame }: HookContext): NodeRun => ({ thread, run: frame.run?.id ?? '' })

/** Asks about the plan, then about the call. */
function createDecision(callbacks: NodeCallbacks): (context: HookContext, call: ProposedCall) => Promise<Skipped | undefined> {
  // The verdict on a plan is kept by the plan's first call: it lives as long as the turn and belongs to no other run.
  const verdicts = new WeakMap<object, Promise<boolean>>()
  const isPlanAllowed = (context: HookContext): Promise<boolean> => {
    const calls = context.frame.run ? [...items(context.frame.run.calls)] : []
    const key = calls[0]?.part
    const known = key && verdicts.get(key)
    if (known || !key) return known ?? Promise.resolve(true)
    const plan = calls.map(({ id, part, input }) => ({ id, tool: part.name, input }))
    const ask = async (): Promise<boolean> =>
      (await callUser(() => callbacks.onPlanning?.({ ...runOf(context), turn: context.turn, calls: plan }))) !== false
    const verdict = ask()
    verdicts.set(key, verdict)
    return verdict
  }
  return async (context, call) => {
    if (callbacks.onPlanning && !(await isPlanAllowed(context))) return skip('The plan was not accepted. Make another.')
    const consent = await callUser(() => callbacks.onToolCallRequest?.({ ...runOf(context), ...call }))
    return consent === false ? skip(`The call of ${call.tool} was denied.`) : undefined
  }
}

function notifyEnd(callbacks: NodeCallbacks, event: LoomEvent, frame: Frame): void {
  const ended = { thread: event.thread, run: event.run ?? '' }
  switch (event.type) {
    case 'run.finished':
      return notify(callbacks.onComplete, { ...ended, text: replyText(frame) })
    case 'run.failed':
      return notify(callbacks.onError, { ...ended, error: event.data.error })
    case 'run.stopped':
      return notify(callbacks.onError, { ...ended, error: { code: 'LOOM_ABORTED', message: event.data.reason, recoverable: false } })
    default:
      return undefined
  }
}
