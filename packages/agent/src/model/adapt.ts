/** What may be sent to whom: messages in the form that one vendor takes, whichever vendor made them. */
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

/** Stands where a vendor wants to see reasoning and the call was made by somebody else. */
const unknownReasoning: WirePart = { type: 'reasoning', text: '(The reasoning behind this call is not known.)' }

/** Vendors refuse a text without a word in it, unless it carries something of theirs. */
export function isFilled({ type, text = '', providerOptions }: WirePart): boolean {
  return type !== 'text' || providerOptions !== undefined || text.trim() !== ''
}

/** The parts of a reply that may be sent to a vendor. Reasoning belongs to the vendor that made it, and is nothing without what came of it. */
export function partsFor(vendor: Vendor, parts: readonly WirePart[]): readonly WirePart[] {
  if (!vendor.wantsReasoning && parts.every(isPlain)) return parts
  const own = parts.filter((part) => isFilled(part) && (part.type === 'reasoning' || part.type === 'custom' ? vendor.mayOwn(ownerOf(part)) : true))
  const sent = own.slice(0, own.findLastIndex(({ type }) => type !== 'reasoning') + 1)
  const isBare = sent.some(({ type }) => type === 'tool-call') && sent.every(({ type }) => type !== 'reasoning')
  return isBare && vendor.wantsReasoning ? [unknownReasoning, ...sent] : sent
}

/** Words and calls: what any vendor takes from any other. */
const isPlain = (part: WirePart): boolean => part.type === 'tool-call' || (part.type === 'text' && isFilled(part))

/** Who made a part: its metadata shows it, or the kind of a part that only its vendor understands. */
const ownerOf = ({ kind, providerOptions }: WirePart): JsonObject | undefined =>
  providerOptions ?? (kind === undefined ? undefined : { [kind.split('.')[0] ?? '']: {} })

/** Whether a reply begins with a thought that is signed. */
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

/** Whether the last results answer calls of an exchange that began without a thought of the vendor's own. */
function isUnthought(prompt: readonly LanguageModelV4Message[]): boolean {
  if (prompt.at(-1)?.role !== 'tool') return false
  const asked = prompt.findLastIndex(({ role }) => role === 'user')
  const began = prompt.slice(asked + 1).find(({ role }) => role === 'assistant')
  return began !== undefined && !beginsWithThought(partsOf(began))
}
