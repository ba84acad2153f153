/** Models of Google on the Gemini API. Prices are those of text, images and video; some models charge more for audio, which usage does not show. */
import type { ModelTable } from './model-info.ts'

const date = '2026-10-07'
const pricing = 'https://ai.google.dev/gemini-api/docs/pricing'
const listed = (id: string): string => `https://github.com/anomalyco/models.dev/blob/dev/providers/google/models/${id}.toml`

/** Models of Google by id. */
export const googleModels: ModelTable = {
  'google/gemini-3.8-flash': {
    contextWindow: 1_048_576,
    outputLimit: 65_536,
    price: { input: 750_000, output: 3_750_000, cacheRead: 75_000, until: '2026-12-31', date, source: pricing },
    input: ['text', 'image', 'video', 'audio', 'pdf'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: 'https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash',
  },
  'google/gemini-3.5-flash': {
    price: { input: 1_500_000, output: 9_000_000, cacheRead: 150_000, date, source: pricing },
    tools: true,
    source: pricing,
  },
  'google/gemini-3.1-pro-preview': {
    contextWindow: 1_048_576,
    outputLimit: 65_536,
    price: {
      input: 2_000_000,
      output: 12_000_000,
      cacheRead: 200_000,
      long: { above: 200_000, input: 4_000_000, output: 18_000_000, cacheRead: 400_000 },
      date,
      source: pricing,
    },
    input: ['text', 'image', 'video', 'audio', 'pdf'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: listed('gemini-3.1-pro-preview'),
  },
  'google/gemini-3-flash-preview': {
    contextWindow: 1_048_576,
    outputLimit: 65_536,
    price: { input: 500_000, output: 3_000_000, cacheRead: 50_000, date, source: listed('gemini-3-flash-preview') },
    input: ['text', 'image', 'video', 'audio', 'pdf'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: listed('gemini-3-flash-preview'),
  },
  'google/gemini-2.5-pro': {
    price: {
      input: 1_250_000,
      output: 10_000_000,
      cacheRead: 125_000,
      long: { above: 200_000, input: 2_500_000, output: 15_000_000, cacheRead: 250_000 },
      date,
      source: pricing,
    },
    tools: true,
    source: listed('gemini-2.5-pro'),
  },
  'google/gemini-2.5-flash': {
    price: { input: 300_000, output: 2_500_000, cacheRead: 30_000, date, source: pricing },
    tools: true,
    source: listed('gemini-2.5-flash'),
  },
  'google/gemini-2.5-flash-lite': {
    contextWindow: 1_048_576,
    outputLimit: 65_536,
    price: { input: 100_000, output: 400_000, cacheRead: 10_000, date, source: pricing },
    input: ['text', 'image', 'video', 'audio', 'pdf'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: listed('gemini-2.5-flash-lite'),
  },
}
