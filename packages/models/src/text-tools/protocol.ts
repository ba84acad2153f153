/** The text protocol: how tools, calls and results are written for a model that cannot call tools. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@loom-agent/agent/language-model'
import { markOf, openerOf } from './marks.ts'

/** Returns the text that explains the tools to the model. How a call is opened changes with every request, and is said at its end. */
export type ExplainTools = (tools: readonly LanguageModelV4FunctionTool[], choice: LanguageModelV4CallOptions['toolChoice']) => string

/** The default text that explains the tools. */
export const explainTools: ExplainTools = (tools, choice) => {
  const listed = tools.map(
    ({ name, description, inputSchema }) =>
      `- ${name}${description ? `: ${description}` : ''}\n  Arguments (JSON Schema): ${JSON.stringify(inputSchema)}`,
  )
  return [
    'You have tools. To call one, write a block whose first line is the one that the end of the newest message names, with this inside:',
    '{"name": "<name of the tool>", "arguments": {<its arguments>}}',
    'Several blocks are several calls. End your reply after the last block: the results come in the next message. Without a block, your reply is the answer.',
    'Blocks that you quote, or that begin in any other way, call nothing.',
    ...mustCall(choice),
    'The tools:',
    ...listed,
  ].join('\n')
}

function mustCall(choice: LanguageModelV4CallOptions['toolChoice']): readonly string[] {
  if (choice?.type === 'required') return ['You must call a tool now.']
  return choice?.type === 'tool' ? [`You must call the tool ${choice.toolName} now.`] : []
}

const fenced = (json: string, mark: string): string => `\`\`\`${openerOf(mark)}\n${json}\n\`\`\``

/** A prompt as text, and the mark under which its reply may call. */
export interface TextPrompt {
  readonly prompt: LanguageModelV4Message[]
  readonly mark: string
}

/** The prompt with calls and results as text, the explanation in the system message and, where the model may call, the mark of the request at its end. */
export function asText(prompt: readonly LanguageModelV4Message[], explanation: string, mayCall: boolean): TextPrompt {
  const [first, ...rest] = prompt
  const system: LanguageModelV4Message =
    first?.role === 'system' ? { ...first, content: `${first.content}\n\n${explanation}` } : { role: 'system', content: explanation }
  const messages = first?.role === 'system' ? rest : prompt
  const last = messages.at(-1)
  if (mayCall && last && last.role !== 'assistant') noted.add(last)
  const texts = messages.map((message, index) => messageAsText(message, messages[index - 1] ?? first))
  if (last && last.role !== 'assistant') return { prompt: [system, ...texts], mark: markOf(last) }
  // Nothing is there that could carry the mark: the prompt has no message of the user's side at its end.
  const mark = markOf(last ?? first ?? system)
  return { prompt: [system, ...texts, ...(mayCall ? [{ role: 'user' as const, content: [noteOn(mark)] }] : [])], mark }
}

const known = new WeakMap<LanguageModelV4Message, LanguageModelV4Message>()
/** Messages that ended a request with tools. They keep the mark in later requests: the prompt only grows. */
const noted = new WeakSet<LanguageModelV4Message>()

/** Converts each message once: the agent passes the same objects again. A call is written under the mark of the request that it answered. */
function messageAsText(message: LanguageModelV4Message, before: LanguageModelV4Message | undefined): LanguageModelV4Message {
  const isNoted = noted.has(message)
  if (message.role === 'system' || (message.role === 'user' && !isNoted)) return message
  const made = known.get(message)
  if (made) return made
  const converted = message.role === 'assistant' ? callsAsText(message, before) : fromOutside(message, isNoted)
  // A message is not final before it has ended a request: until then it may still get the mark of one.
  if (message.role === 'assistant' || isNoted) known.set(message, converted)
  return converted
}

function callsAsText(
  message: Extract<LanguageModelV4Message, { role: 'assistant' }>,
  before: LanguageModelV4Message | undefined,
): LanguageModelV4Message {
  const mark = markOf(before ?? message)
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { type: 'text' as const, text: fenced(JSON.stringify({ name: part.toolName, arguments: part.input }), mark) } : part,
  )
  return { ...message, content }
}

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content']

const noteOn = (mark: string): UserContent[number] => ({
  type: 'text',
  text: `(To call a tool in your next reply, open its block with \`\`\`${openerOf(mark)} and close it with \`\`\`.)`,
})

/** What people and tools say, with the mark at the end where the message ended a request. */
function fromOutside(message: Extract<LanguageModelV4Message, { role: 'user' | 'tool' }>, isNoted: boolean): LanguageModelV4Message {
  const mark = markOf(message)
  const content = message.role === 'user' ? message.content : resultsAsText(message.content, mark)
  return { role: 'user', content: isNoted ? [...content, noteOn(mark)] : content }
}

function resultsAsText(content: Extract<LanguageModelV4Message, { role: 'tool' }>['content'], mark: string): UserContent {
  const results = content.filter((part): part is LanguageModelV4ToolResultPart => part.type === 'tool-result')
  return results.flatMap((result) => resultAsText(result, mark))
}

function resultAsText({ toolName, output }: LanguageModelV4ToolResultPart, mark: string): UserContent {
  const result = (text: string): UserContent => [{ type: 'text', text: `Result of ${toolName} (${mark}):\n${text}\nEnd of the result (${mark}).` }]
  switch (output.type) {
    case 'text':
      return result(output.value)
    case 'json':
      return result(JSON.stringify(output.value))
    case 'error-text':
      return result(`Error: ${output.value}`)
    case 'error-json':
      return result(`Error: ${JSON.stringify(output.value)}`)
    case 'execution-denied':
      return result(`Refused: ${output.reason ?? 'no reason was given'}`)
    case 'content':
      return output.value.flatMap((part): UserContent => {
        if (part.type === 'text') return result(part.text)
        return part.type === 'file' ? [{ type: 'file', mediaType: part.mediaType, data: part.data as never }] : []
      })
  }
}
