/** Calling the model: the request, the attempt, its reply or its failure. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import {
  type CallPart,
  type Desk,
  type Draft,
  type Frame,
  failureOf,
  type JsonObject,
  LoomError,
  type ModelReply,
  type Run,
  type Usage,
} from '@loom-agent/kernel'
import type { Prompt } from '../context/prompt.ts'
import type { Definition } from '../definition.ts'
import type { Leash } from '../platform/leash.ts'
import type { Hub } from '../run/hub.ts'
import type { RunContext } from '../run/run-context.ts'
import { judgeFailure, type ModelFailure } from './failure.ts'
import type { IdleGuard } from './idle-guard.ts'
import { type ModelSettings, modelId, type StreamPart } from './model.ts'
import { judgeOutput } from './output.ts'
import { createStreamReader, type Listener, type ReadReply, type StreamReader } from './read-stream.ts'
import { formatOf, maxOutputTokens, wireToolsOf, withoutThinking } from './request.ts'
import { applyRequestPatch } from './request-patch.ts'
import { unwrap, wireSchemaOf } from './wire-schema.ts'

/** What a model call is made with. */
export interface ModelScene {
  readonly definition: Definition
  readonly context: RunContext
  readonly prompt: Prompt
  readonly hub: Hub
  readonly lineage: readonly string[]
  readonly guard: IdleGuard
}

interface Attempt {
  readonly number: number
  readonly leash: Leash
}

interface Conversation {
  readonly frame: Frame
  readonly run: Run
  readonly attempt: Attempt
}

/** One attempt: asks for its intent to be durable, calls, and puts the outcome on the desk. Must not reject. */
export async function attemptModel(scene: ModelScene, desk: Desk, attempt: Attempt): Promise<void> {
  const { definition, hub, guard } = scene
  const { frame } = desk
  const conversation: Conversation = { frame, run: frame.run as Run, attempt }
  const request = buildRequest(scene, frame, conversation.run)
  if (!(await desk.append([requested(scene, conversation, request)], 'intended'))) return
  const { clock } = definition.ports
  const { leash } = attempt
  const reader = createStreamReader(listenerOf(scene, conversation))
  const began = clock.now()
  const isIdle = guard.begin(() => leash.abort())
  hub.reply(frame.thread, () => soFar(conversation, reader))
  try {
    const reply = await leash.hold(converse(scene, reader, { ...request, abortSignal: leash.signal }))
    desk.put([{ type: 'model.replied', data: { ...replyOf(scene, conversation, { reply, ms: clock.now() - began }), ...reply.verdict } }], 'happened')
  } catch (error) {
    reader.close()
    const failed = isIdle() ? idleFailure(definition) : leash.aborted ? aborted : judgeFailure(error, clock.now())
    desk.put([failedDraft(scene, conversation, { failed, partial: reader.text() })], 'happened')
  } finally {
    guard.end()
    hub.reply(frame.thread, undefined)
  }
}

type Judged = ReadReply & { readonly verdict?: Pick<ModelReply, 'output'> }

/** From the request to the reply, and what the output schema says of it. */
async function converse({ definition, context, guard }: ModelScene, reader: StreamReader, request: LanguageModelV4CallOptions): Promise<Judged> {
  const { stream } = await context.model.doStream(request as never)
  const reply = await reader.read(stream as ReadableStream<StreamPart>, guard.heard)
  const { output } = definition.options
  return output !== undefined && isAnswer(reply) ? { ...reply, verdict: { output: await judgeOutput(output, reply.parts) } } : reply
}

const isAnswer = ({ parts }: ReadReply): boolean => parts.every((part) => part.type !== 'call')

function requested({ context, prompt }: ModelScene, { run, attempt }: Conversation, request: LanguageModelV4CallOptions): Draft {
  const id = modelId(context.model)
  const tokens = request.maxOutputTokens
  const budgeted = run.limits.tokens !== undefined || run.limits.cost !== undefined
  return {
    type: 'model.requested',
    data: {
      attempt: attempt.number,
      ...(id !== run.request.model && { model: id }),
      digest: prompt.digest(),
      ...(tokens !== undefined && budgeted && { reserved: { tokens } }),
    },
  }
}

const aborted: ModelFailure = {
  failure: { code: 'LOOM_ABORTED', message: 'The call of the model was aborted.', recoverable: false },
  retryable: false,
}

const idleFailure = ({ behaviour }: Definition): ModelFailure => {
  const message = `The model said nothing for ${behaviour.modelIdle} ms. Raise behaviour.modelIdle, or try another model.`
  return { failure: failureOf(new LoomError('LOOM_MODEL_TIMEOUT', message)), retryable: true }
}

function failedDraft(scene: ModelScene, { attempt }: Conversation, { failed, partial }: { failed: ModelFailure; partial: string }): Draft {
  const { ports, behaviour } = scene.definition
  const again = failed.retryable && attempt.number < behaviour.attempts
  const retryAt = ports.clock.now() + (failed.retryAfter ?? backOff(attempt.number, ports.random()))
  return {
    type: 'model.failed',
    data: { attempt: attempt.number, error: failed.failure, ...(again && { retryAt }), ...(partial !== '' && { partial }) },
  }
}

/** Full jitter: somewhere between nothing and a second, doubled by each attempt up to a minute. */
const backOff = (attempt: number, random: number): number => Math.round(random * Math.min(60_000, 1000 * 2 ** (attempt - 1)))

function replyOf(scene: ModelScene, { frame }: Conversation, { reply, ms }: { reply: ReadReply; ms: number }): ModelReply {
  const { definition, context } = scene
  const speaker = speakerOf(reply.meta)
  const model = speaker ?? (reply.model === context.model.modelId ? undefined : reply.model)
  const cost = priceOf(definition, speaker ?? modelId(context.model), reply.usage)
  return {
    parts: reply.parts.map((part) => (part.type === 'call' ? callOf(scene, frame, part) : part)),
    usage: reply.usage,
    finish: reply.finish,
    ...(cost !== undefined && { cost }),
    ...(model !== undefined && { model }),
    ...(ms > 0 && { ms }),
    ...(reply.meta && { meta: reply.meta }),
  }
}

/** A model that stands for several says which of them has spoken. */
function speakerOf(meta: JsonObject | undefined): string | undefined {
  const { model } = (meta?.['loom'] ?? {}) as { model?: unknown }
  return typeof model === 'string' ? model : undefined
}

/** What is no price is an unknown one: a reply that is there is not lost because nobody knows what it costs. */
function priceOf({ ports }: Definition, model: string, usage: Usage): number | undefined {
  try {
    const price = ports.price(model, usage)
    return typeof price === 'number' && Number.isFinite(price) && price >= 0 ? price + 0 : undefined
  } catch {
    return undefined
  }
}

/** A call as it is kept. Unknown tools answer with an error at once; there is nothing to keep in order. */
function callOf({ context }: ModelScene, { context: told }: Frame, part: CallPart): CallPart {
  const ready = context.toolbox.tools.get(part.name)
  const spec = ready && told.tools === context.toolbox.specs ? ready.spec : told.tools.find(({ name }) => name === part.name)
  const isWrapped = spec !== undefined && wireSchemaOf(spec.schema).isWrapped
  if (!isWrapped && !ready?.serial) return part
  return { ...part, ...(isWrapped && { input: unwrap(part.input) }), ...(ready?.serial && { serial: true as const }) }
}

/** The request of a turn, with what a hook changed about this one. */
export function buildRequest(scene: ModelScene, frame: Frame, run: Run): LanguageModelV4CallOptions {
  const { definition, context, prompt } = scene
  const { model } = context
  prompt.update(frame, model.specificationVersion, modelId(model))
  const settings = run.settings as ModelSettings
  const { output } = definition.options
  const most = maxOutputTokens(run, settings)
  const request: LanguageModelV4CallOptions = {
    ...settings,
    ...(most !== undefined && { maxOutputTokens: most }),
    prompt: prompt.messages(),
    ...(frame.context.tools.length > 0 && {
      tools: wireToolsOf(frame.context.tools),
      toolChoice: settings.toolChoice ?? { type: 'auto' },
    }),
    ...(output !== undefined && formatOf(output, settings, model)),
  }
  const patched = run.patch ? applyRequestPatch(request, run.patch) : request
  return prompt.isUnthought() ? withoutThinking(patched, model) : patched
}

/** Tells viewers what comes, when there are any. */
function listenerOf({ hub, lineage }: ModelScene, { frame, run, attempt }: Conversation): Listener {
  const at = { thread: frame.thread, run: run.id, turn: frame.turn, attempt: attempt.number }
  return {
    text(kind, phase, text) {
      if (!hub.isWatched(lineage)) return
      hub.publish(lineage, [phase === 'delta' ? { type: `${kind}-delta`, ...at, text } : { type: `${kind}-${phase}`, ...at }])
    },
    input(phase, id, text) {
      if (!hub.isWatched(lineage)) return
      const signal =
        phase === 'start'
          ? ({ type: 'input-start', tool: text } as const)
          : phase === 'delta'
            ? ({ type: 'input-delta', text } as const)
            : ({ type: 'input-end' } as const)
      hub.publish(lineage, [{ ...at, id, ...signal }])
    },
  }
}

function soFar(
  { frame, run, attempt }: Conversation,
  reader: StreamReader,
): { type: 'text-delta'; thread: string; run: string; turn: number; attempt: number; text: string } | undefined {
  const text = reader.text()
  return text === '' ? undefined : { type: 'text-delta', thread: frame.thread, run: run.id, turn: frame.turn, attempt: attempt.number, text }
}
