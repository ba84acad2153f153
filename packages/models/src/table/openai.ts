/** Models of OpenAI, at their standard rates. */
import type { ModelPrice, ModelTable } from './model-info.ts'
import { type Dollars, ratesOf } from './rates.ts'

const copilot = 'https://github.com/github/docs/blob/main/data/tables/copilot/models-and-pricing.yml'
const page = (id: string): string => `https://developers.openai.com/api/docs/models/${id}`
const listed = (id: string): string => `https://github.com/anomalyco/models.dev/blob/dev/providers/openai/models/${id}.toml`
const gateway = (id: string): string => `https://vercel.com/ai-gateway/models/${id}`

/** `long`: the rates of requests with more than 272,000 tokens. */
function priced(dollars: Dollars, source: string, long?: Dollars): ModelPrice {
  return { ...ratesOf(dollars), ...(long && { long: { above: 272_000, ...ratesOf(long) } }), date: '2026-10-13', source }
}

const images = { input: ['text', 'image'], output: ['text'], tools: true, jsonSchema: true } as const
const million = { ...images, contextWindow: 1_050_000, outputLimit: 128_000 } as const
const medium = { contextWindow: 400_000, outputLimit: 128_000 } as const
const older = { ...images, contextWindow: 1_047_576, outputLimit: 32_768 } as const

/** Models of OpenAI by id. */
export const openaiModels: ModelTable = {
  'openai/gpt-6-astra': {
    ...million,
    price: priced([10, 50, 1, 12.5], page('gpt-6-astra'), [20, 75, 2, 25]),
    source: page('gpt-6-astra'),
  },
  'openai/gpt-6.1-sol': { ...million, price: priced([2, 10, 0.1, 2.5], page('gpt-6.1-sol'), [4, 15, 0.2, 5]), source: page('gpt-6.1-sol') },
  'openai/gpt-6-sol': { ...million, price: priced([2, 10, 0.2, 2.5], page('gpt-6-sol'), [4, 15, 0.4, 5]), source: page('gpt-6-sol') },
  'openai/gpt-5.5': {
    contextWindow: 1_050_000,
    outputLimit: 128_000,
    price: priced([5, 30, 0.5], copilot, [10, 45, 1]),
    tools: true,
    jsonSchema: true,
    source: listed('gpt-5.5'),
  },
  'openai/gpt-5.4': {
    ...million,
    price: priced([2.5, 15, 0.25], copilot, [5, 22.5, 0.5]),
    input: ['text', 'image', 'pdf'],
    source: listed('gpt-5.4'),
  },
  'openai/gpt-5.4-mini': { price: priced([0.75, 4.5, 0.075], copilot), tools: true, source: copilot },
  'openai/gpt-5.4-nano': { price: priced([0.2, 1.25, 0.02], copilot), tools: true, source: copilot },
  'openai/gpt-5.3-codex': { ...medium, price: priced([1.75, 14, 0.175], copilot), tools: true, source: listed('gpt-5.3-codex') },
  'openai/gpt-5': { ...medium, price: priced([1.25, 10, 0.125], listed('gpt-5')), tools: true, jsonSchema: true, source: listed('gpt-5') },
  'openai/gpt-5-mini': { ...images, ...medium, price: priced([0.25, 2, 0.025], copilot), source: listed('gpt-5-mini') },
  'openai/gpt-4.1': { ...older, price: priced([2, 8, 0.5], copilot), source: gateway('gpt-4.1') },
  'openai/gpt-4.1-mini': { ...older, price: priced([0.4, 1.6, 0.1], gateway('gpt-4.1-mini')), source: gateway('gpt-4.1-mini') },
}
