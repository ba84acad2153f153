/**
 * Marks for the prompt caches of vendors that want to be told what to keep: Anthropic. Others keep prefixes by themselves.
 *
 * MARK-1. Marks are no part of what is cached: a vendor compares prefixes without them, and so do the digest of a request and `assertCachePrefix`.
 *     So the mark at the end can move on with every request.
 *
 * There are four at most, the vendor's limit: after what stands in front (the system text, or else the tools), after what the last rebase shows, at the end of
 * the request before, and at the end. The vendor looks for an earlier end only a few blocks back, so the one before is marked again.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '../language-model/index.ts'
import { idsBehind } from './vendor.ts'

/** The name under which Anthropic's packages look for their options. */
const vendor = 'anthropic'
const mark = { cacheControl: { type: 'ephemeral' } } as const

const isAnthropic = (id: string): boolean => id.slice(0, id.indexOf('/')).split('.').includes(vendor)

/** Whether requests for a model are marked. Settings that mark by themselves, and `providerOptions: { loom: { cacheMarks: false } }`, turn it off. */
export function takesMarks(id: string, { providerOptions: options }: LanguageModelV4CallOptions): boolean {
  if (!id.includes(vendor) || !idsBehind(id).some(isAnthropic)) return false
  return options?.[vendor]?.['cacheControl'] === undefined && options?.['loom']?.['cacheMarks'] !== false
}

/** The request with marks; `rebased` is how many messages its last rebase shows. Its list of messages is its own, and is changed. */
export function withMarks(request: LanguageModelV4CallOptions, rebased: number): LanguageModelV4CallOptions {
  const { prompt, tools } = request
  const end = prompt.length - 1
  const places = new Set([lastSystem(prompt), rebased - 1, lastReply(prompt, end) - 1, end])
  for (const place of places) {
    const message = prompt[place]
    if (message) prompt[place] = marked(message)
  }
  return tools && prompt[0]?.role !== 'system' ? { ...request, tools: markedTools(tools) } : request
}

/** The place of the last system message in front; -1 without one. */
function lastSystem(prompt: readonly LanguageModelV4Message[]): number {
  let place = 0
  while (prompt[place]?.role === 'system') place += 1
  return place - 1
}

/** The place of the last message of the assistant: what was sent before ends in front of it. */
function lastReply(prompt: readonly LanguageModelV4Message[], end: number): number {
  let place = end
  while (place >= 0 && prompt[place]?.role !== 'assistant') place -= 1
  return place
}

function marked<T extends LanguageModelV4Message | LanguageModelV4FunctionTool>(one: T): T {
  const { providerOptions } = one
  return { ...one, providerOptions: { ...providerOptions, [vendor]: { ...mark, ...providerOptions?.[vendor] } } }
}

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>
const lists = new WeakMap<Tools, Tools>()

const isDeferred = (tool: Tools[number]): boolean => tool.type === 'function' && tool.providerOptions?.[vendor]?.['deferLoading'] === true

/** A thread sends the same list again. */
function markedTools(tools: Tools): Tools {
  const known = lists.get(tools)
  if (known) return known
  // A tool that is deferred is no part of what is cached.
  const place = tools.findLastIndex((tool) => !isDeferred(tool))
  const last = tools[place]
  const list = last?.type === 'function' ? [...tools.slice(0, place), marked(last), ...tools.slice(place + 1)] : tools
  lists.set(tools, list)
  return list
}
