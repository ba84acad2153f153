/**
 * Answers that fit a schema, from models that cannot be held to one: the answer is a tool, and calling it is answering.
 *
 * ANSWER-1. What the model says beside its answer is not part of it; without an answer, what it says is what it says.
 * ANSWER-2. An answer beside other calls is none: the model has not seen their results.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4FinishReason } from '@loom-agent/agent/language-model'
import { mapped, type Part } from '../call/stream.ts'
import { type Wrapper, wrapModel } from '../call/wrapper.ts'

/**
 * Makes a model answer by a tool where an answer has to fit a schema.
 *
 * @example
 * const model = answerTool()(ollama('qwen3'))
 */
export function answerTool(): Wrapper {
  return (model) =>
    wrapModel(model, {
      async generate(call) {
        const asked = asking(call)
        if (!asked) return model.doGenerate(call)
        const result = await model.doGenerate(asked.call)
        const { content, answers } = contentOf(result.content, asked.name)
        return { ...result, content, finishReason: answers ? answered(result.finishReason) : result.finishReason }
      },
      async stream(call) {
        const asked = asking(call)
        if (!asked) return model.doStream(call)
        const result = await model.doStream(asked.call)
        return { ...result, stream: mapped(result.stream, createListener(asked.name)) }
      },
    })
}

interface Asked {
  readonly call: LanguageModelV4CallOptions
  /** What the tool is called in this call. */
  readonly name: string
}

/** The call with a tool for its answer; undefined when no schema is asked for. */
function asking({ responseFormat, ...call }: LanguageModelV4CallOptions): Asked | undefined {
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
function contentOf(content: readonly LanguageModelV4Content[], name: string): { content: LanguageModelV4Content[]; answers: boolean } {
  const isAnswer = (part: LanguageModelV4Content): boolean => part.type === 'tool-call' && part.toolName === name
  const isCall = (part: LanguageModelV4Content): boolean => part.type === 'tool-call' && part.toolName !== name
  if (content.some(isCall)) return { content: content.filter((part) => !isAnswer(part)), answers: false }
  const answer = content.find(isAnswer)
  if (answer?.type !== 'tool-call') return { content: [...content], answers: false }
  const others = content.filter((part) => part.type !== 'text' && !isAnswer(part))
  return { content: [...others, { type: 'text', text: answer.input }], answers: true }
}

/** Parts of the model in; out comes its answer as text, as it is written. Other words wait until it is known that there is no answer. */
function createListener(name: string): (part: Part) => readonly Part[] {
  const said: Part[] = []
  const tries = new Set<string>()
  /** The try that counts: the first. */
  let answer: string | undefined
  let calls = 0
  const isAnswer = (toolName: string): boolean => toolName === name

  return (part) => {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        said.push(part)
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
          ...(answer === undefined ? said : []),
          answer !== undefined && calls === 0 ? { ...part, finishReason: answered(part.finishReason) } : part,
        ]
      default:
        return [part]
    }
  }
}

const wholeText = (id: string, delta: string): readonly Part[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]
