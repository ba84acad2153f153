/** Which parts may be sent to which vendor: messages in the form that one vendor takes, whichever vendor made them. */
import type { JsonObject } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../language-model/index.ts'
import { type ModelObject, modelId } from './model.ts'
import { withoutThinking } from './request.ts'
import { mixedProvider, type Vendor, vendorOf } from './vendor.ts'

/** A part of a message on the wire, as far as it matters here. */
export interface WirePart {
  readonly type: string
  readonly text?: string
  readonly kind?: string
  readonly providerOptions?: JsonObject
}

/** Goes where a vendor requires reasoning before a call that another vendor's model made. */
const unknownReasoning: WirePart = { type: 'reasoning', text: '(The reasoning behind this call is not known.)' }

/** Vendors refuse a blank text, unless it carries metadata of theirs. */
export function isFilled({ type, text = '', providerOptions }: WirePart): boolean {
  return type !== 'text' || providerOptions !== undefined || text.trim() !== ''
}

/** The parts of a reply that may be sent to a vendor. Reasoning is for the vendor that made it, and only when something follows it. */
export function partsFor(vendor: Vendor, parts: readonly WirePart[]): readonly WirePart[] {
  if (!vendor.wantsReasoning && parts.every(isPlain)) return parts
  const own = parts.filter((part) => isFilled(part) && (part.type === 'reasoning' || part.type === 'custom' ? vendor.mayOwn(ownerOf(part)) : true))
  const sent = own.slice(0, own.findLastIndex(({ type }) => type !== 'reasoning') + 1)
  const isBare = sent.some(({ type }) => type === 'tool-call') && sent.every(({ type }) => type !== 'reasoning')
  return isBare && vendor.wantsReasoning ? [unknownReasoning, ...sent] : sent
}

/** Words and calls: what any vendor takes from any other. */
const isPlain = (part: WirePart): boolean => part.type === 'tool-call' || (part.type === 'text' && isFilled(part))

/** The vendor that made a part, by its metadata or by the kind of a custom part. */
const ownerOf = ({ kind, providerOptions }: WirePart): JsonObject | undefined =>
  providerOptions ?? (kind === undefined ? undefined : { [kind.split('.')[0] ?? '']: {} })

/** Whether a reply begins with signed reasoning. */
export function beginsWithThought(parts: readonly WirePart[]): boolean {
  const first = parts.find(({ type }) => type !== 'custom')
  return first?.type === 'reasoning' && first.providerOptions !== undefined
}

const partsOf = ({ content }: LanguageModelV4Message): readonly WirePart[] => content as readonly object[] as readonly WirePart[]

/**
 * A request that was made for several vendors, as one of them takes it. A model that stands for several passes this to each of them.
 *
 * @example
 * const answered = await second.doStream(requestFor(second, options))
 */
export function requestFor(model: ModelObject, options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const vendor = vendorOf(modelId(model))
  const prompt = options.prompt.flatMap((message) => messageFor(vendor, message) ?? [])
  const { [mixedProvider]: shared, ...others } = options.providerOptions ?? {}
  const own = model.provider.split('.')[0] ?? ''
  const providerOptions = shared === undefined ? others : { ...others, [own]: { ...shared, ...others[own] } }
  const request = { ...options, prompt, ...(options.providerOptions && { providerOptions }) }
  return isUnthought(prompt) ? withoutThinking(request, model) : request
}

function messageFor(vendor: Vendor, message: LanguageModelV4Message): LanguageModelV4Message | undefined {
  if (message.role !== 'assistant') return message
  const parts = partsOf(message)
  const sent = partsFor(vendor, parts)
  if (sent.length === 0) return undefined
  return sent.length === parts.length ? message : ({ ...message, content: sent } as LanguageModelV4Message)
}

/** Whether the exchange with the latest calls started without reasoning of the vendor's own. */
function isUnthought(prompt: readonly LanguageModelV4Message[]): boolean {
  if (prompt.at(-1)?.role !== 'tool') return false
  const asked = prompt.findLastIndex(({ role }) => role === 'user')
  const began = prompt.slice(asked + 1).find(({ role }) => role === 'assistant')
  return began !== undefined && !beginsWithThought(partsOf(began))
}
