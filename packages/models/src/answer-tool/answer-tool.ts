/**
 * Answers that fit a schema, from models that do not take schemas: the model answers by calling a tool.
 *
 * ANSWER-1. Text beside an answer is left out; without an answer the text is the reply.
 * ANSWER-2. An answer beside other calls does not count: the model has not seen their results.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
} from '@loom-agent/agent/language-model'
import { createHeldText } from '../call/held-text.ts'
import type { Part } from '../call/stream.ts'
import { translateModel, type Wrapper } from '../call/wrapper.ts'

/**
 * Makes a model answer by a tool when the answer has to fit a schema.
 *
 * @example
 * const model = answerTool()(ollama('qwen3'))
 */
export function answerTool(): Wrapper {
  return (model) =>
    translateModel(model, (options) => {
      const asked = withAnswerTool(options)
      if (!asked) return { call: options }
      return { call: asked.call, part: createAnswerMapper(asked.name), result: (result) => withAnswer(result, asked.name) }
    })
}

interface AnswerCall {
  readonly call: LanguageModelV4CallOptions
  /** The name of the tool in this call. */
  readonly name: string
}

/** The call with a tool for its answer; undefined when no schema is asked for. */
function withAnswerTool({ responseFormat, ...call }: LanguageModelV4CallOptions): AnswerCall | undefined {
  if (responseFormat?.type !== 'json' || !responseFormat.schema) return undefined
  const { tools = [], toolChoice } = call
  const others = toolChoice?.type === 'none' ? [] : tools
  let name = 'answer'
  while (tools.some((tool) => tool.name === name)) name += '_'
  const description = responseFormat.description ?? 'Gives the final answer. Call it once, when everything that it needs is known.'
  const answer = { type: 'function' as const, name, description, inputSchema: responseFormat.schema }
  const choice = others.length === 0 ? ({ type: 'tool', toolName: name } as const) : ({ type: 'required' } as const)
  return { name, call: { ...call, tools: [...tools, answer], toolChoice: toolChoice?.type === 'tool' ? toolChoice : choice } }
}

const answered = ({ raw }: LanguageModelV4FinishReason): LanguageModelV4FinishReason => ({ unified: 'stop', raw })

/** A reply in one piece. */
function withAnswer(result: LanguageModelV4GenerateResult, name: string): LanguageModelV4GenerateResult {
  const { content } = result
  const isAnswer = (part: LanguageModelV4Content): boolean => part.type === 'tool-call' && part.toolName === name
  const isCall = (part: LanguageModelV4Content): boolean => part.type === 'tool-call' && part.toolName !== name
  if (content.some(isCall)) return { ...result, content: content.filter((part) => !isAnswer(part)) }
  const answer = content.find(isAnswer)
  if (answer?.type !== 'tool-call') return result
  const others = content.filter((part) => part.type !== 'text' && !isAnswer(part))
  return { ...result, content: [...others, { type: 'text', text: answer.input }], finishReason: answered(result.finishReason) }
}

/** Maps the parts of the model to its answer as text, while it is written. Other text is kept until it is known that there is no answer. */
function createAnswerMapper(name: string): (part: Part) => readonly Part[] {
  const texts: Part[] = []
  const held = createHeldText()
  const tries = new Set<string>()
  /** The id of the first try: only that one counts. */
  let answer: string | undefined
  let calls = 0
  const isAnswer = (toolName: string): boolean => toolName === name

  return (part) => {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        held.add(sizeOf(part))
        texts.push(part)
        return []
      case 'tool-input-start':
        if (!isAnswer(part.toolName)) return [part]
        tries.add(part.id)
        if (answer !== undefined) return []
        answer = part.id
        return [{ type: 'text-start', id: part.id }]
      case 'tool-input-delta':
        if (part.id === answer) return [{ type: 'text-delta', id: part.id, delta: part.delta }]
        return tries.has(part.id) ? [] : [part]
      case 'tool-input-end':
        if (part.id === answer) return [{ type: 'text-end', id: part.id }]
        return tries.has(part.id) ? [] : [part]
      case 'tool-call':
        if (!isAnswer(part.toolName)) {
          calls += 1
          return [part]
        }
        if (answer !== undefined) return []
        answer = part.toolCallId
        return wholeText(part.toolCallId, part.input)
      case 'finish':
        return [
          ...(answer === undefined ? texts : []),
          answer !== undefined && calls === 0 ? { ...part, finishReason: answered(part.finishReason) } : part,
        ]
      default:
        return [part]
    }
  }
}

/** A part without a character takes room too. */
const sizeOf = (part: Part): number => ('delta' in part ? part.delta.length + 1 : 1)

const wholeText = (id: string, delta: string): readonly Part[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]
