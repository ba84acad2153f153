/** The floor: a bare hand loop on the same model. It reads the stream, parses the arguments, calls the tool, pushes the messages: nothing else. */
import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'

/** The parts of a stream that a hand loop needs. */
async function handRead(model: LanguageModelV4, prompt: LanguageModelV4Message[]): Promise<{ text: string; calls: { id: string; input: string }[] }> {
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

type Look = (input: { turn: number }) => string | Promise<string>
/** Stores a message; with it the loop commits twice a turn: the call before the tool runs, the result before the next request. */
export type Keep = (message: LanguageModelV4Message) => unknown

/** Runs a conversation by hand until the model answers. */
export async function handLoop(model: LanguageModelV4, look: Look, keep?: Keep): Promise<string> {
  const prompt: LanguageModelV4Message[] = [
    { role: 'system', content: 'Look.' },
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
  ]
  for (;;) {
    const { text, calls } = await handRead(model, prompt)
    if (calls.length === 0) return text
    const inputs = calls.map(({ input }) => JSON.parse(input) as { turn: number })
    const said: LanguageModelV4Message = {
      role: 'assistant',
      content: calls.map(({ id }, index) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: inputs[index] })),
    }
    prompt.push(said)
    if (keep) await keep(said)
    const values = await Promise.all(inputs.map(look))
    const found: LanguageModelV4Message = {
      role: 'tool',
      content: calls.map(({ id }, index) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: 'look',
        output: { type: 'text', value: values[index] ?? '' },
      })),
    }
    prompt.push(found)
    if (keep) await keep(found)
  }
}
