/** Hooks in the form of the original Python project: a frame first, and exceptions that interrupt a run or skip a call. */
import { type CallPart, type Frame, type HookPoint, type Part, textOf } from '@loom-agent/kernel'
import { type ContextPatch, type Hook, type HookContext, type RunPatch, type Skipped, type Suspended, skip, suspend } from '../hook/hook.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import type { ToolCall, ToolResult } from './events/agent-event.ts'
import { callsOf, toolResultOf } from './events/tool-result.ts'

/** Stops the run until there is an answer. Thrown by a lifecycle hook, or returned by any hook: it is the value of `suspend(reason)`. */
export class InterruptException extends Error implements Suspended {
  /** Always `InterruptException`. */
  override readonly name: string = 'InterruptException'
  readonly kind = 'suspend'
  /** The question that the run waits with. */
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** Leaves a call out. Thrown by a lifecycle hook, or returned by any hook before a call: it is the value of `skip(reason)`. */
export class SkipToolException extends Error implements Skipped {
  /** Always `SkipToolException`. */
  override readonly name: string = 'SkipToolException'
  readonly kind = 'skip'
  /** Why the call is skipped; shown to the model. */
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

type Returned<T> = T | undefined | void | Promise<T | undefined | void>

/** A hook of the original Python project: any of the nine methods. What a method returns replaces, `undefined` leaves. */
export interface LifecycleHook {
  /** Its name in events and errors; default `lifecycle hook`. */
  readonly name?: string
  /** Before a turn is entered. */
  beforeIterationStart?(frame: Frame): Returned<RunPatch>
  /** Before the context is assembled. */
  beforeContextAssembly?(frame: Frame): Returned<RunPatch>
  /** After the context is assembled; may change the instructions. */
  afterContextAssembly?(frame: Frame, snapshot: { readonly instructions: string; readonly tools: readonly string[] }): Returned<ContextPatch>
  /** Before a request is sent; may replace its messages. */
  beforeLlmCall?(frame: Frame, messages: readonly LanguageModelV4Message[]): Returned<readonly LanguageModelV4Message[]>
  /** After the reply; may replace its text and its calls. */
  afterLlmResponse?(
    frame: Frame,
    response: string,
    toolCalls: readonly ToolCall[],
  ): Returned<{ readonly response?: string; readonly toolCalls?: readonly ToolCall[] }>
  /** Before a call runs. Only the arguments may change: a call keeps its name and its id. */
  beforeToolExecution?(frame: Frame, toolCall: ToolCall): Returned<ToolCall>
  /** After a call ended; may replace its result. */
  afterToolExecution?(frame: Frame, toolResult: ToolResult): Returned<Pick<ToolResult, 'content' | 'isError'>>
  /** Before the next turn. */
  beforeRecursion?(frame: Frame, next: { readonly turn: number }): Returned<RunPatch>
  /** After a turn has ended. */
  afterIterationEnd?(frame: Frame): Returned<RunPatch>
}

/** Makes a hook of Loom's of a lifecycle hook. */
export function lifecycleHook(given: LifecycleHook): Hook {
  const hook: Required<Pick<Hook, HookPoint>> = {
    beforeIterationStart: (context) => guarded(context, () => given.beforeIterationStart?.(context.frame)),
    beforeContextAssembly: (context) => guarded(context, () => given.beforeContextAssembly?.(context.frame)),
    afterContextAssembly: (context, assembled) => guarded(context, () => given.afterContextAssembly?.(context.frame, assembled)),
    beforeModelCall: (context, { messages }) =>
      guarded(context, async () => {
        const changed = await given.beforeLlmCall?.(context.frame, messages)
        return changed && { messages: changed }
      }),
    afterModelReply: (context, { parts }) =>
      guarded(context, async () => {
        const toolCalls = callsOf(parts, context.turn)
        const changed = await given.afterLlmResponse?.(context.frame, textOf(parts), toolCalls)
        return changed && { parts: partsOf(parts, context.turn, { toolCalls, ...changed }) }
      }),
    beforeToolExecution: (context, { id, tool: name, input }) =>
      orSkip(context, async () => {
        const changed = await given.beforeToolExecution?.(context.frame, { id, name, arguments: input })
        return changed && { input: changed.arguments }
      }),
    afterToolExecution: (context, { id, tool: name, status, output, errorType, ms }) =>
      guarded(context, async () => {
        const outcome = { status, output, ...(errorType !== undefined && { errorType }), ...(ms !== undefined && { ms }) }
        const changed = await given.afterToolExecution?.(context.frame, toolResultOf({ id, name }, outcome))
        if (!changed) return undefined
        const { content: value, isError } = changed
        return { output: { type: isError ? 'error' : 'text', value }, status: isError ? 'error' : 'success' } as const
      }),
    beforeRecursion: (context, next) => guarded(context, () => given.beforeRecursion?.(context.frame, next)),
    afterIterationEnd: (context) => guarded(context, () => given.afterIterationEnd?.(context.frame)),
  }
  const used = Object.entries(hook).filter(([point]) => given[originalName(point)] !== undefined)
  return { name: given.name ?? 'lifecycle hook', ...Object.fromEntries(used) }
}

/** The name of a point in the original Python project. */
function originalName(point: string): keyof LifecycleHook {
  const renamed: { readonly [point: string]: keyof LifecycleHook } = { beforeModelCall: 'beforeLlmCall', afterModelReply: 'afterLlmResponse' }
  return renamed[point] ?? (point as keyof LifecycleHook)
}

/** What a method returned. An interruption suspends the run once; approved, the run goes on, and rejected, it fails with the reason. */
async function guarded<T>(context: HookContext, call: () => Returned<T>): Promise<T | Suspended | undefined> {
  try {
    return (await call()) ?? undefined
  } catch (thrown) {
    if (!(thrown instanceof InterruptException)) throw thrown
    if (!context.answer) return suspend(thrown.reason)
    if (context.answer.kind === 'reject') throw new Error(context.answer.reason ?? `Rejected: ${thrown.reason}`)
    return undefined
  }
}

/** Before a call an exception may skip it, and a rejection does. */
async function orSkip<T>(context: HookContext, call: () => Returned<T>): Promise<T | Suspended | Skipped | undefined> {
  if (context.answer?.kind === 'reject') return skip(context.answer.reason ?? 'A human rejected it.')
  try {
    return await guarded(context, call)
  } catch (thrown) {
    if (thrown instanceof SkipToolException) return skip(thrown.reason)
    throw thrown
  }
}

/** A reply with another text or other calls; everything else of it stays as it was. */
function partsOf(parts: readonly Part[], turn: number, changed: { response?: string; toolCalls: readonly ToolCall[] }): readonly Part[] {
  const { response = textOf(parts), toolCalls } = changed
  const proposed = parts.filter((part) => part.type === 'call')
  const former = new Map(callsOf(parts, turn).map(({ id }, index) => [id, proposed[index]]))
  const calls = toolCalls.map(({ id, name, arguments: input }): CallPart => ({ ...(former.get(id) ?? { type: 'call', id: '' }), name, input }))
  const rest = parts.filter((part) => part.type !== 'text' && part.type !== 'call')
  return [...rest, ...(response === '' ? [] : [{ type: 'text', text: response } as const]), ...calls]
}
