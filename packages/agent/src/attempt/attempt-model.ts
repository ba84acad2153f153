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
import type { Definition } from '../definition/definition.ts'
import type { Leash } from '../platform/cancellation.ts'
import type { Hub } from '../bus/bus.ts'
import type { RunContext } from '../definition/run-context.ts'
import { boundedOutput, leftOf } from '../model/budget.ts'
import { judgeFailure, type ModelFailure } from '../model/failure.ts'
import type { IdleGuard } from '../model/idle-guard.ts'
import { type ModelSettings, modelId, type StreamPart } from '../model/model.ts'
import { judgeOutput } from '../model/output.ts'
import { makeRoom } from './make-room.ts'
import { createStreamReader, type Listener, type ReadReply, type StreamReader } from '../model/read-stream.ts'
import { formatOf, wireToolsOf, withoutThinking } from '../model/request.ts'
import { applyRequestPatch } from '../model/request-patch.ts'
import { type Reserved, reserve } from '../model/reserve.ts'
import { backOff, schedule } from '../model/retrying.ts'
import { unwrap, wireSchemaOf } from '../model/wire-schema.ts'

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
  readonly began: number
}

/** One attempt: asks for its intent to be durable, calls, and puts the outcome on the desk. Must not reject. */
export async function attemptModel(scene: ModelScene, desk: Desk, attempt: Attempt): Promise<void> {
  const { definition, context, prompt, hub, guard } = scene
  const { frame } = desk
  const { clock } = definition.ports
  const conversation: Conversation = { frame, run: frame.run as Run, attempt, began: clock.now() }
  const price = (usage: Usage): number | undefined => priceOf(definition, modelId(context.model), usage)
  const request = buildRequest(scene, frame, conversation.run)
  const rendered = conversation.run.patch?.['keep'] === undefined ? prompt : undefined
  const reserved = reserve({ ...conversation, price, rendered }, request)
  if ('refusal' in reserved) return desk.put([reserved.refusal], 'intended')
  if (!(await desk.append([requested(scene, conversation, reserved)], 'intended'))) return
  const { leash } = attempt
  const reader = createStreamReader(listenerOf(scene, conversation))
  const began = clock.now()
  const isIdle = guard.begin(() => leash.abort())
  hub.reply(frame.thread, () => soFar(conversation, reader))
  try {
    const reply = await leash.hold(converse(scene, reader, { ...reserved.request, abortSignal: leash.signal }))
    desk.put([{ type: 'model.replied', data: { ...replyOf(scene, conversation, { reply, ms: clock.now() - began }), ...reply.verdict } }], 'happened')
  } catch (error) {
    reader.close()
    const failed = isIdle() ? idleFailure(definition) : leash.aborted ? aborted : judgeFailure(error, clock.now())
    // From here on nobody waits for the model to speak.
    guard.end()
    const room = await roomFor(scene, desk, { failed, conversation })
    desk.put([failedDraft(scene, conversation, { failed, partial: reader.text(), usage: reader.spent(), room }), ...(room ?? [])], 'happened')
  } finally {
    guard.end()
    hub.reply(frame.thread, undefined)
  }
}

interface Defeat {
  readonly failed: ModelFailure
  readonly conversation: Conversation
}

/** What makes the request of an attempt that was too long shorter. It is made shorter once: who says so twice has said it. */
async function roomFor({ definition, context }: ModelScene, desk: Desk, { failed, conversation }: Defeat): Promise<readonly Draft[] | undefined> {
  const { run, attempt } = conversation
  const { code } = failed.failure
  if (code !== 'LOOM_MODEL_CONTEXT_LENGTH' || run.error?.code === code) return undefined
  const { leash } = attempt
  return leash.hold(makeRoom({ definition, context, leash }, desk.frame)).catch(() => undefined)
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

function requested({ context, prompt }: ModelScene, { run, attempt }: Conversation, { reserved }: Extract<Reserved, { request: unknown }>): Draft {
  const id = modelId(context.model)
  return {
    type: 'model.requested',
    data: { attempt: attempt.number, ...(id !== run.request.model && { model: id }), digest: prompt.digest(), ...(reserved && { reserved }) },
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

interface Outcome {
  readonly failed: ModelFailure
  readonly partial: string
  readonly usage: Usage | undefined
  readonly room: readonly Draft[] | undefined
}

function failedDraft({ definition, context }: ModelScene, { run, attempt, began }: Conversation, { failed, partial, usage, room }: Outcome): Draft {
  const { ports, behaviour } = definition
  const now = ports.clock.now()
  const again = room !== undefined || (failed.retryable && attempt.number < behaviour.attempts)
  const wait = room ? 0 : (failed.retryAfter ?? backOff(attempt.number, ports.random()))
  const { error, retryAt } = schedule(failed, { again, retryAt: now + wait, since: run.tried ?? began })
  const cost = usage && priceOf(definition, modelId(context.model), usage)
  return {
    type: 'model.failed',
    data: {
      attempt: attempt.number,
      error,
      ...(retryAt !== undefined && { retryAt }),
      ...(partial !== '' && { partial }),
      ...(usage && { usage }),
      ...(cost !== undefined && { cost }),
    },
  }
}

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
  const most = boundedOutput(settings.maxOutputTokens, [leftOf(run).tokens])
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
