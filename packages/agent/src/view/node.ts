/** The node view: the lifecycle methods of the founding documents as an adapter over hooks. */
import { type Failure, type Frame, items, type LoomEvent } from '@loom-agent/kernel'
import { type Hook, type HookContext, type ProposedCall, type Skipped, skip } from '../hook/hook.ts'
import { replyText } from '../run/result-of.ts'

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
      beforeIterationStart: (context: HookContext) => {
        if (context.turn === context.frame.run?.firstTurn) callbacks.onStart?.(placeOf(context))
      },
    }),
    ...((onPlanning || onToolCallRequest) && { beforeToolExecution: createDecision(callbacks) }),
    ...((onComplete || onError) && { observe: (event: LoomEvent, frame: Frame) => tellEnd(callbacks, event, frame) }),
  }
}

const placeOf = ({ thread, frame }: HookContext): NodePlace => ({ thread, run: frame.run?.id ?? '' })

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
    const asked = Promise.resolve(callbacks.onPlanning?.({ ...placeOf(context), turn: context.turn, calls: plan }))
    const verdict = asked.then((consent) => consent !== false)
    verdicts.set(key, verdict)
    return verdict
  }
  return async (context, call) => {
    if (callbacks.onPlanning && !(await isPlanAllowed(context))) return skip('The plan was not accepted. Make another.')
    const consent = await callbacks.onToolCallRequest?.({ ...placeOf(context), ...call })
    return consent === false ? skip(`The call of ${call.tool} was denied.`) : undefined
  }
}

function tellEnd(callbacks: NodeCallbacks, event: LoomEvent, frame: Frame): void {
  const place = { thread: event.thread, run: event.run ?? '' }
  switch (event.type) {
    case 'run.finished':
      return callbacks.onComplete?.({ ...place, text: replyText(frame) })
    case 'run.failed':
      return callbacks.onError?.({ ...place, error: event.data.error })
    case 'run.stopped':
      return callbacks.onError?.({ ...place, error: { code: 'LOOM_ABORTED', message: event.data.reason, recoverable: false } })
    default:
      return undefined
  }
}
