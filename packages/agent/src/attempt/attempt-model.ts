/**
 * Calling the model: the intent, the call, the reply or the failure.
 *
 * ATTEMPT-1. The model is called when its intent is durable, and not before.
 * ATTEMPT-2. An attempt ends once: with its reply, its failure, or when its grace period is over. What the model does after that is ignored.
 */

import type { Draft, ModelReply, Run } from '@loom-agent/kernel'
import { withheldText } from '../guard/guard.ts'
import { loadedGuarding, loadGuarding } from '../guard/load-guarding.ts'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { readStream, type Streamed, type StreamedReply, stopReading, textRead, textShown, tokensRead } from '../model/read-stream.ts'
import { createReading, type Reading } from '../model/reading.ts'
import type { Reserved } from '../model/reserve.ts'
import { BlockedReply } from '../model/stream-errors.ts'
import { enterUser, readable } from '../platform/call-user.ts'
import { abort, type Cancellation, endWait, limitWait, signalOf } from '../platform/cancellation.ts'
import { elapsedOn } from '../platform/system-clock.ts'
import type { ModelWarning } from '../types/result.ts'
import type { Schema } from '../types/schema.ts'
import type { Signal } from '../types/signal.ts'
import { budgetingOf } from './budgeting.ts'
import { buildRequest } from './build-request.ts'
import { markedRequest } from './marking.ts'
import { type Attempt, abortedFailure, type Failed, failedDraft, recordedReply, requestedDraft } from './model-drafts.ts'
import type { ModelWork } from './model-work.ts'

/** Which attempt of the turn it is, and what cancels it. */
export interface AttemptRequest {
  readonly number: number
  readonly cancellation: Cancellation
}

/** An attempt, from its intent to its end. */
interface OpenAttempt extends Attempt {
  readonly work: ModelWork
  readonly cancellation: Cancellation
  readonly reading: Reading
  /** When the model was called, on the clock that durations are measured with. */
  called: number
  /** What guards said of the reply. */
  readonly guardWarnings: ModelWarning[]
  /** Whether the stream was silent for too long. */
  isIdle: boolean
  isOver: boolean
}

let recording: typeof import('../model/recorded-deltas.ts') | undefined

/** Loads how deltas are recorded, which an agent asks for that records them; undefined when it is loaded. */
export function loadRecording(): Promise<void> | undefined {
  if (recording) return undefined
  return import('../model/recorded-deltas.ts').then((loaded) => {
    recording = loaded
  })
}

/** One attempt: makes its intent durable, calls the model, and puts the outcome into the outbox. Throws only before the intent. */
export function attemptModel(work: ModelWork, { number, cancellation }: AttemptRequest): void {
  const { definition, outbox, channel } = work
  const { frame } = outbox
  const run = frame.run as Run
  const began = definition.ports.clock.now()
  const place = { thread: frame.thread, run: run.id, turn: frame.turn, attempt: number }
  const recorded = definition.options.record?.deltas
    ? recording?.createRecordedDeltas(() => elapsedOn(definition.ports.clock) - attempt.called)
    : undefined
  const reading = createReading({ channel, place, recorded }, definition.behaviour.reply)
  const attempt: OpenAttempt = {
    number,
    frame,
    run,
    began,
    work,
    cancellation,
    reading,
    called: began,
    guardWarnings: [],
    isIdle: false,
    isOver: false,
  }
  const request = markedRequest({ prompt: work.prompt, model: work.context.model }, buildRequest(work, frame, run))
  const reserved: Reserved = budgetingOf(run)?.reserveAttempt(work, attempt, request) ?? { request }
  if ('refusal' in reserved) {
    outbox.put([reserved.refusal], 'intended')
    return work.attemptEnded()
  }
  outbox.put([requestedDraft(work, attempt, reserved)], 'intended', (durable) => {
    if (durable) callModel(attempt, reserved.request)
    else work.attemptEnded()
  })
}

function callModel(attempt: OpenAttempt, request: LanguageModelV4CallOptions): void {
  const { work, cancellation, reading } = attempt
  const { channel, guard, context, definition } = work
  attempt.called = elapsedOn(definition.ports.clock)
  guard.begin(() => {
    attempt.isIdle = true
    abort(cancellation)
  })
  channel.setReply(() => soFar(reading))
  limitWait(cancellation, () => failed(attempt, undefined))
  const streamed = streaming(context.model, request, cancellation)
  const guarded = definition.guards.length > 0 ? guardedStream(attempt, streamed) : streamed
  void readStream(reading, guarded, guard.heard).then(
    (reply) => judged(attempt, reply),
    (error: unknown) => ended(attempt, readable(error)),
  )
}

/** A stream has ended without a reply, for a reason that can be looked at: what models throw may be anything. */
function ended(attempt: OpenAttempt, error: unknown): void {
  if (error instanceof BlockedReply) blocked(attempt, error)
  else failed(attempt, error)
}

/** The stream as guards leave it. Loaded on use: most agents have no guards. */
async function guardedStream({ work, frame, guardWarnings: warnings }: OpenAttempt, streamed: Streamed | Promise<Streamed>): Promise<Streamed> {
  const { definition, guard } = work
  const { guardReply } = loadedGuarding() ?? (await loadGuarding())
  const place = { thread: frame.thread, at: 'output' } as const
  return guardReply({ guards: definition.guards, place, clock: definition.ports.clock, heard: guard.heard, warnings }, streamed)
}

/** A reply that a guard has blocked is one that was filtered: what was shown of it is not what the model said. */
function blocked(attempt: OpenAttempt, { guard, reason }: BlockedReply): void {
  const { reading, run, guardWarnings } = attempt
  stopReading(reading)
  // What an attempt had reserved counts as used where the model did not say what it was.
  const usage = tokensRead(reading) ?? { input: run.sent?.tokens ?? 0, output: 0 }
  guardWarnings.push({ type: 'guard-block', feature: guard, message: reason })
  replied(attempt, { parts: [{ type: 'text', text: withheldText(guard, reason) }], usage, finish: 'content-filter' })
}

/** A reply is the outcome as it is, unless it is an answer that must fit a schema. */
function judged(attempt: OpenAttempt, reply: StreamedReply): void {
  const { output } = attempt.work.definition.options
  try {
    if (output !== undefined && isAnswer(reply)) judgeAnswer(attempt, reply, output)
    else replied(attempt, reply)
  } catch (error) {
    failed(attempt, error)
  }
}

/** Loaded on use: most agents have no output schema. */
function judgeAnswer(attempt: OpenAttempt, reply: StreamedReply, output: Schema): void {
  const judging = import('../model/output.ts').then(({ judgeOutput }) => judgeOutput(output, reply.parts))
  void judging.then(
    (verdict) => replied(attempt, reply, { output: verdict }),
    (error: unknown) => failed(attempt, error),
  )
}

/** The key under which a request knows what cancels it. */
const cancelled = Symbol('cancelled')

/** The signal of a request is made when the model asks for it. All requests share the getter, so that they have one shape. */
const abortSignal: PropertyDescriptor & ThisType<{ readonly [cancelled]: Cancellation }> = {
  enumerable: true,
  get() {
    return signalOf(this[cancelled])
  },
}

/** Calls the model. One that throws at once has failed like one that rejects. */
function streaming(
  model: ModelWork['context']['model'],
  request: LanguageModelV4CallOptions,
  cancellation: Cancellation,
): Streamed | Promise<Streamed> {
  try {
    Object.defineProperty(request, cancelled, { value: cancellation })
    Object.defineProperty(request, 'abortSignal', abortSignal)
    return enterUser(() => model.doStream(request as never) as PromiseLike<Streamed>)
  } catch (error) {
    return Promise.reject(error)
  }
}

const isAnswer = ({ parts }: StreamedReply): boolean => parts.every((part) => part.type !== 'call')

function replied(attempt: OpenAttempt, reply: StreamedReply, verdict?: Pick<ModelReply, 'output'>): void {
  const { work, frame, called, guardWarnings } = attempt
  const ms = elapsedOn(work.definition.ports.clock) - called
  const warnings = guardWarnings.length > 0 ? [...(reply.warnings ?? []), ...guardWarnings] : reply.warnings
  const data = recordedReply(work, frame, { reply: warnings === reply.warnings ? reply : { ...reply, warnings }, ms })
  if (end(attempt)) conclude(attempt, [{ type: 'model.replied', data: verdict ? { ...data, ...verdict } : data }])
}

let judging: typeof import('./judge-attempt.ts') | undefined

/** Loads how failures are judged, which most attempts do not need. Loaded, it is done without a wait: a replay gives a stop the place that it had. */
export async function loadJudging(): Promise<typeof import('./judge-attempt.ts')> {
  judging ??= await import('./judge-attempt.ts')
  return judging
}

/** An attempt that was aborted has failed for no reason of its own: that is recorded at once, because its driver may be about to end. */
function failed(attempt: OpenAttempt, thrown: unknown): void {
  const { work, reading, isIdle, cancellation } = attempt
  if (!end(attempt)) return
  stopReading(reading)
  const read = { partial: textRead(reading), usage: tokensRead(reading) }
  if (cancellation.isAborted && !isIdle) return conclude(attempt, [failedDraft(work, attempt, { ...read, error: abortedFailure })])
  void judge(attempt, { ...read, thrown }).then(
    (drafts) => conclude(attempt, drafts),
    // The code could not be loaded: this driver ends, and the attempt counts as lost.
    (error: unknown) => {
      work.outbox.fail(error)
      work.attemptEnded()
    },
  )
}

async function judge(attempt: OpenAttempt, outcome: Failed & { readonly thrown: unknown }): Promise<readonly Draft[]> {
  const { judgeAttempt } = judging ?? (await loadJudging())
  return judgeAttempt(attempt.work, attempt, outcome)
}

/** Stops waiting for the model; false when the attempt had ended already (ATTEMPT-2). */
function end(attempt: OpenAttempt): boolean {
  if (attempt.isOver) return false
  attempt.isOver = true
  endWait(attempt.cancellation)
  attempt.work.guard.end()
  return true
}

function conclude({ work, number, reading }: OpenAttempt, drafts: readonly Draft[]): void {
  const { recorded } = reading.view
  work.channel.setReply(undefined)
  work.outbox.put(recorded ? [...recorded.drafts(number), ...drafts] : drafts, 'happened')
  work.attemptEnded()
}

function soFar(reading: Reading): Signal | undefined {
  const text = textShown(reading)
  return text === '' ? undefined : { type: 'text-delta', ...reading.view.place, text, isWhole: true }
}
