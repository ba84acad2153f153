/**
 * Tokens of what a request holds, counted as strategies count them: estimated by script, and calibrated by what vendors counted before.
 *
 * EXPLAIN-4. The tokens of a request are those that a strategy sees for it, and the tokens of its parts are whole numbers that have this sum.
 */
import type { Entry, Frame } from '@loom-agent/kernel'
import { createScales, type RequestScale } from '../context/tokens.ts'
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '../language-model/index.ts'
import { tokensInMessage } from '../model/message-tokens.ts'
import { tokensInText } from '../model/text-tokens.ts'
import { tokensInWireMessage, tokensInWireTool } from '../model/wire-tokens.ts'
import type { ContextPart } from './explanation.ts'

/** The tokens of a message as it was sent, before calibration. */
export const tokensOfMessage = (message: LanguageModelV4Message): number => tokensInWireMessage(message, tokensInText)

/** The tokens of a tool as it was sent, before calibration. */
export const tokensOfTool = (tool: LanguageModelV4FunctionTool): number => tokensInWireTool(tool, tokensInText)

const toolLists = new WeakMap<readonly LanguageModelV4FunctionTool[], number>()

/** The tokens of a list of tools, before calibration. A thread sends the same list again. */
export function tokensOfTools(tools: readonly LanguageModelV4FunctionTool[]): number {
  const tokens = toolLists.get(tools) ?? tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0)
  toolLists.set(tools, tokens)
  return tokens
}

/** The tokens that an entry has when it is shown whole, before calibration. */
export const tokensOfEntry = ({ message }: Entry): number => tokensInMessage(message, tokensInText)

/** The tokens of a request that was made of a frame, with all that it holds. */
export function requestTokens(frame: Frame, { prompt, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): number {
  let estimated = 0
  for (const message of prompt) estimated += tokensOfMessage(message)
  for (const tool of tools) if (tool.type === 'function') estimated += tokensOfTool(tool)
  return createScales()(frame).total(estimated)
}

/** Parts whose tokens are estimates, with calibrated ones. Each is rounded together with those before it, so that the sum is the one of the request. */
export function calibrateParts(parts: readonly ContextPart[], { total, factor }: RequestScale): readonly ContextPart[] {
  const estimated = parts.reduce((sum, { tokens }) => sum + tokens, 0)
  const share = estimated === 0 ? factor : total(estimated) / estimated
  let read = 0
  let given = 0
  return parts.map((part) => {
    read += part.tokens
    const tokens = Math.round(read * share) - given
    given += tokens
    return { ...part, tokens, size: tokens + sizeOf(part.size - part.tokens, factor) }
  })
}

/** Tokens that are estimated and not sent, calibrated. */
export const sizeOf = (estimated: number, factor: number): number => Math.round(estimated * factor)
