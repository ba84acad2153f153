/** Tokens of what a context holds, estimated: one for every four characters of JSON. All of `explain` counts by these functions. */
import type { Entry } from '@loom-agent/kernel'
import { createRenderer } from '../context/render.ts'
import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '../language-model/index.ts'

const measure = (value: unknown): number => Math.ceil((JSON.stringify(value) ?? '').length / 4)

/** The tokens of a message as it was sent. */
export const tokensOfMessage = ({ content }: LanguageModelV4Message): number => measure(content)

/** The tokens of a tool as it was sent. */
export const tokensOfTool = (tool: LanguageModelV4FunctionTool): number => measure(tool)

/** The tokens that an entry has when it is shown whole. */
export function tokensOfEntry(entry: Entry): number {
  const message = createRenderer('v4').render(entry)
  return message ? tokensOfMessage(message) : 0
}
