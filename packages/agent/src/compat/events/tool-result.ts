/** Calls and their results in the form of the original Python project. */
import type { Json, Output, Part, ToolOutcome } from '@loom-agent/kernel'
import { textOf } from '../../types/text-of.ts'
import type { ToolCall, ToolResult } from './agent-event.ts'

/** The calls that a reply proposes, under Loom's own ids. */
export function callsOf(parts: readonly Part[], turn: number): readonly ToolCall[] {
  const proposed = parts.filter((part) => part.type === 'call')
  return proposed.map(({ name, input }, index) => ({ id: `${turn}.${index}`, name, arguments: input }))
}

/** The result of a call. */
export function toolResultOf(call: { readonly id: string; readonly name: string }, outcome: ToolOutcome): ToolResult {
  const { status, output, errorType, ms = 0, stages, meta } = outcome
  return {
    toolCallId: call.id,
    toolName: call.name,
    status,
    content: contentOf(output),
    isError: status === 'error',
    executionTimeMs: ms,
    metadata: {
      ...(errorType !== undefined && { errorType }),
      ...(meta?.['empty'] === true && { emptyResponse: true }),
      ...(stages && { stageBreakdown: stages }),
    },
  }
}

/** The output of a call as one text. */
export function contentOf(output: Output): string {
  if (output.type === 'parts') return textOf(output.value)
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value satisfies Json)
}
