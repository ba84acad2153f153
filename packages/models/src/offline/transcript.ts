/** What the messages say of the task and of what was done about it. The model remembers nothing: this is all it knows, also after a restart. */
import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'

/** A call that has its result. */
export interface Done {
  readonly tool: string
  readonly isError: boolean
  readonly text: string
}

/** The task. */
export interface Transcript {
  /** What the user has said since the last answer. */
  readonly sentences: readonly string[]
  /** What came of the calls since then, in their order. */
  readonly done: readonly Done[]
  /** The last answer; empty before the first one. */
  readonly answer: string
}

/** Reads the messages. */
export function readTranscript(messages: readonly LanguageModelV4Message[]): Transcript {
  const answered = messages.findLastIndex((message) => message.role === 'assistant' && message.content.every(({ type }) => type !== 'tool-call'))
  const current = messages.slice(answered + 1)
  const results = current.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return {
    sentences: current.filter(({ role }) => role === 'user').map(textIn),
    done: results.flatMap((part) => (part.type === 'tool-result' ? [{ tool: part.toolName, ...outcomeOf(part.output) }] : [])),
    answer: textIn(messages[answered]),
  }
}

function textIn(message: LanguageModelV4Message | undefined): string {
  const parts = typeof message?.content === 'object' ? message.content : []
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim()
}

function outcomeOf(output: LanguageModelV4ToolResultOutput): Omit<Done, 'tool'> {
  if (output.type === 'execution-denied') return { isError: true, text: `It was not permitted. ${output.reason ?? ''}` }
  if (output.type === 'content')
    return { isError: false, text: output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n') }
  const { type, value } = output
  return { isError: type === 'error-text' || type === 'error-json', text: typeof value === 'string' ? value : JSON.stringify(value) }
}
