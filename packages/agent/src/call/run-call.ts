/**
 * A call from its intent to its result: execute and format.
 *
 * CALL-1. A call that is not pure or read has its `tool.started` durable before its body is entered; the others need not wait for it.
 * CALL-2. Hooks never serialise tools: each call proceeds on its own.
 * CALL-3. Where the lease may have expired, no body and no step is entered: the driver ends as when it is fenced, and the next driver decides.
 * CALL-4. A body that waits for something is entered again only after its `tool.started` is durable: what wakes it and was stored before counts as seen.
 */

import type { Draft, ToolStart } from '@loom-agent/kernel'
import { kindsIn } from '../permission/matcher.ts'
import { elapsedOn } from '../platform/system-clock.ts'
import { keepThrown, logThrown } from '../platform/thrown.ts'
import { isHarmless, isKeyed } from '../types/effect-class.ts'
import { notesOf } from '../types/noted.ts'
import { enterBody } from './body.ts'
import type { CallJob } from './call-job.ts'
import type { CallHookPoints, CallWork } from './call-work.ts'
import type { Entered } from './execute.ts'
import { type FormatOptions, type Formatted, format } from './format.ts'
import { guardEnded } from './guard-result.ts'
import { mayEnter } from './may-enter.ts'
import { broughtBy } from './taint.ts'

/** Gives the place back; called before the result enters the outbox, so that what is admitted then shares the commit. */
type Leave = () => void

/** From the intent to the result of a call that the scheduler has admitted. Gives the place back whatever happens. */
export function runCall(work: CallWork, job: CallJob, leave: Leave): void {
  const intent: readonly Draft[] = [{ type: 'tool.started', data: startOf(work, job) }]
  if (isHarmless(job.tool.effect) && job.call.open.length === 0) {
    work.outbox.put(intent, 'happened')
    return enter(work, job, leave)
  }
  work.outbox.put(intent, 'intended', (durable) => (durable ? enter(work, job, leave) : leave()))
}

function enter(work: CallWork, job: CallJob, leave: Leave): void {
  if (!mayEnter(work)) return leave()
  const { clock } = work.definition.ports
  const began = elapsedOn(clock)
  signal(work, job, 'tool-start')
  enterBody(work, job, (entered) => {
    signal(work, job, 'tool-end')
    if (entered.kind === 'facts') {
      leave()
      return work.outbox.put(entered.drafts, 'happened')
    }
    const ended = { entered, ms: elapsedOn(clock) - began, leave }
    if (work.definition.guards.length === 0) return finish(work, job, ended)
    void guardEnded(work, job, entered).then(
      (left) => finish(work, job, { ...ended, entered: left }),
      (error: unknown) => work.outbox.fail(error),
    )
  })
}

/** How a body ended, after how many milliseconds. */
interface Finished {
  readonly entered: Exclude<Entered, { kind: 'facts' }>
  readonly ms: number
  readonly leave: Leave
}

function finish(work: CallWork, job: CallJob, { entered, ms, leave }: Finished): void {
  const { call, tool, times } = job
  const { definition, outbox, hookPoints } = work
  const { outcome, facts, blobs }: Formatted = entered.kind === 'in-doubt' ? { outcome: entered.outcome } : format(entered, formattingOf(work, job))
  const error = errorIn(entered)
  // Anything may be thrown, `undefined` too.
  if (error !== undefined || entered.kind === 'threw') {
    keepThrown(outcome.output, error)
    logThrown(definition.ports, `The tool ${tool.name} failed in call ${call.id} of the thread ${outbox.frame.thread}:`, error)
  }
  const stages = ms > 0 ? { ...times, execute: ms } : times
  const timed = stages ? { ...(ms > 0 && { ms }), stages } : undefined
  const taint = broughtBy(job, outputOf(entered))
  const ended = { call: call.id, ...outcome, ...facts, ...timed, ...(taint && { taint }) }
  const finished: readonly Draft[] = [{ type: 'tool.finished', data: ended, blobs }]
  if (hookPoints && definition.hooks.afterToolExecution !== undefined) return passAfter(work, job, { hookPoints, finished, leave })
  leave()
  outbox.put(finished, 'happened')
}

/** What is recorded of a call with hooks after it. */
interface Hooked {
  readonly hookPoints: CallHookPoints
  readonly finished: readonly Draft[]
  readonly leave: Leave
}

/** Records the result, then calls the hooks after the call. */
function passAfter(work: CallWork, { call, cancellation }: CallJob, { hookPoints, finished, leave }: Hooked): void {
  work.outbox.put(finished, 'happened', (durable) => (durable ? void hookPoints.passAfter(work, call, cancellation).finally(leave) : leave()))
}

function formattingOf({ definition, context, outbox }: CallWork, job: CallJob): FormatOptions {
  const more = context.toolbox.readsMore ? job.call.id : undefined
  return { tool: job.tool.name, behaviour: definition.behaviour, more, body: { job, outbox } }
}

/** What the body threw, or returned as an error. */
function errorIn(entered: Finished['entered']): unknown {
  if (entered.kind === 'threw') return entered.error
  const value = outputOf(entered)
  return value instanceof Error ? value : undefined
}

/** What the body returned, without notes on it. */
const outputOf = (entered: Finished['entered']): unknown =>
  entered.kind === 'returned' ? (notesOf(entered.value)?.value ?? entered.value) : undefined

function signal({ channel, outbox: { frame }, context }: CallWork, { call, tool }: CallJob, type: 'tool-start' | 'tool-end'): void {
  if (channel.isViewed()) channel.signal({ type, thread: frame.thread, run: context.run, turn: frame.turn, call: call.id, tool: tool.name })
}

function startOf({ definition, outbox, runCalls }: CallWork, job: CallJob): ToolStart {
  const { call, tool, input, digest, allowedBy, taint = call.start?.taint } = job
  const start: { -readonly [K in keyof ToolStart]: ToolStart[K] } = { call: call.id, effect: tool.effect }
  if (tool.definition.durable) start.durable = true
  if (isKeyed(tool.effect)) start.key = definition.ports.hash(`${outbox.frame.incarnation}/${call.id}`)
  if (digest !== undefined) start.digest = digest
  if (input !== call.part.input) start.input = input
  if (runCalls) Object.assign(start, runCalls.judged(job.value, input))
  if (allowedBy !== undefined) start.allowedBy = allowedBy
  if (taint) start.taint = taint
  const kinds = kindsIn(job.value, tool.definition.matcher)
  if (kinds) start.kinds = kinds
  return start
}
