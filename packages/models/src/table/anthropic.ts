/**
 * Models of Anthropic. Cache writes are priced for five minutes, as the provider asks for by default. Whether tools and schemas are taken is what the
 * provider's package (@ai-sdk/anthropic) assumes.
 */
import type { ModelTable } from './model-info.ts'

const date = '2026-10-10'
const pricing = 'https://platform.claude.com/docs/en/about-claude/pricing'
const copilot = 'https://github.com/github/docs/blob/main/data/tables/copilot/models-and-pricing.yml'
const overview = (page: string): string => `https://platform.claude.com/docs/en/models/${page}/overview`

/** Models of Anthropic by id. */
export const anthropicModels: ModelTable = {
  'anthropic/claude-fable-5-1': {
    contextWindow: 1_000_000,
    outputLimit: 128_000,
    price: { input: 10_000_000, output: 50_000_000, cacheRead: 250_000, cacheWrite: 12_500_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: overview('fable-5-1'),
  },
  'anthropic/claude-opus-5-5': {
    contextWindow: 1_000_000,
    outputLimit: 128_000,
    price: { input: 4_000_000, output: 20_000_000, cacheRead: 200_000, cacheWrite: 5_000_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: overview('opus-5-5'),
  },
  'anthropic/claude-opus-5': {
    contextWindow: 1_000_000,
    outputLimit: 128_000,
    price: { input: 5_000_000, output: 25_000_000, cacheRead: 500_000, cacheWrite: 6_250_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: overview('opus-5'),
  },
  'anthropic/claude-sonnet-5-5': {
    contextWindow: 1_000_000,
    outputLimit: 128_000,
    price: { input: 2_000_000, output: 10_000_000, cacheRead: 200_000, cacheWrite: 2_500_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: overview('sonnet-5-5'),
  },
  'anthropic/claude-sonnet-5': {
    contextWindow: 1_000_000,
    outputLimit: 128_000,
    price: { input: 2_000_000, output: 10_000_000, cacheRead: 200_000, cacheWrite: 2_500_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: overview('sonnet-5'),
  },
  'anthropic/claude-haiku-5-5': {
    contextWindow: 1_000_000,
    outputLimit: 128_000,
    price: {
      input: 100_000,
      output: 500_000,
      cacheRead: 10_000,
      cacheWrite: 125_000,
      long: { above: 100_000, input: 500_000, output: 2_500_000, cacheRead: 50_000, cacheWrite: 625_000 },
      date,
      source: pricing,
    },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: overview('haiku-5-5'),
  },
  'anthropic/claude-haiku-4-5': {
    contextWindow: 200_000,
    outputLimit: 64_000,
    price: { input: 1_000_000, output: 5_000_000, cacheRead: 100_000, cacheWrite: 1_250_000, date, source: copilot },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    jsonSchema: true,
    source: overview('opus-5'),
  },
  'anthropic/claude-opus-4-8': {
    price: { input: 5_000_000, output: 25_000_000, cacheRead: 500_000, cacheWrite: 6_250_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    source: pricing,
  },
  'anthropic/claude-opus-4-7': {
    price: { input: 5_000_000, output: 25_000_000, cacheRead: 500_000, cacheWrite: 6_250_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    source: pricing,
  },
  'anthropic/claude-opus-4-6': {
    price: { input: 5_000_000, output: 25_000_000, cacheRead: 500_000, cacheWrite: 6_250_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    source: pricing,
  },
  'anthropic/claude-opus-4-5': {
    price: { input: 5_000_000, output: 25_000_000, cacheRead: 500_000, cacheWrite: 6_250_000, date, source: pricing },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    source: pricing,
  },
  'anthropic/claude-sonnet-4-6': {
    price: { input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000, date, source: copilot },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    source: copilot,
  },
  'anthropic/claude-sonnet-4-5': {
    price: { input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000, date, source: copilot },
    input: ['text', 'image'],
    output: ['text'],
    tools: true,
    source: copilot,
  },
}
