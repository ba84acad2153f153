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
  const [cacheRead, cacheWrite, reasoning] = [count(input['cacheRead']), count(input['cacheWrite']), count(output['reasoning'])]
  return {
    input: count(input['total']),
    output: count(output['total']),
    ...(cacheRead > 0 && { cacheRead }),
    ...(cacheWrite > 0 && { cacheWrite }),
    ...(reasoning > 0 && { reasoning }),
  }
}

/** All tokens that were sent. Some providers leave out those that they read from a cache or wrote to it. */
export function sentTokens({ input, cacheRead = 0, cacheWrite = 0 }: Usage): number {
  const cached = cacheRead + cacheWrite
  return cached > input ? input + cached : input
}

const isObject = (value: unknown): value is Counts => typeof value === 'object' && value !== null

/** A count that is missing, negative or no number is 0: a budget never grows by what a provider says. */
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0)
