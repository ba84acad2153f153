/** Tries a sentence on a model: asks, answers its calls as the list says, and judges what it did. */
import type { LanguageModelV4, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ExpectedCall, Holding, OfflineSentence } from './offline-sentence.ts'
import { toolboxes } from './offline-toolboxes.ts'

/** Right; an honest refusal where something could have been done; or something else than was asked. */
export interface Judgement {
  readonly verdict: 'right' | 'refused' | 'wrong'
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[]
  readonly text: string
}

const honest = /not a language model|不是语言模型/
const mostTurns = 6

/** Plays the sentence to its end. */
export async function judge(model: LanguageModelV4, { sentence, tools, expected }: OfflineSentence): Promise<Judgement> {
  const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: sentence }] }]
  const wanted = expected.kind === 'calls' ? expected.calls : []
  const calls: { tool: string; input: unknown }[] = []
  let text = ''
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const { content } = await model.doGenerate({ prompt: structuredClone(prompt), tools: toolboxes[tools] })
    const made = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (made.length === 0) break
    const answers = made.map(({ toolCallId, toolName, input }) => {
      calls.push({ tool: toolName, input: JSON.parse(input) })
      const value = wanted[calls.length - 1]?.result ?? 'ok'
      return { type: 'tool-result' as const, toolCallId, toolName, output: { type: 'text' as const, value } }
    })
    const asked = made.map(({ toolCallId, toolName, input }) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName,
      input: JSON.parse(input) as unknown,
    }))
    prompt.push({ role: 'assistant', content: asked } as LanguageModelV4Message, { role: 'tool', content: answers })
  }
  return { verdict: verdictOf({ calls, text }, expected), calls, text }
}

function verdictOf({ calls, text }: Omit<Judgement, 'verdict'>, expected: OfflineSentence['expected']): Judgement['verdict'] {
  const refused = calls.length === 0 && honest.test(text)
  switch (expected.kind) {
    case 'calls': {
      const fits = calls.length === expected.calls.length && calls.every((made, index) => isAs(made, expected.calls[index]))
      return fits ? 'right' : refused ? 'refused' : 'wrong'
    }
    case 'asks':
      return calls.length > 0 ? 'wrong' : expected.fields.every((field) => text.includes(field)) ? 'right' : refused ? 'refused' : 'wrong'
    case 'says':
      return calls.length > 0 ? 'wrong' : text.includes(expected.text) ? 'right' : refused ? 'refused' : 'wrong'
    case 'cannot':
      return refused ? 'right' : 'wrong'
  }
}

function isAs({ tool, input }: { tool: string; input: unknown }, expected: ExpectedCall | undefined): boolean {
  if (!expected || tool !== expected.tool || typeof input !== 'object' || input === null) return false
  const names = new Set([...Object.keys(input), ...Object.keys(expected.arguments)])
  return [...names].every((name) => isValue((input as Record<string, unknown>)[name], expected.arguments[name]))
}

function isValue(value: unknown, expected: string | number | boolean | Holding | undefined): boolean {
  if (typeof expected !== 'object') return value === expected
  return typeof value === 'string' && expected.$holding.every((text) => value.includes(text))
}
