/**
 * Models of Anthropic. Cache writes are priced for five minutes, as the provider asks for by default. Whether tools and schemas are taken is what the
 * provider's package (@ai-sdk/anthropic) assumes.
 */
import type { ModelPrice, ModelTable } from './model-info.ts'
import { type Dollars, ratesOf } from './rates.ts'

const pricing = 'https://platform.claude.com/docs/en/about-claude/pricing'
const copilot = 'https://github.com/github/docs/blob/main/data/tables/copilot/models-and-pricing.yml'
const overview = (page: string): string => `https://platform.claude.com/docs/en/models/${page}/overview`
const listed = (id: string): string => `https://github.com/anomalyco/models.dev/blob/dev/providers/anthropic/models/${id}.toml`
const priced = (dollars: Dollars, source = pricing): ModelPrice => ({ ...ratesOf(dollars), date: '2026-10-10', source })

const images = { input: ['text', 'image'], output: ['text'], tools: true } as const
const sized = (contextWindow: number, outputLimit: number) => ({ contextWindow, outputLimit })
const large = { ...images, ...sized(1_000_000, 128_000), jsonSchema: true } as const

/** Models of Anthropic by id. */
export const anthropicModels: ModelTable = {
  'anthropic/claude-fable-5-1': { ...large, price: priced([10, 50, 0.25, 12.5]), source: overview('fable-5-1') },
  'anthropic/claude-opus-5-5': { ...large, price: priced([4, 20, 0.2, 5]), source: overview('opus-5-5') },
  'anthropic/claude-opus-5': { ...large, price: priced([5, 25, 0.5, 6.25]), source: overview('opus-5') },
  'anthropic/claude-sonnet-5-5': { ...large, price: priced([2, 10, 0.2, 2.5]), source: overview('sonnet-5-5') },
  'anthropic/claude-sonnet-5': { ...large, price: priced([2, 10, 0.2, 2.5]), source: overview('sonnet-5') },
  'anthropic/claude-haiku-5-5': {
    ...large,
    price: { ...priced([0.1, 0.5, 0.01, 0.125]), long: { above: 100_000, ...ratesOf([0.5, 2.5, 0.05, 0.625]) } },
    source: overview('haiku-5-5'),
  },
  'anthropic/claude-haiku-4-5': {
    ...large,
    ...sized(200_000, 64_000),
    price: priced([1, 5, 0.1, 1.25], copilot),
    source: overview('opus-5'),
  },
  'anthropic/claude-opus-4-8': { ...images, ...sized(1_000_000, 128_000), price: priced([5, 25, 0.5, 6.25]), source: listed('claude-opus-4-8') },
  'anthropic/claude-opus-4-7': { ...images, ...sized(1_000_000, 128_000), price: priced([5, 25, 0.5, 6.25]), source: listed('claude-opus-4-7') },
  'anthropic/claude-opus-4-6': { ...images, ...sized(1_000_000, 128_000), price: priced([5, 25, 0.5, 6.25]), source: listed('claude-opus-4-6') },
  'anthropic/claude-opus-4-5': { ...images, ...sized(200_000, 64_000), price: priced([5, 25, 0.5, 6.25]), source: listed('claude-opus-4-5') },
  'anthropic/claude-sonnet-4-6': {
    ...images,
    ...sized(1_000_000, 64_000),
    price: priced([3, 15, 0.3, 3.75], copilot),
    source: listed('claude-sonnet-4-6'),
  },
  'anthropic/claude-sonnet-4-5': {
    ...images,
    ...sized(200_000, 64_000),
    price: priced([3, 15, 0.3, 3.75], copilot),
    source: listed('claude-sonnet-4-5'),
  },
}
