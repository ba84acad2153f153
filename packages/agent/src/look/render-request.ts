/**
 * What the model was sent at a moment, rendered again from the record. Loaded on use.
 *
 * LOOK-5. A request is a function of the frame before it, the model's id and the version of the model's specification. The version is not recorded; the
 *     digest of the messages is, and it shows which version they were rendered for. Where several have that digest, the newest is taken: they differ in no
 *     message then, and at most in whether the options for a schema that cannot be enforced are repeated under the name of the provider.
 */
import { type EventOf, emptyFrame, evolve, type Frame, type Journal, LoomError, type Run, readEvents } from '@loom-agent/kernel'
import { loadOutputFormat, requestOf } from '../attempt/build-request.ts'
import { loadMarking, markedRequest } from '../attempt/marking.ts'
import { describeLayers, type SystemLayer, systemBy } from '../context/describe-layers.ts'
import { createPrompt, type Prompt } from '../context/prompt.ts'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import type { ModelIdentity, SpecVersion } from '../model/model.ts'
import { highestPrice } from '../model/price.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { Ports } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { type Moment, nameMoment, notThereYet, parseMoment } from '../types/moment.ts'
import { jsonSchema } from '../types/schema.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'

/** A request that a model was sent. */
export interface RequestAt {
  /** The moment of its `model.requested` event: `thread@seq`. */
  readonly at: string
  /** The id of the model: `provider/name`. */
  readonly model: string
  /** Which attempt of its turn it was, from 1. */
  readonly attempt: number
  /** What the model was called with: `prompt`, `tools`, settings. */
  readonly request: LanguageModelV4CallOptions
  /** The layers of the system text, in order, before hooks change the request. */
  readonly layers: readonly SystemLayer[]
  /** Whether the messages, as they are before hooks change them, have the digest that was recorded with the request. */
  readonly isVerified: boolean
}

/** What the record does not have. */
export interface RequestAtOptions {
  /** The price of a call, as the agent had it in its ports. It matters where a limit of money has bounded the length of the answer. */
  readonly price?: Ports['price'] | undefined
}

/** Renders the request of a moment, or else the last one before it. */
export async function renderRequest(journal: Journal, at: string, options: RequestAtOptions): Promise<RequestAt> {
  requireJournal('requestAt', journal)
  checkOptions('requestAt', options, { price: expected.function })
  const moment = parseMoment(at)
  checkThread(moment.thread)
  return renderAgain(await findRequest(journal, moment), options)
}

/** The intent of a call, and the frame before it. */
interface Recorded {
  readonly event: EventOf<'model.requested'>
  readonly before: Frame
  /** Who gave the system text, where it has no layers. */
  readonly origin: string
}

/** The last request at or before a moment. */
async function findRequest(journal: Journal, { thread, seq }: Moment): Promise<Recorded> {
  let frame = emptyFrame(thread)
  let found: Recorded | undefined
  let origin = 'agent'
  for await (const event of readEvents(journal, thread)) {
    const isRequest = event.type === 'model.requested'
    if (event.seq > seq && found) return found
    if (event.seq > seq && isRequest) throw noRequest({ thread, seq }, `The first request is ${nameMoment(event)}.`)
    if (event.type === 'context.assembled' && event.data.rebase) origin = systemBy(frame, event.data.rebase.system)
    if (isRequest) found = { event, before: frame, origin }
    frame = evolve(frame, event)
  }
  if (frame.seq === 0) throw threadNotFound(thread)
  if (frame.seq < seq) throw notThereYet({ thread, seq }, frame.seq)
  if (!found) throw noRequest({ thread, seq }, 'The thread has made no request.')
  return found
}

function noRequest(moment: Moment, advice: string): LoomError {
  const at = nameMoment(moment)
  return new LoomError('LOOM_OPTION_INVALID', `No model was sent anything at ${at} or before. ${advice}`, { context: { at } })
}

const versions: readonly SpecVersion[] = ['v4', 'v3', 'v2']

async function renderAgain({ event, before, origin }: Recorded, { price = () => undefined }: RequestAtOptions): Promise<RequestAt> {
  const { attempt, digest, model } = event.data
  const run = before.run as Run
  const id = model ?? run.request.model
  const renderings = versions.map((version) => rendering(before, id, version))
  const exact = renderings.find(({ prompt }) => prompt.digest() === digest)
  const { prompt, identity } = exact ?? (renderings[0] as Rendering)
  const { output } = run.request
  const source = { prompt, model: identity, output: output && jsonSchema(output) }
  await loadMarking()
  if (output) await loadOutputFormat()
  const made = markedRequest(source, requestOf(source, before, run))
  const rendered = run.patch?.['keep'] === undefined ? prompt : undefined
  const { reserve } = await import('../model/reserve.ts')
  const reserved = reserve({ frame: before, run, price: (usage) => highestPrice((one) => price(one, usage), id), rendered }, made)
  // A request that was made was not refused for its price.
  const request = 'request' in reserved ? reserved.request : made
  const layers = describeLayers(before.context, origin)
  return { at: nameMoment(event), model: id, attempt, request, layers, isVerified: exact !== undefined }
}

interface Rendering {
  readonly prompt: Prompt
  readonly identity: ModelIdentity
}

function rendering(before: Frame, id: string, specificationVersion: SpecVersion): Rendering {
  const prompt = createPrompt()
  prompt.update(before, specificationVersion, id)
  const cut = id.indexOf('/')
  const identity = { specificationVersion, provider: id.slice(0, Math.max(cut, 0)), modelId: id.slice(cut + 1) } as ModelIdentity
  return { prompt, identity }
}
