/** Transcripts as lines, so that two of them can be compared. */
import type { UserMessages } from '@loom-agent/agent'
import { answerOf, outcomeOf, type Plan } from './plan.ts'

/** A part of a message, whatever it is. */
interface Spoken {
  readonly type: string
  readonly text?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: { readonly type: string; readonly value?: unknown }
}

/** The lines of a thread's messages. */
export function transcriptOf(messages: UserMessages): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (typeof content === 'string') return [`${role}: ${content}`]
    return content.map(({ type, text, toolName, input, output }: Spoken) => {
      if (type === 'tool-call') return `call ${toolName} ${JSON.stringify(input)}`
      return type === 'tool-result' ? `result ${output?.type} ${String(output?.value)}` : `${role}: ${text ?? type}`
    })
  })
}

/** The lines that a plan leads to. */
export function expectedTranscript(plan: Plan): readonly string[] {
  const turns = plan.turns.flatMap((calls) => [
    ...calls.map(({ tool, input }) => `call ${tool} ${JSON.stringify(input)}`),
    ...calls.map((call) => `result text ${outcomeOf(call)}`),
  ])
  return [`user: ${plan.input}`, ...turns, `assistant: ${answerOf(plan)}`]
}
