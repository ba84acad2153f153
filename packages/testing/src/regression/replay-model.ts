/** The model of a replay: replies as recorded, at the recorded moment, and compares its requests. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@loom-agent/agent/language-model'
import { canonicalJson, type Json, type JsonObject, type LoomEvent, type Usage } from '@loom-agent/kernel'
import { checkRequest } from './check-request.ts'
import { errorOfFailure, streamOfFailure, streamOfReply } from './recorded-reply.ts'
import { awaitLine, fail, never, type Replay } from './replay.ts'
import { aborted } from './replay-tools.ts'
import type { Line } from './script.ts'
import { findLine, isSpent, type ThreadReplay } from './thread-replay.ts'

/** A model of the given id (`provider/name`) that replies from the record. */
export function replayModel(replay: Replay, id: string): LanguageModelV4 {
  const cut = id.indexOf('/')
  return {
    specificationVersion: 'v4',
    provider: cut < 0 ? '' : id.slice(0, cut),
    modelId: id.slice(cut + 1),
    supportedUrls: {},
    async doGenerate() {
      throw new Error('A replayed model only streams.')
    },
    doStream: (options) => reply(replay, options),
  }
}

const isOutcome = ({ kind, event }: Line): boolean => kind === 'made' && (event.type === 'model.replied' || event.type === 'model.failed')

async function reply(replay: Replay, options: LanguageModelV4CallOptions): Promise<{ stream: ReadableStream<LanguageModelV4StreamPart> }> {
  const threadReplay = askerOf(replay, options)
  // After the end of the record no request gets a reply.
  if (!threadReplay || isSpent(threadReplay)) return never
  try {
    checkRequest(replay, threadReplay, options)
  } catch (error) {
    fail(replay, error)
    return never
  }
  const index = findLine(threadReplay, isOutcome)
  const recorded = index === undefined ? undefined : threadReplay.lines[index]?.event
  if (recorded?.type === 'model.replied') {
    await awaitLine(replay, threadReplay, isOutcome)
    return { stream: streamOfReply(recorded.data) }
  }
  if (recorded?.type !== 'model.failed') return aborted(options.abortSignal)
  const failing = async (): Promise<never> => {
    if (notFromModel.has(recorded.data.error.code)) return aborted(options.abortSignal)
    await awaitLine(replay, threadReplay, isOutcome)
    throw errorOfFailure(recorded)
  }
  return recorded.data.partial === undefined ? failing() : { stream: streamOfFailure(recorded, failing) }
}

/** Failures that do not come from the model: the request was aborted, or its process was lost. */
const notFromModel: ReadonlySet<string> = new Set(['LOOM_ABORTED', 'LOOM_MODEL_LOST'])

/** The thread of a request. Of several that request at once, the one whose last message this is. */
function askerOf({ asking, threads, requests }: Replay, { prompt }: LanguageModelV4CallOptions): ThreadReplay | undefined {
  const last = textOf(prompt.at(-1))
  const isAsker = (thread: string): boolean => {
    const turn = threads.get(thread)?.frame.turn ?? 0
    return textOf(requests.get(thread)?.get(turn)?.messages.at(-1)) === last
  }
  const found = asking.length > 1 ? asking.findIndex(isAsker) : 0
  const [thread = ''] = asking.splice(Math.max(0, found), 1)
  return threads.get(thread)
}

const textOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(JSON.parse(JSON.stringify(value)) as Json))

/**
 * The recorded price of a reply with this usage: each is asked for once. What is asked before a call has no record: any price lets the call go on, and
 * where the run was refused for want of one, none does.
 */
export function recordedPrice(replay: Replay): (model: string, usage: Usage) => number | undefined {
  const used = new Set<LoomEvent>()
  return (model, usage) => {
    const wanted = canonicalJson(usage as JsonObject)
    for (const { lines, next } of replay.threads.values()) {
      for (let index = next; index < lines.length; index += 1) {
        const event = lines[index]?.event
        if (event?.type !== 'model.replied' || used.has(event)) continue
        if (canonicalJson(event.data.usage as JsonObject) !== wanted) break
        used.add(event)
        return event.data.cost
      }
    }
    return isRefused(replay, model) ? undefined : 0
  }
}

/** Whether the next thing that happened to a thread is that it was refused, because the price of this model was not known. */
function isRefused({ threads }: Replay, model: string): boolean {
  for (const { lines, next } of threads.values()) {
    for (let index = next; index < lines.length; index += 1) {
      const event = lines[index]?.event
      if (event?.type === 'model.requested') break
      if (event?.type === 'run.failed') {
        const { code, context } = event.data.error
        if (code === 'LOOM_PRICE_UNKNOWN' && context?.['model'] === model) return true
        break
      }
    }
  }
  return false
}
