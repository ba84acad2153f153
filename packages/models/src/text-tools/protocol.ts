/** The text protocol: how a model that calls no tools by itself is told of them, and how it sees its own calls and their results again. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@loom-agent/agent/language-model'

/** The text that explains the tools. Replaceable: `textTools({ explain })`. */
export type ExplainTools = (tools: readonly LanguageModelV4FunctionTool[], choice: LanguageModelV4CallOptions['toolChoice']) => string

/** What the model is told unless somebody says it better. */
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

/** The prompt without calls and results: both become text. */
export function asText(prompt: readonly LanguageModelV4Message[], explanation: string): LanguageModelV4Message[] {
  const [first, ...rest] = prompt
  const told: LanguageModelV4Message[] =
    first?.role === 'system'
      ? [{ ...first, content: `${first.content}\n\n${explanation}` }, ...rest.map(messageAsText)]
      : [{ role: 'system', content: explanation }, ...prompt.map(messageAsText)]
  return told
}

const known = new WeakMap<LanguageModelV4Message, LanguageModelV4Message>()

/** Each message is turned into text once: the agent hands over the same objects again. */
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
  const says = (text: string): UserContent => [{ type: 'text', text: `Result of ${toolName}:\n${text}` }]
  switch (output.type) {
    case 'text':
      return says(output.value)
    case 'json':
      return says(JSON.stringify(output.value))
    case 'error-text':
      return says(`Error: ${output.value}`)
    case 'error-json':
      return says(`Error: ${JSON.stringify(output.value)}`)
    case 'execution-denied':
      return says(`Refused: ${output.reason ?? 'no reason was given'}`)
    case 'content':
      return output.value.flatMap((part): UserContent => {
        if (part.type === 'text') return says(part.text)
        return part.type === 'file' ? [{ type: 'file', mediaType: part.mediaType, data: part.data as never }] : []
      })
  }
}
