/** A long run: one prompt, a tool with long results that is called again and again, and facts somewhere in them that the prompt asks for. */
import type { Tool } from '@loom-agent/agent'
import { tool } from '@loom-agent/agent'
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@loom-agent/agent/language-model'

/** What a long run is made of. */
export interface LongRunOptions {
  readonly seed: number
  /** Calls of the tool; default 500. */
  readonly turns?: number
  /** Characters of a result; default 4000. */
  readonly length?: number
}

/** A fact, and the call whose result has it. */
export interface PlacedFact {
  readonly text: string
  readonly call: string
}

/** A long run that is ready to start. */
export interface LongRun {
  readonly prompt: string
  readonly facts: readonly PlacedFact[]
  readonly look: Tool
  readonly model: LanguageModelV4
  /** The tokens of each request so far, as the vendor counts them. */
  readonly tokens: readonly number[]
  /** The last request, as text. */
  lastRequest(): string
}

type Message = LanguageModelV4CallOptions['prompt'][number]
type Reply = readonly LanguageModelV4StreamPart[]

/** Numbers from 0 up to, and without, another. */
function dice(seed: number): (sides: number) => number {
  let state = (seed * 2_654_435_761) >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * sides)
  }
}

const words = 'stone river cloud engine paper green forest yellow winter garden bottle market silver window candle bridge copper meadow'.split(' ')
const names = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon'] as const
/** Sentences that have a word of the prompt, and nothing that it asks for. */
const distractors = [
  'Every customer was greeted at the door.',
  'The invoice was printed on green paper.',
  'A number of bottles stood by the window.',
  'The office was closed in winter.',
  'Find the bridge behind the market.',
] as const

/** Sentences of so many characters; one in eight is a distractor. */
function filler(roll: (sides: number) => number, length: number): string {
  let text = ''
  while (text.length < length) {
    if (roll(8) === 0) text += `${distractors[roll(distractors.length)]} `
    else {
      const sentence = Array.from({ length: 6 + roll(8) }, () => words[roll(words.length)]).join(' ')
      text += `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. `
    }
  }
  return text.slice(0, length)
}

const finish = (unified: 'tool-calls' | 'stop', tokens: number): LanguageModelV4StreamPart => ({
  type: 'finish',
  usage: {
    inputTokens: { total: tokens, noCache: tokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 20, text: 20, reasoning: 0 },
  },
  finishReason: { unified, raw: unified },
})

/** A reply that calls a tool. */
const calling = (name: string, input: object, { number, tokens }: { number: number; tokens: number }): Reply => [
  { type: 'stream-start', warnings: [] },
  { type: 'tool-call', toolCallId: `call-${number}`, toolName: name, input: JSON.stringify(input) },
  finish('tool-calls', tokens),
]

const answering = (tokens: number): Reply => [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Done.' },
  { type: 'text-end', id: '0' },
  finish('stop', tokens),
]

/** Makes a long run. After its turns the model reads, with `read_more`, the results of the calls that `more` names, and is done. */
export function longRun({ seed, turns = 500, length = 4000 }: LongRunOptions, more: (request: string) => readonly string[] = () => []): LongRun {
  const roll = dice(seed)
  const facts = names.map((name, index): PlacedFact => {
    // Facts lie in different tenths of the run, at any place of them.
    const turn = 1 + Math.floor((index * turns) / names.length) + roll(Math.floor(turns / names.length))
    return { text: `The invoice of customer ${name} has the number ${10_000 + roll(90_000)}.`, call: `${turn}.0` }
  })
  const factOf = new Map(facts.map(({ text, call }) => [call, text]))
  const look = tool({
    name: 'look',
    effect: 'read',
    run: (_input, { call }) => {
      const text = filler(dice(seed * 1000 + Number.parseInt(call, 10)), length)
      const fact = factOf.get(call)
      if (fact === undefined) return text
      const at = text.indexOf('. ', Math.floor(length * 0.8 * (Number.parseInt(call, 10) / turns))) + 2
      return `${text.slice(0, at)}${fact} ${text.slice(at, length - fact.length - 1)}`
    },
  })
  const counts = new WeakMap<Message, number>()
  /** The vendor's own count, which is not Loom's estimate. */
  const count = (message: Message): number => {
    const known = counts.get(message) ?? JSON.stringify(message).length / 4.2
    counts.set(message, known)
    return known
  }
  const tokens: number[] = []
  let last: LanguageModelV4CallOptions['prompt'] = []
  let left: string[] | undefined
  const textOf = (): string => JSON.stringify(last)
  const reply = (): Reply => {
    const at = { number: tokens.length, tokens: tokens.at(-1) ?? 0 }
    if (tokens.length <= turns) return calling('look', {}, at)
    left ??= [...more(textOf())]
    const next = left.shift()
    return next === undefined ? answering(at.tokens) : calling('read_more', { call: next, find: 'The invoice of customer' }, at)
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'long-run',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('The model of a long run streams.')),
    async doStream({ prompt }) {
      last = prompt
      tokens.push(Math.ceil(prompt.reduce((sum, message) => sum + count(message), 0)))
      const parts = reply()
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            controller.close()
          },
        }),
      }
    },
  }
  return { prompt: 'Find the invoice number of every customer.', facts, look, model, tokens, lastRequest: textOf }
}

/** The facts that a request does not have. */
export function missingIn(request: string, facts: readonly PlacedFact[]): readonly PlacedFact[] {
  return facts.filter(({ text }) => !request.includes(text))
}
