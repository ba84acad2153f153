/**
 * Calling the model: the intent, the call, the reply or the failure.
 *
 * ATTEMPT-1. The model is called when its intent is durable, and not before.
 * ATTEMPT-2. An attempt ends once: with its reply, its failure, or when its grace period is over. What the model does after that is ignored.
 */

import type { Draft, ModelReply, Run } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { judgeFailure, type ModelFailure } from '../model/failure.ts'
import { modelId } from '../model/model.ts'
import { judgeOutput } from '../model/output.ts'
import { createStreamReader, type PieceListener, type Streamed, type StreamedReply, type StreamReader } from '../model/read-stream.ts'
import { reserve } from '../model/reserve.ts'
import { abort, type Cancellation, endWait, limitWait, signalOf, waitFor } from '../platform/cancellation.ts'
import type { Signal } from '../types/signal.ts'
import { buildRequest } from './build-request.ts'
import { makeRoom } from './make-room.ts'
import { type Attempt, abortedFailure, failedDraft, idleFailure, priceOf, recordedReply, requestedDraft } from './model-drafts.ts'
import type { ModelWork } from './model-work.ts'

/** Which attempt of the turn it is, and what is called when it has ended. */
export interface AttemptRequest {
  readonly number: number
  readonly cancellation: Cancellation
  readonly done: () => void
}

/** An attempt whose intent is durable. */
interface Conversation {
  readonly work: ModelWork
  readonly attempt: Attempt
  readonly cancellation: Cancellation
  readonly done: () => void
  readonly reader: StreamReader
  readonly called: number
  /** Whether the stream was silent for too long. */
  readonly isIdle: () => boolean
  isOver: boolean
}

/** One attempt: makes its intent durable, calls the model, puts the outcome into the outbox, and calls `done` once. Throws only before the intent. */
export function attemptModel(work: ModelWork, { number, cancellation, done }: AttemptRequest): void {
  const { definition, context, prompt, outbox } = work
  const { frame } = outbox
  const run = frame.run as Run
  const attempt: Attempt = { number, frame, run, began: definition.ports.clock.now() }
  const request = buildRequest(work, frame, run)
  const rendered = run.patch?.['keep'] === undefined ? prompt : undefined
  const reserved = reserve({ frame, run, price: (usage) => priceOf(definition, modelId(context.model), usage), rendered }, request)
  if ('refusal' in reserved) {
    outbox.put([reserved.refusal], 'intended')
    return done()
  }
  outbox.put([requestedDraft(work, attempt, reserved)], 'intended', (durable) => {
    if (!durable) return done()
    converse({ work, attempt, cancellation, done }, reserved.request)
  })
}

function converse(opened: Pick<Conversation, 'work' | 'attempt' | 'cancellation' | 'done'>, request: LanguageModelV4CallOptions): void {
  const { work, attempt, cancellation } = opened
  const { channel, guard, context, definition } = work
  const reader = createStreamReader(pieceListener(work, attempt))
  const isIdle = guard.begin(() => abort(cancellation))
  const conversation: Conversation = { ...opened, reader, called: definition.ports.clock.now(), isIdle, isOver: false }
  channel.setReply(() => soFar(attempt, reader))
  limitWait(cancellation, () => failed(conversation, abortedFailure))
  const onError = (error: unknown): void => failed(conversation, failureOf(conversation, error))
  const onReply = (reply: StreamedReply): void => {
    const { output } = definition.options
    try {
      if (output === undefined || !isAnswer(reply)) return replied(conversation, reply)
      void judgeOutput(output, reply.parts).then((verdict) => replied(conversation, reply, { output: verdict }), onError)
    } catch (error) {
      onError(error)
    }
  }
  void reader.read(streaming(context.model, request, cancellation), guard.heard).then(onReply, onError)
}

/** Calls the model; its signal is made when it asks for it. A model that throws at once has failed like one that rejects. */
function streaming(model: ModelWork['context']['model'], request: LanguageModelV4CallOptions, cancellation: Cancellation): PromiseLike<Streamed> {
  try {
    Object.defineProperty(request, 'abortSignal', { enumerable: true, get: () => signalOf(cancellation) })
    return model.doStream(request as never) as PromiseLike<Streamed>
  } catch (error) {
    return Promise.reject(error)
  }
}

const isAnswer = ({ parts }: StreamedReply): boolean => parts.every((part) => part.type !== 'call')

function replied(conversation: Conversation, reply: StreamedReply, verdict?: Pick<ModelReply, 'output'>): void {
  const { work, attempt, called } = conversation
  const ms = work.definition.ports.clock.now() - called
  const data = { ...recordedReply(work, attempt, { reply, ms }), ...verdict }
  if (end(conversation)) conclude(conversation, [{ type: 'model.replied', data }])
}

function failureOf({ work, cancellation, isIdle }: Conversation, error: unknown): ModelFailure {
  if (isIdle()) return idleFailure(work.definition)
  return cancellation.isAborted ? abortedFailure : judgeFailure(error, work.definition.ports.clock.now())
}

function failed(conversation: Conversation, found: ModelFailure): void {
  const { work, attempt, reader, isIdle } = conversation
  if (!end(conversation)) return
  reader.close()
  const failure = isIdle() ? idleFailure(work.definition) : found
  const record = (room: readonly Draft[] | undefined): void => {
    const outcome = { failed: failure, partial: reader.text(), usage: reader.spent(), room }
    conclude(conversation, [failedDraft(work, attempt, outcome), ...(room ?? [])])
  }
  // The request is made shorter once: when the shorter one is refused too, the run fails.
  const { code } = failure.failure
  if (code !== 'LOOM_MODEL_CONTEXT_LENGTH' || attempt.run.error?.code === code) return record(undefined)
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

function conclude({ work, done }: Conversation, drafts: readonly Draft[]): void {
  work.channel.setReply(undefined)
  work.outbox.put(drafts, 'happened')
  done()
}

/** Emits the pieces of a reply as signals while the thread is viewed. */
function pieceListener({ channel }: ModelWork, { frame, run, number }: Attempt): PieceListener {
  const place = { thread: frame.thread, run: run.id, turn: frame.turn, attempt: number }
  return {
    text(kind, phase, text) {
      if (!channel.isViewed()) return
      channel.signal(phase === 'delta' ? { type: `${kind}-delta`, ...place, text } : { type: `${kind}-${phase}`, ...place })
    },
    input(phase, id, text) {
      if (!channel.isViewed()) return
      if (phase === 'start') channel.signal({ type: 'input-start', ...place, id, tool: text })
      else channel.signal(phase === 'delta' ? { type: 'input-delta', ...place, id, text } : { type: 'input-end', ...place, id })
    },
  }
}

function soFar({ frame, run, number }: Attempt, reader: StreamReader): Signal | undefined {
  const text = reader.text()
  return text === '' ? undefined : { type: 'text-delta', thread: frame.thread, run: run.id, turn: frame.turn, attempt: number, text }
}
