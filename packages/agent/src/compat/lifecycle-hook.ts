/** Hooks in the form of the original Python project: a frame first, and exceptions that interrupt a run or skip a call. */
import type { CallPart, Frame, Part } from '@loom-agent/kernel'
import {
  type ContextPatch,
  type Hook,
  type HookContext,
  markDecision,
  type RunPatch,
  type Skipped,
  type Suspended,
  skip,
  suspend,
} from '../hook/hook.ts'
import { type HookPoint, hookPoints } from '../hook/points.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { textOf } from '../types/text-of.ts'
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
    markDecision(this)
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
    markDecision(this)
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
  const adapted: Required<Pick<Hook, HookPoint>> = {
    beforeIterationStart: ({ frame }) => given.beforeIterationStart?.(frame),
    beforeContextAssembly: ({ frame }) => given.beforeContextAssembly?.(frame),
    afterContextAssembly: ({ frame }, assembled) => given.afterContextAssembly?.(frame, assembled),
    async beforeModelCall({ frame }, { messages }) {
      const changed = await given.beforeLlmCall?.(frame, messages)
      return changed && { messages: changed }
    },
    async afterModelReply({ frame, turn }, { parts }) {
      const toolCalls = callsOf(parts, turn)
      const changed = await given.afterLlmResponse?.(frame, textOf(parts), toolCalls)
      return changed && { parts: partsOf(parts, turn, { toolCalls, ...changed }) }
    },
    async beforeToolExecution({ frame }, { id, tool: name, input }) {
      const changed = await given.beforeToolExecution?.(frame, { id, name, arguments: input })
      return changed && { input: changed.arguments }
    },
    async afterToolExecution({ frame }, { id, tool: name, status, output, errorType, ms }) {
      const outcome = { status, output, ...(errorType !== undefined && { errorType }), ...(ms !== undefined && { ms }) }
      const changed = await given.afterToolExecution?.(frame, toolResultOf({ id, name }, outcome))
      if (!changed) return undefined
      const { content: value, isError } = changed
      return { output: { type: isError ? 'error' : 'text', value }, status: isError ? 'error' : 'success' }
    },
    beforeRecursion: ({ frame }, next) => given.beforeRecursion?.(frame, next),
    afterIterationEnd: ({ frame }) => given.afterIterationEnd?.(frame),
  }
  const originalNames: Partial<Record<HookPoint, keyof LifecycleHook>> = { beforeModelCall: 'beforeLlmCall', afterModelReply: 'afterLlmResponse' }
  const used = hookPoints.filter((point) => given[originalNames[point] ?? (point as keyof LifecycleHook)] !== undefined)
  const guards = used.map((point) => {
    const call = adapted[point] as (context: HookContext, subject: unknown) => unknown
    return [point, (context: HookContext, subject: unknown) => guarded(context, point, () => call(context, subject))]
  })
  return { name: given.name ?? 'lifecycle hook', ...Object.fromEntries(guards) }
}

/**
 * What a method returned. An interruption suspends the run once; approved, the run goes on, and rejected, it fails with the reason.
 * Before a call an exception may skip it, and a rejection does.
 */
async function guarded({ answer }: HookContext, point: HookPoint, call: () => unknown): Promise<unknown> {
  const isCall = point === 'beforeToolExecution'
  if (isCall && answer?.kind === 'reject') return skip(answer.reason ?? 'A human rejected it.')
  try {
    return await call()
  } catch (thrown) {
    if (isCall && thrown instanceof SkipToolException) return skip(thrown.reason)
    if (!(thrown instanceof InterruptException)) throw thrown
    if (!answer) return suspend(thrown.reason)
    if (answer.kind === 'reject') throw new Error(answer.reason ?? `Rejected: ${thrown.reason}`)
    return undefined
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
