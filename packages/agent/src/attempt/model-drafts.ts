/** What an attempt records: its intent, its reply or its failure. */
import type { CallPart, Draft, EventData, Failure, Frame, JsonObject, ModelReply, Run, Usage } from '@loom-agent/kernel'
import { modelId } from '../model/model.ts'
import { priceOf } from '../model/price.ts'
import type { StreamedReply } from '../model/read-stream.ts'
import type { Reserved } from '../model/reserve.ts'
import type { ScheduledFailure } from '../model/retrying.ts'
import { unwrap, wireSchemaOf } from '../model/wire-schema.ts'
import type { ModelWork } from './model-work.ts'

/** An attempt at one turn's model call. */
export interface Attempt {
  readonly number: number
  /** The thread and the run when the attempt was started. */
  readonly frame: Frame
  readonly run: Run
  readonly began: number
}

/** What is filled in field by field: every turn makes one, and most fields are absent. */
type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The intent: which model, and a digest of what it is sent. */
export function requestedDraft(
  { context, prompt }: ModelWork,
  { run, number }: Attempt,
  { reserved }: Extract<Reserved, { request: unknown }>,
): Draft {
  const id = modelId(context.model)
  const data: Writable<EventData['model.requested']> = { attempt: number, digest: prompt.digest() }
  if (id !== run.request.model) data.model = id
  if (reserved) data.reserved = reserved
  return { type: 'model.requested', data }
}

/** What is known of an attempt that failed, beside why. */
export interface Failed {
  /** The text that was read before. */
  readonly partial: string
  readonly usage: Usage | undefined
}

/** The failure of an attempt. */
export function failedDraft({ definition, context }: ModelWork, { number }: Attempt, failed: Failed & ScheduledFailure): Draft {
  const { partial, usage, error, retryAt } = failed
  const cost = usage && priceOf(definition, modelId(context.model), usage)
  return {
    type: 'model.failed',
    data: {
      attempt: number,
      error,
      ...(retryAt !== undefined && { retryAt }),
      ...(partial !== '' && { partial }),
      ...(usage && { usage }),
      ...(cost !== undefined && { cost }),
    },
  }
}

/** The failure of an attempt that was aborted. */
export const abortedFailure: Failure = { code: 'LOOM_ABORTED', message: 'The call of the model was aborted.', recoverable: false }

/** The reply as it is recorded. */
export function recordedReply(work: ModelWork, frame: Frame, { reply, ms }: { reply: StreamedReply; ms: number }): ModelReply {
  const { definition, context } = work
  const actual = actualModelIn(reply.meta)
  const model = actual ?? (reply.model === context.model.modelId ? undefined : reply.model)
  const cost = priceOf(definition, actual ?? modelId(context.model), reply.usage)
  const parts = reply.parts.map((part) => (part.type === 'call' ? recordedCall(work, frame, part) : part))
  const recorded: Writable<ModelReply> = { parts, usage: reply.usage, finish: reply.finish }
  if (cost !== undefined) recorded.cost = cost
  if (model !== undefined) recorded.model = model
  if (ms > 0) recorded.ms = ms
  if (reply.meta) recorded.meta = reply.meta
  if (reply.warnings) recorded.warnings = reply.warnings
  return recorded
}

/** The model that replied, where the agent's model stands for several. */
function actualModelIn(meta: JsonObject | undefined): string | undefined {
  const { model } = (meta?.['loom'] ?? {}) as { model?: unknown }
  return typeof model === 'string' ? model : undefined
}

/** A call as it is recorded. A call of an unknown tool gets an error at once; there is nothing to keep in order. */
function recordedCall({ context }: ModelWork, { context: shown }: Frame, part: CallPart): CallPart {
  const ready = context.toolbox.tools.get(part.name)
  const spec = ready && shown.tools === context.toolbox.specs ? ready.spec : shown.tools.find(({ name }) => name === part.name)
  const isWrapped = spec !== undefined && wireSchemaOf(spec.schema).isWrapped
  if (!isWrapped && !ready?.serial) return part
  return { ...part, ...(isWrapped && { input: unwrap(part.input) }), ...(ready?.serial && { serial: true as const }) }
}
