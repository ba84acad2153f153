/** The text protocol: how tools, calls and results are written for a model that cannot call tools. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@loom-agent/agent/language-model'

/** Returns the text that explains the tools to the model. */
export type ExplainTools = (tools: readonly LanguageModelV4FunctionTool[], choice: LanguageModelV4CallOptions['toolChoice']) => string

/** The default text that explains the tools. */
export const explainTools: ExplainTools = (tools, choice) => {
  const listed = tools.map(
    ({ name, description, inputSchema }) =>
      `- ${name}${description ? `: ${description}` : ''}\n  Arguments (JSON Schema): ${JSON.stringify(inputSchema)}`,
  )
  return [
    'You have tools. To call one, write a block like this:',
    fenced('{"name": "<name of the tool>", "arguments": {<its arguments>}}'),
    'Several blocks are several calls. End your reply after the last block: the results come in the next message. Without a block, your reply is the answer.',
    ...mustCall(choice),
    'The tools:',
    ...listed,
  ].join('\n')
}

function mustCall(choice: LanguageModelV4CallOptions['toolChoice']): readonly string[] {
  if (choice?.type === 'required') return ['You must call a tool now.']
  return choice?.type === 'tool' ? [`You must call the tool ${choice.toolName} now.`] : []
}

const fenced = (json: string): string => `\`\`\`tool\n${json}\n\`\`\``

/** The prompt with calls and results as text, and the explanation in the system message. */
export function asText(prompt: readonly LanguageModelV4Message[], explanation: string): LanguageModelV4Message[] {
  const [first, ...rest] = prompt
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${explanation}` }, ...rest.map(messageAsText)]
    : [{ role: 'system', content: explanation }, ...prompt.map(messageAsText)]
}

const known = new WeakMap<LanguageModelV4Message, LanguageModelV4Message>()

/** Converts each message once: the agent passes the same objects again. */
function messageAsText(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'assistant' && message.role !== 'tool') return message
  const before = known.get(message)
  if (before) return before
  const made: LanguageModelV4Message = message.role === 'tool' ? resultsAsText(message.content) : callsAsText(message)
  known.set(message, made)
  return made
}

function callsAsText(message: Extract<LanguageModelV4Message, { role: 'assistant' }>): LanguageModelV4Message {
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { type: 'text' as const, text: fenced(JSON.stringify({ name: part.toolName, arguments: part.input })) } : part,
  )
  return { ...message, content }
}

function resultsAsText(content: Extract<LanguageModelV4Message, { role: 'tool' }>['content']): LanguageModelV4Message {
  const results = content.filter((part): part is LanguageModelV4ToolResultPart => part.type === 'tool-result')
  return { role: 'user', content: results.flatMap(resultAsText) }
}

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content']

function resultAsText({ toolName, output }: LanguageModelV4ToolResultPart): UserContent {
  const result = (text: string): UserContent => [{ type: 'text', text: `Result of ${toolName}:\n${text}` }]
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
