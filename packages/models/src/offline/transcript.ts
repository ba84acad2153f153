/** Reads the task and the results so far from the messages. The model keeps no state of its own. */
import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@loom-agent/agent/language-model'

/** The current task, as the messages show it. */
export interface Transcript {
  /** What the user has said since the last answer. */
  readonly sentences: readonly string[]
  /** The results of the calls since then, in their order. */
  readonly results: readonly { readonly isError: boolean; readonly report: string }[]
  /** The last answer; empty before the first one. */
  readonly answer: string
}

/** Reads the messages. */
export function readTranscript(messages: readonly LanguageModelV4Message[]): Transcript {
  const answered = messages.findLastIndex((message) => message.role === 'assistant' && message.content.every(({ type }) => type !== 'tool-call'))
  const current = messages.slice(answered + 1)
  const parts = current.flatMap((message) => (message.role === 'tool' ? message.content : []))
  const results = parts.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    const isError = ['error-text', 'error-json', 'execution-denied'].includes(part.output.type)
    return [{ isError, report: `${part.toolName} ${isError ? 'did not succeed' : 'returned'}: ${shorten(outputText(part.output).trim())}` }]
  })
  return { sentences: current.filter(({ role }) => role === 'user').map(textIn), results, answer: textIn(messages[answered]) }
}

function textIn(message: LanguageModelV4Message | undefined): string {
  const parts = typeof message?.content === 'object' ? message.content : []
  const texts = parts.map((part) => (part.type === 'text' ? part.text : ''))
  return texts.join('').trim()
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  if (output.type === 'execution-denied') return `It was not permitted. ${output.reason ?? ''}`
  if (output.type === 'content') return output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
}

const shown = 2000

const shorten = (text: string): string =>
  text.length > shown ? `${text.slice(0, shown).toWellFormed()}\n[... ${text.length - shown} more characters]` : text
