/**
 * A cache around a tool that changes nothing.
 *
 * CACHED-1. Only results of `pure` and `read` tools are kept, never errors, and never longer than `ttl`.
 * CACHED-2. Runs with different dependencies share nothing, unless the program gives the key: a result may depend on who asks.
 */
import { systemClock, type Tool, type ToolContext } from '@loom-agent/agent'
import { callUser, checkOptions, type Expected, expected, noted, notesOf, toolDefinitionOf } from '@loom-agent/agent/kit'
import { type Clock, canonicalJson, type Json, LoomError } from '@loom-agent/kernel'
import { aroundBody } from './around-body.ts'

/** The options of `withCache()`. */
export interface CacheOptions {
  /** Milliseconds for which a result is returned again; default 300,000. */
  readonly ttl?: number
  /** Results that are kept; the one that was used longest ago is dropped first. Default 100. */
  readonly size?: number
  /** The key of a call: equal keys have equal results for every caller. Default: the arguments, for each value of `deps` by itself. */
  readonly key?: (input: unknown, context: Pick<ToolContext, 'thread' | 'deps'>) => string
  /** Replaces the platform's clock. */
  readonly clock?: Pick<Clock, 'now'>
}

const cacheShape: Readonly<Record<keyof CacheOptions, Expected>> = {
  ttl: expected.finite(1),
  size: expected.whole(1),
  key: expected.function,
  clock: expected.object,
}

interface Entry {
  readonly value: unknown
  readonly at: number
}

/** For runs whose dependencies are no object. */
const noOwner = {}

/**
 * A tool that returns the same result again for the same arguments. The result's `meta.cache` says `hit`, with its `age` in milliseconds, or `miss`.
 * The cache lives in this process; what a call returned is recorded, so a resumed run or a replay does not depend on it.
 *
 * @example
 * const fetch = withCache(webTools().fetch, { ttl: 60_000 })
 */
export function withCache<Deps>(tool: Tool<Deps>, options: CacheOptions = {}): Tool<Deps> {
  checkOptions('withCache', options, cacheShape)
  checkHarmless(tool)
  const { ttl = 300_000, size = 100, key: keyOf, clock = systemClock } = options
  const caches = new WeakMap<object, Map<string, Entry>>()
  const cacheOf = ({ deps }: ToolContext): Map<string, Entry> => {
    const owner = keyOf === undefined && typeof deps === 'object' && deps !== null ? deps : noOwner
    const known = caches.get(owner) ?? new Map<string, Entry>()
    caches.set(owner, known)
    return known
  }
  return aroundBody(tool, 'withCache', async (enter, { input, context }) => {
    const cache = cacheOf(context)
    const key = keyOf ? String(await callUser(() => keyOf(input, context))) : canonicalJson(input as Json)
    const found = cache.get(key)
    cache.delete(key)
    const now = clock.now()
    if (found && now - found.at < ttl) {
      // Put back behind the others: the first is the one that was used longest ago.
      cache.set(key, found)
      return noted(found.value, { cache: 'hit', age: now - found.at })
    }
    const value = await enter()
    const isError = (notesOf(value)?.value ?? value) instanceof Error
    if (!isError) keep(cache, { key, entry: { value, at: clock.now() }, size })
    return noted(value, { cache: 'miss' })
  })
}

function keep(cache: Map<string, Entry>, { key, entry, size }: { key: string; entry: Entry; size: number }): void {
  cache.delete(key)
  cache.set(key, entry)
  for (const oldest of cache.keys()) {
    if (cache.size <= size) return
    cache.delete(oldest)
  }
}

function checkHarmless(tool: Tool<never>): void {
  const { effect = 'unsafe' } = toolDefinitionOf(tool)
  if (effect === 'pure' || effect === 'read') return
  const found = typeof effect === 'function' ? 'may change something, by its arguments' : `is ${effect}`
  const message = `withCache: ${tool.name || 'the tool'} ${found}. Only pure and read tools can be cached: a call that is not made changes nothing.`
  throw new LoomError('LOOM_TOOL_INVALID', message, { context: { tool: tool.name, effect: typeof effect === 'function' ? 'by arguments' : effect } })
}
