/** The hooks of the original Python project, over Loom's own. */
import { humanApproval } from '../hook/built-in/human-approval.ts'
import { type LoggingOptions, loggingHook } from '../hook/built-in/logging-hook.ts'
import { type MetricsHook as Metering, metricsHook } from '../hook/built-in/metrics-hook.ts'
import type { ObservingHook } from '../hook/built-in/observing-hook.ts'
import { type Hook, type HookContext, type ProposedCall, skip } from '../hook/hook.ts'

/** Asks a user whether a call may run; a promise is waited for. */
export type AskUser = (message: string, call: ProposedCall) => boolean | Promise<boolean>

/**
 * A human in the loop: the named tools run only when a user allows it.
 *
 * With a callback the user is asked here and now; without one the question is durable and anybody may answer it, from any process.
 */
export class HITLHook implements Hook {
  /** Its name in events and errors. */
  readonly name: string = 'HITLHook'
  /** Asks about the named tools. */
  readonly beforeToolExecution: NonNullable<Hook['beforeToolExecution']>
  constructor(dangerousTools: readonly string[], askUserCallback?: AskUser) {
    const durable = humanApproval({ tools: dangerousTools })
    this.beforeToolExecution = async (context: HookContext, call: ProposedCall) => {
      if (!askUserCallback) return durable.beforeToolExecution?.(context, call)
      if (!dangerousTools.includes(call.tool)) return undefined
      const isAllowed = await askUserCallback(`Allow ${call.tool} with args ${JSON.stringify(call.input)}?`, call)
      return isAllowed ? undefined : skip('The user did not allow it.')
    }
  }
}

/** Writes a line for what happens. */
export class LoggingHook implements ObservingHook {
  /** Its name in events and errors. */
  readonly name: string = 'LoggingHook'
  /** Writes a line about an event. */
  readonly observe: ObservingHook['observe']
  constructor(options: LoggingOptions = {}) {
    this.observe = loggingHook(options).observe
  }
}

/** Counts turns, model calls, tool calls and errors. */
export class MetricsHook implements ObservingHook {
  /** Its name in events and errors. */
  readonly name: string = 'MetricsHook'
  /** Counts an event. */
  readonly observe: ObservingHook['observe']
  readonly #metering: Metering
  constructor() {
    this.#metering = metricsHook()
    this.observe = this.#metering.observe
  }
  /** What was counted so far. */
  getMetrics(): { readonly iterations: number; readonly llmCalls: number; readonly toolExecutions: number; readonly errors: number } {
    const { turns, modelCalls, toolCalls, errors } = this.#metering.metrics()
    return { iterations: turns, llmCalls: modelCalls, toolExecutions: toolCalls, errors }
  }
}
