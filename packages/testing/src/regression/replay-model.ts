/** The model of a replay: replies as recorded, at the recorded moment, and compares its requests. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@loom-agent/agent/language-model'
import { canonicalJson, type JsonObject, type Usage } from '@loom-agent/kernel'
import { checkRequest } from './check-request.ts'
import { awaitLine, fail, findLine, isSpent, never } from './epoch-replay.ts'
import { errorOfFailure, streamOfFailure, streamOfReply } from './recorded-reply.ts'
import type { Replay } from './replay.ts'
import { aborted } from './replay-tools.ts'
import type { ScriptEntry } from './script.ts'

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

const isOutcome = ({ kind, event }: ScriptEntry): boolean => kind === 'made' && (event.type === 'model.replied' || event.type === 'model.failed')

async function reply(replay: Replay, options: LanguageModelV4CallOptions): Promise<{ stream: ReadableStream<LanguageModelV4StreamPart> }> {
  const epoch = replay.current
  if (!epoch || epoch.ended) return never
  epoch.progress += 1
  try {
    if (!replay.accepted && !isSpent(epoch)) checkRequest(epoch, replay.threads.get(epoch.thread)?.requests(epoch.frame.turn), options)
  } catch (error) {
    fail(epoch, error)
    return never
  }
  const index = findLine(epoch, isOutcome)
  const recorded = index === undefined ? undefined : epoch.lines[index]?.event
  if (recorded?.type === 'model.replied') {
    await awaitLine(epoch, isOutcome)
    return { stream: streamOfReply(recorded.data) }
  }
  if (recorded?.type !== 'model.failed') return aborted(options.abortSignal)
  const failing = async (): Promise<never> => {
    if (notFromModel.has(recorded.data.error.code)) return aborted(options.abortSignal)
    await awaitLine(epoch, isOutcome)
    throw errorOfFailure(recorded)
  }
  return recorded.data.partial === undefined ? failing() : { stream: streamOfFailure(recorded, failing) }
}

/** Failures that do not come from the model: the request was aborted, or its process was lost. */
const notFromModel: ReadonlySet<string> = new Set(['LOOM_ABORTED', 'LOOM_MODEL_LOST'])

/**
 * The recorded price of a reply with this usage. What is asked before a call has no record: any price lets the call go on, and where the run was refused
 * for want of one, none does.
 */
export function recordedPrice(replay: Replay): (model: string, usage: Usage) => number | undefined {
  return (model, usage) => {
    const epoch = replay.current
    if (!epoch) return undefined
    const event = epoch.lines[findLine(epoch, isPriced) ?? -1]?.event
    if (event?.type === 'model.replied' && canonicalJson(event.data.usage as JsonObject) === canonicalJson(usage as JsonObject))
      return event.data.cost
    return event?.type === 'run.failed' && event.data.error.context?.['model'] === model ? undefined : 0
  }
}

/** Whether a line shows what was known about a price. */
const isPriced = ({ event }: ScriptEntry): boolean =>
  event.type === 'model.replied' || (event.type === 'run.failed' && event.data.error.code === 'LOOM_PRICE_UNKNOWN')
