/**
 * A call from its intent to its result: execute and format.
 *
 * CALL-1. A call that is not pure or read has its `tool.started` durable before its body is entered; the others need not wait for it.
 * CALL-2. Hooks never serialise tools: each call proceeds on its own.
 */
import type { Draft, JsonObject, ToolStart } from '@loom-agent/kernel'
import { enterBody } from './body.ts'
import { passAfter } from './call-hooks.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import type { Entered } from './execute.ts'
import { format } from './format.ts'

/** A call that the scheduler has admitted. */
export interface AdmittedCall {
  readonly job: CallJob
  /** Milliseconds that the stages before took. */
  readonly times: JsonObject
  /** Gives the place back; called before the result enters the outbox, so that what is admitted then shares the commit. */
  readonly leave: () => void
}

/** From the intent to the result. Gives the place back whatever happens. */
export function runCall(work: CallWork, admitted: AdmittedCall): void {
  const { job, leave } = admitted
  const intent: readonly Draft[] = [{ type: 'tool.started', data: startOf(work, job) }]
  if (job.tool.effect === 'pure' || job.tool.effect === 'read') {
    work.outbox.put(intent, 'happened')
    return enter(work, admitted)
  }
  work.outbox.put(intent, 'intended', (durable) => (durable ? enter(work, admitted) : leave()))
}

function enter(work: CallWork, admitted: AdmittedCall): void {
  const { clock } = work.definition.ports
  const began = clock.now()
  signal(work, admitted.job, 'tool-start')
  enterBody(work, admitted.job, (entered) => {
    signal(work, admitted.job, 'tool-end')
    finish(work, admitted, { entered, ms: clock.now() - began })
  })
}

function finish(work: CallWork, { job, times, leave }: AdmittedCall, { entered, ms }: { entered: Entered; ms: number }): void {
  const { definition, outbox } = work
  const { call, tool, cancellation } = job
  if (entered.kind === 'facts') {
    leave()
    return outbox.put(entered.drafts, 'happened')
  }
  const outcome = format(entered, { tool: tool.name, effect: tool.effect, limit: definition.behaviour.outputLimit })
  const finished: Draft = { type: 'tool.finished', data: { call: call.id, ...outcome, ...durations(times, ms) } }
  if (definition.hooks.afterToolExecution === undefined) {
    leave()
    return outbox.put([finished], 'happened')
  }
  outbox.put([finished], 'happened', (durable) => (durable ? void passAfter(work, call, cancellation).finally(leave) : leave()))
}

function signal({ channel, outbox: { frame }, context }: CallWork, { call, tool }: CallJob, type: 'tool-start' | 'tool-end'): void {
  if (channel.isViewed()) channel.signal({ type, thread: frame.thread, run: context.run, turn: frame.turn, call: call.id, tool: tool.name })
}

function durations(times: JsonObject, ms: number): { ms?: number; stages?: JsonObject } {
  if (ms > 0) return { ms, stages: { ...times, execute: ms } }
  return Object.keys(times).length > 0 ? { stages: times } : {}
}

function startOf({ definition, outbox }: CallWork, job: CallJob): ToolStart {
  const { call, tool, input, digest, allowedBy } = job
  const keyed = tool.effect === 'idempotent' || tool.effect === 'reconcilable'
  return {
    call: call.id,
    effect: tool.effect,
    ...(tool.definition.durable && { durable: true }),
    ...(keyed && { key: definition.ports.hash(`${outbox.frame.incarnation}/${call.id}`) }),
    ...(digest !== undefined && { digest }),
    ...(input !== call.part.input && { input }),
    ...(allowedBy !== undefined && { allowedBy }),
  }
}
