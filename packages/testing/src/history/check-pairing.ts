/** The law of pairing: every request that is sent to a provider is valid for it. */
import type { LanguageModelV4Message, LanguageModelV4ToolCallPart } from '@loom-agent/agent/language-model'

type CallName = Pick<LanguageModelV4ToolCallPart, 'toolCallId' | 'toolName'>

/**
 * Everything that a provider could refuse about the calls of a prompt: each has exactly one result, in the next message, in the order of the calls;
 * ids are unique; there are no results without calls and no empty messages. What the provider executed itself has its result in the same message.
 */
export function checkPairing(prompt: readonly LanguageModelV4Message[]): readonly string[] {
  const found: string[] = []
  const used = new Set<string>()
  const executed = new Set<string>()
  let open: readonly CallName[] = []
  prompt.forEach((message, index) => {
    const at = `message ${index} (${message.role})`
    if (message.role !== 'system' && message.content.length === 0) found.push(`${at} is empty`)
    if (message.role === 'tool') {
      found.push(
        ...mismatches(
          at,
          open,
          message.content.filter((part) => part.type === 'tool-result'),
        ),
      )
      open = []
      return
    }
    found.push(...open.map(({ toolCallId }) => `${at} comes before the result of ${toolCallId}`))
    open = []
    if (message.role !== 'assistant') return
    for (const part of message.content) {
      if (part.type === 'tool-result' && !executed.has(part.toolCallId)) found.push(`${at} has a result of ${part.toolCallId} without its call`)
      if (part.type !== 'tool-call') continue
      if (used.has(part.toolCallId)) found.push(`${at} uses the id ${part.toolCallId} again`)
      used.add(part.toolCallId)
      if (part.providerExecuted) executed.add(part.toolCallId)
      else open = [...open, part]
    }
  })
  return [...found, ...open.map(({ toolCallId }) => `the prompt ends before the result of ${toolCallId}`)]
}

/** How the results of a message differ from the calls of the message before. */
function mismatches(at: string, calls: readonly CallName[], results: readonly CallName[]): readonly string[] {
  const found: string[] = []
  const expected = calls.map(({ toolCallId }) => toolCallId)
  const given = results.map(({ toolCallId }) => toolCallId)
  for (const id of expected) if (!given.includes(id)) found.push(`${at} has no result of ${id}`)
  for (const id of new Set(given)) {
    const times = given.filter((other) => other === id).length
    if (!expected.includes(id)) found.push(`${at} has a result of ${id} without its call`)
    else if (times > 1) found.push(`${at} has ${times} results of ${id}`)
  }
  if (found.length > 0) return found
  for (const [index, { toolCallId, toolName }] of calls.entries()) {
    const result = results[index]
    if (result?.toolCallId !== toolCallId) return [`${at} has its results in another order than the calls`]
    if (result.toolName !== toolName) found.push(`${at} has a result of ${toolCallId} under the name ${result.toolName}, not ${toolName}`)
  }
  return found
}
