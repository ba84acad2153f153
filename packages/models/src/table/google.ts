/** Models of Google on the Gemini API. Prices are those of text, images and video; some models charge more for audio, which usage does not show. */
import type { ModelPrice, ModelTable } from './model-info.ts'
import { type Dollars, ratesOf } from './rates.ts'

const pricing = 'https://ai.google.dev/gemini-api/docs/pricing'
const listed = (id: string): string => `https://github.com/anomalyco/models.dev/blob/dev/providers/google/models/${id}.toml`
const priced = (dollars: Dollars, source = pricing): ModelPrice => ({ ...ratesOf(dollars), date: '2026-10-07', source })
const long = (dollars: Dollars) => ({ above: 200_000, ...ratesOf(dollars) })

const sizes = { contextWindow: 1_048_576, outputLimit: 65_536 } as const
const media = {
  ...sizes,
  input: ['text', 'image', 'video', 'audio', 'pdf'],
  output: ['text'],
  tools: true,
  jsonSchema: true,
} as const

/** Models of Google by id. */
export const googleModels: ModelTable = {
  'google/gemini-3.8-flash': {
    ...media,
    price: { ...priced([0.75, 3.75, 0.075]), until: '2026-12-31' },
    source: 'https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash',
  },
  'google/gemini-3.5-flash': { ...sizes, price: priced([1.5, 9, 0.15]), tools: true, source: listed('gemini-3.5-flash') },
  'google/gemini-3.1-pro-preview': {
    ...media,
    price: { ...priced([2, 12, 0.2]), long: long([4, 18, 0.4]) },
    source: listed('gemini-3.1-pro-preview'),
  },
  'google/gemini-3-flash-preview': {
    ...media,
    price: priced([0.5, 3, 0.05], listed('gemini-3-flash-preview')),
    source: listed('gemini-3-flash-preview'),
  },
  'google/gemini-2.5-pro': {
    ...sizes,
    price: { ...priced([1.25, 10, 0.125]), long: long([2.5, 15, 0.25]) },
    tools: true,
    source: listed('gemini-2.5-pro'),
  },
  'google/gemini-2.5-flash': { ...sizes, price: priced([0.3, 2.5, 0.03]), tools: true, source: listed('gemini-2.5-flash') },
  'google/gemini-2.5-flash-lite': { ...media, price: priced([0.1, 0.4, 0.01]), source: listed('gemini-2.5-flash-lite') },
}
