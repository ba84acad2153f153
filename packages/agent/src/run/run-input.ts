/** What starting a run appends. */
import type { Breakpoint, Draft, Frame, Guarded, Incarnation, JsonObject, Message, ParentLink, RunRequest, StartId, Taint } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import { modelId } from '../model/model.ts'
import { toJson } from '../platform/normalize.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { DriveOptions } from '../thread/drive-thread.ts'
import { completeLimits } from '../types/limits.ts'
import { jsonSchemaOf } from '../types/schema.ts'
import { isChildId, reservedId } from '../types/thread-id.ts'
import { stopIfAborted } from './control-drafts.ts'

/** A run to start, or without messages a thread to go on with. */
export interface StartRequest {
  /** The id of the thread. */
  readonly thread: string
  /** The input; absent where a run goes on. */
  readonly messages?: readonly Message[]
  /** What the caller gives the run. */
  readonly options: RunOptions<never>
  /** There when the caller gave the start an id. */
  readonly start?: StartId | undefined
  /** The call that starts the thread as its child. */
  readonly parent?: ParentLink
  /** What was read before the input was written. */
  readonly taint?: Taint | undefined
  /** What guards said of the input. */
  readonly guarded?: readonly Guarded[]
  /** Why the input is refused, where a guard blocked it. */
  readonly refused?: string
  /** Whether nobody answers questions of the run. */
  readonly unattended?: boolean
  /** This process has a resolver for the run that neither its options nor its agent name. */
  readonly isAttended?: boolean
  /** Which thread of this id is meant, where the caller knows it. */
  readonly incarnation?: Incarnation
  /** The thread's id is new: there is nothing to read. */
  readonly isNew?: boolean
  /** Stops the run instead of going on with it. */
  readonly stop?: Draft | undefined
  /** The breakpoints that a child gets from its parent. */
  readonly breakpoints?: readonly Breakpoint[]
  /** No caller asks: a run that is paused or has failed stays as it is (PAUSE-1). */
  readonly isRecovery?: true
}

/** What a start or a resumption appends, the run it is about, and how the thread is driven then. */
export interface RunInput {
  readonly run: string
  readonly drafts: readonly Draft[]
  /** Undefined: there is nothing to drive. */
  readonly drive: DriveOptions | undefined
  /** The start was made before. */
  readonly isRepeated?: true
}

/** The first run of a thread. A user's run is not on the thread of a child. */
export function firstInput(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput {
  const { definition, runtime } = instance
  const { parent, breakpoints = [] } = request
  if (!parent && isChildId(frame.thread)) throw reservedId(frame.thread)
  const started: Draft = { type: 'thread.started', data: { agent: definition.name, incarnation: runtime.ports.ids(), ...(parent && { parent }) } }
  const stops: readonly Draft[] = breakpoints.length > 0 ? [{ type: 'breakpoints.changed', data: { breakpoints } }] : []
  return inputAtOnce(definition, request, { frame, opening: [started, ...stops] })
}

/** A run that starts at once, after the given facts. */
export function inputAtOnce(definition: Definition, request: StartRequest, at: { frame: Frame; opening: readonly Draft[] }): RunInput {
  const data = newRun(definition, request, at.frame)
  return { run: data.run, drafts: [...at.opening, { type: 'run.started', data }, ...stopsAtStart(request)], drive: {} }
}

/** What stops a run that is about to start: its signal, or a guard that blocked its input. A queued one is named. */
export const stopsAtStart = ({ options, refused }: StartRequest, run?: string): readonly Draft[] =>
  refused === undefined ? stopIfAborted(options, run) : [{ type: 'run.stop-requested', data: { reason: refused, by: 'guards', ...(run && { run }) } }]

/** The next run of a thread, and what it is asked to do. */
export const newRun = (definition: Definition, request: StartRequest, frame: Frame): { readonly run: string; readonly request: RunRequest } => ({
  run: `r${frame.runs + 1}`,
  request: runRequestOf(definition, request, frame),
})

/** The stop that a request asks for, or that its signal does. */
export const stopOf = ({ stop, options }: StartRequest): Draft | undefined => stop ?? stopIfAborted(options)[0]

function runRequestOf(
  definition: Definition,
  { messages = [], options, start, taint, guarded, unattended, isAttended }: StartRequest,
  { fork }: Frame,
): RunRequest {
  const { behaviour, options: own } = definition
  const model = options.model ?? fork?.model ?? own.model
  const settings = { ...own.settings, ...options.settings }
  const attended = isAttended || options.onQuestion || own.onQuestion
  return {
    input: messages,
    agent: { name: definition.name, fingerprint: definition.fingerprint() },
    model: model === undefined ? '' : modelId(model),
    ...(Object.keys(settings).length > 0 && { settings: toJson(settings) as JsonObject }),
    limits: completeLimits({ ...own.limits, ...options.limits }),
    ...(start && { start }),
    ...(options.pin && { pin: true as const }),
    ...(options.permissions && { permissions: toJson(options.permissions) as JsonObject }),
    ...(taint && { taint }),
    ...(guarded && { guarded }),
    ...(options.metadata && { metadata: toJson(options.metadata) as JsonObject }),
    ...(options.deps !== undefined && { needsDeps: true as const }),
    ...((unattended || behaviour.unattended === 'deny') && !attended && { unattended: 'deny' as const }),
    ...demandedEnd(definition),
  }
}

/** How a run of the agent has to end. */
function demandedEnd({ behaviour, options: { output } }: Definition): Pick<RunRequest, 'done' | 'repairs' | 'output'> {
  return {
    ...(behaviour.requireDone !== undefined && { done: behaviour.requireDone }),
    ...(output !== undefined && { repairs: behaviour.repairs, output: jsonSchemaOf(output, 'output') }),
  }
}
