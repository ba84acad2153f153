/** What the messages say of the task at hand and of what was done about it. The model remembers nothing: this is all it knows, also after a restart. */
import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@loom-agent/agent/language-model'
import { languageOf } from './language/lexicon.ts'
import type { LanguagePack } from './language/pack.ts'

/** A call that has its result. */
export interface Done {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly outcome: Outcome
}

/** How a call ended. */
export interface Outcome {
  readonly kind: 'ok' | 'error' | 'denied'
  readonly text: string
}

/** The task at hand. */
export interface Transcript {
  readonly pack: LanguagePack
  /** What the user has said since the last answer. */
  readonly tasks: readonly string[]
  /** What was asked before, when the last answer was a question for what is missing. */
  readonly asked: string | undefined
  readonly done: readonly Done[]
  /** Whether some answer said what kind of model this is. */
  readonly introduced: boolean
  /** Replies so far; makes the ids of calls unique. */
  readonly replies: number
}

/** Reads the messages. */
export function readTranscript(prompt: LanguageModelV4Prompt): Transcript {
  const answered = prompt.findLastIndex((message) => message.role === 'assistant' && callsOf(message).length === 0)
  const current = prompt.slice(answered + 1)
  const tasks = current.flatMap((message) => (message.role === 'user' ? [userText(message)] : [])).filter((text) => text !== '')
  const pack = languageOf(tasks.join('\n') || lastUserText(prompt))
  const answer = answered < 0 ? '' : assistantText(prompt[answered])
  const isQuestion = answer.includes(languageOf(answer).replies.needMark)
  return {
    pack,
    tasks,
    asked: isQuestion ? lastUserText(prompt.slice(0, answered)) : undefined,
    done: doneIn(current),
    introduced: prompt.some((message) => message.role === 'assistant' && isIntroduction(assistantText(message))),
    replies: prompt.filter(({ role }) => role === 'assistant').length,
  }
}

const isIntroduction = (text: string): boolean => text.includes(languageOf(text).replies.label)

const userText = (message: Extract<LanguageModelV4Message, { role: 'user' }>): string =>
  message.content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim()

const lastUserText = (prompt: LanguageModelV4Prompt): string => {
  const last = prompt.findLast((message) => message.role === 'user')
  return last?.role === 'user' ? userText(last) : ''
}

const assistantText = (message: LanguageModelV4Message | undefined): string =>
  message?.role === 'assistant' ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''

function callsOf(message: LanguageModelV4Message): readonly { readonly id: string; readonly tool: string; readonly input: unknown }[] {
  if (message.role !== 'assistant') return []
  return message.content.flatMap((part) => (part.type === 'tool-call' ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : []))
}

function doneIn(messages: LanguageModelV4Prompt): readonly Done[] {
  const outcomes = new Map<string, Outcome>()
  for (const message of messages) {
    if (message.role !== 'tool') continue
    for (const part of message.content) if (part.type === 'tool-result') outcomes.set(part.toolCallId, outcomeOf(part.output, part.toolName))
  }
  return messages.flatMap(callsOf).flatMap(({ id, tool, input }) => {
    const outcome = outcomes.get(id)
    return outcome ? [{ tool, input: recordOf(input), outcome }] : []
  })
}

const recordOf = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Readonly<Record<string, unknown>>) : {}

function outcomeOf(output: LanguageModelV4ToolResultOutput, tool: string): Outcome {
  switch (output.type) {
    case 'text':
      // A blank result reaches the model as this sentence; it is not the text of a file.
      return { kind: 'ok', text: output.value === `${tool} returned nothing.` ? '' : output.value }
    case 'json':
      return { kind: 'ok', text: textOfJson(output.value) }
    case 'error-text':
      return { kind: 'error', text: output.value }
    case 'error-json':
      return { kind: 'error', text: textOfJson(output.value) }
    case 'execution-denied':
      return { kind: 'denied', text: output.reason ?? '' }
    case 'content':
      return { kind: 'ok', text: output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n') }
  }
}

/** The text in a result that is one text with some figures around it; else the result as it is. */
function textOfJson(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  for (const key of ['content', 'text']) {
    const found = (value as Record<string, unknown>)[key]
    if (typeof found === 'string') return found
  }
  return JSON.stringify(value)
}
