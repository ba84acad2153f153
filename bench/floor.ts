/** The floor: a bare hand loop on the same model. It reads the stream, parses the arguments, calls the tool, pushes the messages: nothing else. */
import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'

/** The parts of a stream that a hand loop looks at. */
export async function handRead(
  model: LanguageModelV4,
  prompt: LanguageModelV4Message[],
): Promise<{ text: string; calls: { id: string; input: string }[] }> {
  const { stream } = await model.doStream({ prompt })
  const reader = stream.getReader()
  const calls: { id: string; input: string }[] = []
  let text = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value
    if (part.type === 'tool-call') calls.push({ id: part.toolCallId, input: part.input })
    else if (part.type === 'text-delta') text += part.delta
  }
  return { text, calls }
}

/** Runs a conversation by hand until the model answers. */
export async function handLoop(model: LanguageModelV4, look: (input: { turn: number }) => string | Promise<string>): Promise<string> {
  const prompt: LanguageModelV4Message[] = [
    { role: 'system', content: 'Look.' },
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
  ]
  for (;;) {
    const { text, calls } = await handRead(model, prompt)
    if (calls.length === 0) return text
    const inputs = calls.map(({ input }) => JSON.parse(input) as { turn: number })
    prompt.push({
      role: 'assistant',
      content: calls.map(({ id }, index) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: inputs[index] })),
    })
    const values = await Promise.all(inputs.map(look))
    prompt.push({
      role: 'tool',
      content: calls.map(({ id }, index) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: 'look',
        output: { type: 'text', value: values[index] ?? '' },
      })),
    })
  }
}
