/**
 * Tools for models that cannot call tools: the system message explains the tools, calls are blocks of JSON in the reply, results are text.
 *
 * TEXT-1. A call that cannot be read is a malformed call, never a guess: the agent asks for it again.
 * TEXT-2. A reply that was cut off makes only the calls that it wrote to their end.
 * TEXT-3. Between two rebases the prompt still only grows: each message is converted once, and always in the same way.
 */
import { checkOptions, expected } from '@loom-agent/agent/kit'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FunctionTool,
  LanguageModelV4GenerateResult,
} from '@loom-agent/agent/language-model'
import { createHeldText } from '../call/held-text.ts'
import type { Part } from '../call/stream.ts'
import { translateModel, type Wrapper } from '../call/wrapper.ts'
import { type Callable, createFenceReader, type FenceReader, type Found } from './fences.ts'
import { openerOf } from './marks.ts'
import { asText, type ExplainTools, explainTools } from './protocol.ts'
import type { WrittenCall } from './read-call.ts'

/** The options of `textTools`. */
export interface TextToolsOptions {
  /** Returns the text that explains the tools; default: `explainTools`. */
  readonly explain?: ExplainTools
}

/**
 * Lets a model that cannot call tools use them by a text protocol.
 *
 * @example
 * const model = textTools()(ollama('gemma3'))
 */
export function textTools(options: TextToolsOptions = {}): Wrapper {
  checkOptions('textTools', options, { explain: expected.function })
  const { explain = explainTools } = options
  return (model) =>
    translateModel(model, (options) => {
      const textCall = toTextCall(options, explain)
      if (!textCall) return { call: options }
      if (textCall.tools.size === 0) return { call: textCall.call }
      return { call: textCall.call, part: createCallMapper(textCall), result: (result) => withCalls(result, textCall) }
    })
}

interface TextCall extends Callable {
  readonly call: LanguageModelV4CallOptions
  /** The prefix of the ids of the reply's calls: the place of the reply, so that no two replies share an id. */
  readonly prefix: string
}

/** The call with everything as text; undefined when there are no tools and never were. */
function toTextCall(call: LanguageModelV4CallOptions, explain: ExplainTools): TextCall | undefined {
  const { tools = [], toolChoice, ...rest } = call
  const functions = tools.filter((tool): tool is LanguageModelV4FunctionTool => tool.type === 'function')
  const usable = toolChoice?.type === 'none' ? [] : functions
  if (functions.length === 0 && call.prompt.every(({ role }) => role !== 'tool')) return undefined
  const explanation = usable.length > 0 ? explain(usable, toolChoice) : 'There are no tools now.'
  const { prompt, mark } = asText(call.prompt, explanation, usable.length > 0)
  return {
    call: { ...rest, prompt },
    mark: openerOf(mark),
    tools: new Set(usable.map(({ name }) => name)),
    prefix: `call_${call.prompt.length}`,
  }
}

const calling = (reason: { readonly raw: string | undefined }): { unified: 'tool-calls'; raw: string | undefined } => ({
  unified: 'tool-calls',
  raw: reason.raw,
})

/** A reply in one piece. */
function withCalls(result: LanguageModelV4GenerateResult, { prefix, ...callable }: TextCall): LanguageModelV4GenerateResult {
  const isCut = result.finishReason.unified === 'length'
  let calls = 0
  const content = result.content.flatMap((part): LanguageModelV4Content[] => {
    if (part.type !== 'text') return [part]
    const reader = createFenceReader(callable)
    return [...reader.read(part.text), ...reader.end({ isCut })].flatMap((found): LanguageModelV4Content[] => {
      if ('text' in found) return [{ ...part, text: found.text }]
      return found.calls.map(({ tool, input }) => ({ type: 'tool-call', toolCallId: `${prefix}_${calls++}`, toolName: tool, input }))
    })
  })
  return { ...result, content, finishReason: calls > 0 ? calling(result.finishReason) : result.finishReason }
}

/** Maps the parts of the model to parts with calls. */
function createCallMapper({ prefix, ...callable }: TextCall): (part: Part) => readonly Part[] {
  const held = createHeldText()
  let calls = 0
  /** The text that may still become a call, and the id of its block. */
  let open: { readonly id: string; readonly fences: FenceReader } | undefined

  const callParts = ({ tool, input }: WrittenCall): Part[] => {
    const id = `${prefix}_${calls++}`
    return [
      { type: 'tool-input-start', id, toolName: tool },
      { type: 'tool-input-delta', id, delta: input },
      { type: 'tool-input-end', id },
      { type: 'tool-call', toolCallId: id, toolName: tool, input },
    ]
  }
  const partsFor = (id: string, found: readonly Found[]): Part[] =>
    found.flatMap((item): Part[] => ('text' in item ? [{ type: 'text-delta', id, delta: item.text }] : item.calls.flatMap(callParts)))
  const finish = (isCut: boolean): Part[] => {
    if (!open) return []
    const { id, fences } = open
    open = undefined
    return [...partsFor(id, fences.end({ isCut })), { type: 'text-end', id }]
  }

  return (part) => {
    switch (part.type) {
      case 'text-start': {
        const before = finish(false)
        open = { id: part.id, fences: createFenceReader(callable) }
        return [...before, part]
      }
      case 'text-delta':
        held.add(part.delta.length)
        return open ? partsFor(part.id, open.fences.read(part.delta)) : [part]
      case 'text-end':
        // Whether an open block was cut off is known when the reply has ended.
        return []
      case 'finish': {
        const rest = finish(part.finishReason.unified === 'length')
        return [...rest, calls > 0 ? { ...part, finishReason: calling(part.finishReason) } : part]
      }
      default:
        return [part]
    }
  }
}
