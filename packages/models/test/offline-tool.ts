/** Short ways to write a tool. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'

type Properties = Readonly<Record<string, object>>

/** A tool; without a list of required fields all are. */
export function spec(
  name: string,
  description: string,
  properties: Properties,
  required: string[] = Object.keys(properties),
): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: { type: 'object', properties, required } as never }
}

/** A text field. */
export const text = (description: string): object => ({ type: 'string', description })
