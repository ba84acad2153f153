/** The tokens of a reply, as any version of the specification counts them. */
import type { Usage } from '@loom-agent/kernel'

/** What versions of the specification have as usage: counts, or objects of counts. */
interface AnyUsage {
  readonly inputTokens?: unknown
  readonly outputTokens?: unknown
  readonly cachedInputTokens?: unknown
  readonly reasoningTokens?: unknown
}

type Counts = { readonly [name: string]: unknown }

/** The tokens that a provider has counted. */
export function usageOf(usage: AnyUsage | null | undefined): Usage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage ?? {}
  const input = isObject(inputTokens) ? inputTokens : { total: inputTokens, cacheRead: cachedInputTokens }
  const output = isObject(outputTokens) ? outputTokens : { total: outputTokens, reasoning: reasoningTokens }
  const cacheRead = count(input['cacheRead'])
  const cacheWrite = count(input['cacheWrite'])
  const reasoning = count(output['reasoning'])
  const counted: { -readonly [K in keyof Usage]: Usage[K] } = { input: count(input['total']), output: count(output['total']) }
  if (cacheRead > 0) counted.cacheRead = cacheRead
  if (cacheWrite > 0) counted.cacheWrite = cacheWrite
  if (reasoning > 0) counted.reasoning = reasoning
  return counted
}

/** All tokens that were sent. Some providers leave out those that they read from a cache or wrote to it. */
export function sentTokens({ input, cacheRead = 0, cacheWrite = 0 }: Usage): number {
  const cached = cacheRead + cacheWrite
  return cached > input ? input + cached : input
}

const isObject = (value: unknown): value is Counts => typeof value === 'object' && value !== null

/** A count that is missing, negative or no number is 0: a budget never grows by what a provider says. */
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0)
