/**
 * Calling the model: the intent, the call, the reply or the failure.
 *
 * ATTEMPT-1. The model is called when its intent is durable, and not before.
 * ATTEMPT-2. An attempt ends once: with its reply, its failure, or when its grace period is over. What the model does after that is ignored.
 */

import type { Draft, ModelReply, Run, Usage } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { isBudgeted } from '../model/budget.ts'
import { judgeFailure, type ModelFailure } from '../model/failure.ts'
import { modelId } from '../model/model.ts'
import { judgeOutput } from '../model/output.ts'
import {
  createReading,
  type Reading,
  readStream,
  type Streamed,
  type StreamedReply,
  stopReading,
  textRead,
  textShown,
  tokensRead,
} from '../model/read-stream.ts'
import { createRecordedDeltas } from '../model/recorded-deltas.ts'
import { type Reserved, reserve } from '../model/reserve.ts'
import { abort, type Cancellation, endWait, limitWait, signalOf, waitFor } from '../platform/cancellation.ts'
import { elapsedOn } from '../platform/system-clock.ts'
import { keepThrown } from '../platform/thrown.ts'
import type { Signal } from '../types/signal.ts'
import { buildRequest } from './build-request.ts'
import { makeRoom } from './make-room.ts'
import { type Attempt, abortedFailure, failedDraft, idleFailure, recordedReply, requestedDraft, streamedDrafts } from './model-drafts.ts'
import type { ModelWork } from './model-work.ts'
import { highestPrice, priceOf, requirePrices } from './price.ts'

/** Which attempt of the turn it is, and what cancels it. */
export interface AttemptRequest {
  readonly number: number
  readonly cancellation: Cancellation
}

/** An attempt, from its intent to its end. */
interface Conversation extends Attempt {
  readonly work: ModelWork
  readonly cancellation: Cancellation
  readonly reading: Reading
  /** When the model was called, on the clock that durations are measured with. */
  called: number
  /** Whether the stream was silent for too long. */
  isIdle: boolean
  isOver: boolean
}

/** One attempt: makes its intent durable, calls the model, and puts the outcome into the outbox. Throws only before the intent. */
export function attemptModel(work: ModelWork, { number, cancellation }: AttemptRequest): void {
  const { definition, outbox, channel } = work
  const { frame } = outbox
  const run = frame.run as Run
  const began = definition.ports.clock.now()
  const place = { thread: frame.thread, run: run.id, turn: frame.turn, attempt: number }
  const elapsed = (): number => elapsedOn(definition.ports.clock) - conversation.called
  const reading = createReading({ channel, place, recorded: definition.options.record?.deltas ? createRecordedDeltas(elapsed) : undefined })
  const conversation: Conversation = { number, frame, run, began, work, cancellation, reading, called: began, isIdle: false, isOver: false }
  requirePrices(work, frame, run)
  const request = buildRequest(work, frame, run)
  const reserved = isBudgeted(run) ? reserveFor(work, conversation, request) : { request }
  if ('refusal' in reserved) {
    outbox.put([reserved.refusal], 'intended')
    return work.attemptEnded()
  }
  outbox.put([requestedDraft(work, conversation, reserved)], 'intended', (durable) => {
    if (durable) converse(conversation, reserved.request)
    else work.attemptEnded()
  })
}

function reserveFor({ definition, context, prompt }: ModelWork, { frame, run }: Attempt, request: LanguageModelV4CallOptions): Reserved {
  const rendered = run.patch?.['keep'] === undefined ? prompt : undefined
  const price = (usage: Usage): number | undefined => highestPrice((id) => priceOf(definition, id, usage), modelId(context.model))
  return reserve({ frame, run, price, rendered }, request)
}

function converse(conversation: Conversation, request: LanguageModelV4CallOptions): void {
  const { work, cancellation, reading } = conversation
  const { channel, guard, context, definition } = work
  conversation.called = elapsedOn(definition.ports.clock)
  guard.begin(() => {
    conversation.isIdle = true
    abort(cancellation)
  })
  channel.setReply(() => soFar(reading))
  limitWait(cancellation, () => failed(conversation, abortedFailure))
  void readStream(reading, streaming(context.model, request, cancellation), guard.heard).then(
    (reply) => judged(conversation, reply),
    (error: unknown) => failed(conversation, failureOf(conversation, error)),
  )
}

/** A reply is the outcome as it is, unless it is an answer that must fit a schema. */
function judged(conversation: Conversation, reply: StreamedReply): void {
  const { output } = conversation.work.definition.options
  const onError = (error: unknown): void => failed(conversation, failureOf(conversation, error))
  try {
    if (output === undefined || !isAnswer(reply)) return replied(conversation, reply)
    void judgeOutput(output, reply.parts).then((verdict) => replied(conversation, reply, { output: verdict }), onError)
  } catch (error) {
    onError(error)
  }
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
function streaming(model: ModelWork['context']['model'], request: LanguageModelV4CallOptions, cancellation: Cancellation): PromiseLike<Streamed> {
  try {
    Object.defineProperty(request, cancelled, { value: cancellation })
    Object.defineProperty(request, 'abortSignal', abortSignal)
    return model.doStream(request as never) as PromiseLike<Streamed>
  } catch (error) {
    return Promise.reject(error)
  }
}

const isAnswer = ({ parts }: StreamedReply): boolean => parts.every((part) => part.type !== 'call')

function replied(conversation: Conversation, reply: StreamedReply, verdict?: Pick<ModelReply, 'output'>): void {
  const { work, frame, called } = conversation
  const ms = elapsedOn(work.definition.ports.clock) - called
  const data = recordedReply(work, frame, { reply, ms })
  if (end(conversation)) conclude(conversation, [{ type: 'model.replied', data: verdict ? { ...data, ...verdict } : data }])
}

function failureOf({ work, cancellation, isIdle }: Conversation, error: unknown): ModelFailure {
  if (isIdle) return idleFailure(work.definition)
  if (cancellation.isAborted) return abortedFailure
  const judged = judgeFailure(error, work.definition.ports.clock.now())
  keepThrown(judged.failure, error)
  return judged
}

function failed(conversation: Conversation, found: ModelFailure): void {
  const { work, run, reading, isIdle } = conversation
  if (!end(conversation)) return
  stopReading(reading)
  const failure = isIdle ? idleFailure(work.definition) : found
  const record = (room: readonly Draft[] | undefined): void => {
    const outcome = { failed: failure, partial: textRead(reading), usage: tokensRead(reading), room }
    conclude(conversation, [failedDraft(work, conversation, outcome), ...(room ?? [])])
  }
  // The request is made shorter once: when the shorter one is refused too, the run fails.
  const { code } = failure.failure
  if (code !== 'LOOM_MODEL_CONTEXT_LENGTH' || run.error?.code === code) return record(undefined)
  void waitFor(conversation.cancellation, makeRoom(work, conversation.cancellation)).then(record, () => record(undefined))
}

/** Stops waiting for the model; false when the attempt had ended already (ATTEMPT-2). */
function end(conversation: Conversation): boolean {
  if (conversation.isOver) return false
  conversation.isOver = true
  endWait(conversation.cancellation)
  conversation.work.guard.end()
  return true
}

function conclude({ work, number, reading }: Conversation, drafts: readonly Draft[]): void {
  const { recorded } = reading.view
  work.channel.setReply(undefined)
  work.outbox.put(recorded ? [...streamedDrafts(number, recorded), ...drafts] : drafts, 'happened')
  work.attemptEnded()
}

function soFar(reading: Reading): Signal | undefined {
  const text = textShown(reading)
  return text === '' ? undefined : { type: 'text-delta', ...reading.view.place, text }
}
