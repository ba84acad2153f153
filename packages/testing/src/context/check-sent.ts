/** What the model received, compared with what the facts say and with what is explained. */
import { createPrompt, type ExplainedRequest, requestTokens, wireToolsOf } from '@loom-agent/agent/kit'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { at, type Context, type Entry, type Output, type Part } from '@loom-agent/kernel'
import type { Blame } from './check-assembled.ts'

/** A request as a model received it. */
export type ReceivedRequest = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>

/** Checks one request. */
export function checkSent(explained: ExplainedRequest, { prompt, tools = [] }: ReceivedRequest, blame: Blame): void {
  const { messages, frame } = explained
  const different = messages.findIndex((message, place) => JSON.stringify(message) !== JSON.stringify(prompt[place]))
  if (messages.length !== prompt.length) blame('CONTEXT-7', `The facts have ${messages.length} messages, and the model received ${prompt.length}.`)
  else if (different >= 0)
    blame('CONTEXT-7', `Message ${different} is ${shown(messages[different])} by the facts, and the model received ${shown(prompt[different])}.`)
  if (JSON.stringify(wireToolsOf(frame.context.tools)) !== JSON.stringify(tools))
    blame('CONTEXT-7', 'The model received other tools than the facts have.')
  checkExplained(explained, prompt, blame)
  const explainedTokens = explained.parts.reduce((sum, part) => sum + part.tokens, 0)
  const received = requestTokens(frame, { prompt, tools })
  if (explainedTokens !== received) blame('CONTEXT-8', `The parts have ${explainedTokens} tokens, and the request has ${received}.`)
  checkBudget(explained, { prompt, tools }, blame)
}

const shown = (message: unknown): string => (JSON.stringify(message) ?? 'nothing').slice(0, 200)

/** Every message has one part, and has the words of that part. */
function checkExplained({ parts, frame }: ExplainedRequest, prompt: ReceivedRequest['prompt'], blame: Blame): void {
  const explained = new Set<number>()
  for (const { fate, entry: index, kind, name, text } of parts) {
    if (fate.as !== 'verbatim' && fate.as !== 'trimmed') continue
    const { message: place } = fate
    if (place === undefined) continue
    if (explained.has(place) && kind !== 'system') blame('CONTEXT-8', `Message ${place} is explained twice.`)
    explained.add(place)
    const message = prompt[place]
    const words = message ? leavesOf(message.content).join('\n') : undefined
    const wanted = index === undefined ? (kind === 'system' ? [layerOf(frame.context, name)] : []) : wordsOf(at(frame.history, index) as Entry)
    const isCut = fate.as === 'trimmed'
    const missing = wanted.find((one) => words === undefined || (!isCut && !words.includes(one)))
    if (missing !== undefined) blame('CONTEXT-8', `Message ${place} is said to have "${text}", and does not have ${shown(missing)}.`)
    if (isCut && wanted.length > 0 && wanted.every((one) => words?.includes(one)))
      blame('CONTEXT-8', `Message ${place} is said to be cut, and it is whole.`)
  }
  prompt.forEach((_, place) => {
    if (!explained.has(place)) blame('CONTEXT-8', `Message ${place} is not explained by any part.`)
  })
}

/** A layer of the system text, found without the code that explains it; without layers it is the whole text. */
function layerOf({ system, layers = [] }: Context, name: string | undefined): string {
  const index = layers.findIndex((layer) => layer.name === name)
  return index < 0 ? system : system.slice(layers[index - 1]?.to ?? 0, layers[index]?.to).trim()
}

/** All texts and numbers in a value, in order. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}

/** What of an entry must be read in its message. Reasoning, files and parts of providers go to some vendors alone. */
function wordsOf({ message }: Entry): readonly string[] {
  const filled = (texts: readonly string[]): readonly string[] => texts.filter((text) => text.trim() !== '')
  if (message.role === 'tool') return filled(message.results.flatMap(({ output }) => wordsOfOutput(output)))
  return filled(message.parts.flatMap(wordsOfPart))
}

function wordsOfPart(part: Part): readonly string[] {
  if (part.type === 'text') return [part.text]
  return part.type === 'call' && part.malformed === undefined ? leavesOf(part.input) : []
}

function wordsOfOutput(output: Output): readonly string[] {
  if (output.type === 'parts') return output.value.flatMap(wordsOfPart)
  return output.type === 'json' ? leavesOf(output.value) : [output.value]
}

/** Characters and bytes between which the tokens of a text lie, in every script and by every estimate. */
const charactersPerToken = 8
const slack = 64
/** The most tokens of a picture, or of a file by its address, whatever its bytes are. */
const mediaTokens = 2048

/** Whether a budget can be of this request: fewer tokens than characters allow, or more than bytes, cannot. */
function checkBudget({ assembled, frame }: ExplainedRequest, { prompt, tools }: ReceivedRequest, blame: Blame): void {
  const { rebase, items: added } = assembled.event.data
  if (!rebase?.budget) return
  const { max, before, after, window } = rebase.budget
  const counts = [max, before, after, window ?? 0]
  if (!counts.every((value) => Number.isFinite(value) && value >= 0)) return blame('CONTEXT-5', `The budget is ${JSON.stringify(rebase.budget)}.`)
  if (window !== undefined && max > window) blame('CONTEXT-5', `The budget is ${max} tokens, and the window has ${window}.`)
  if (before < after) blame('CONTEXT-5', `The rebase has made ${after} tokens of ${before}.`)
  // Items are added after the decision, and a hook may change the messages.
  if (added || frame.run?.patch) return
  const least = Math.floor(sizeOf(prompt.map(({ content }) => content)).characters / charactersPerToken) - slack
  const most = sizeOf([prompt, tools]).most + slack
  if (after < least || after > most)
    blame('CONTEXT-5', `The request is said to have ${after} tokens, and it can have ${Math.max(0, least)} to ${most}.`)
  const whole = createPrompt()
  whole.update({ ...frame, context: { ...frame.context, segments: [] } }, 'v4')
  const all = sizeOf([whole.current(), tools]).most + most
  if (before > all) blame('CONTEXT-5', `All of it is said to have ${before} tokens, and it can have ${all} at most.`)
}

/** The characters of a value without its media, whose tokens are not those of their bytes, and the most tokens that all of it can have. */
function sizeOf(value: unknown): { readonly characters: number; readonly most: number } {
  let media = 0
  const texts = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || !('mediaType' in inner) || !('data' in inner)) return inner
    media += mediaTokens
    return { ...inner, data: '' }
  })
  return { characters: texts.length, most: new TextEncoder().encode(JSON.stringify(value)).length + media }
}
