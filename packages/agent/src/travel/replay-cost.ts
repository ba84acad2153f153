/**
 * What the requests of a replay would have cost.
 *
 * COST-1. A cost that is not known is undefined, and so is every sum that has one: never 0.
 *
 * A vendor counts tokens in its own way, so the recorded usage is taken, in the proportion of the two requests. What a cache would have had follows from
 * where the request begins with the one before.
 */
import type { Usage } from '@loom-agent/kernel'
import { type ContextModel, learnModel, type ModelKnowledge } from '../context/model-facts.ts'
import { sentTokens } from '../model/usage.ts'

/** The request of a turn, as it was and as it would be. */
export interface SentTwice {
  readonly recorded: number
  readonly replayed: number
  /** Whether the two differ. */
  readonly differs: boolean
  /** Whether it does not begin with the request before, as recorded and as replayed. */
  readonly isRebased: { readonly recorded: boolean; readonly replayed: boolean }
}

/** Prices the turns of a replay. */
export interface ReplayCosts {
  /** Notes the request of the next turn. */
  sent(request: SentTwice): void
  /** What the replayed request would have saved in micro-units, below 0 where it would have cost more; undefined where the price is not known. */
  saved(usage: Usage, model: string): Promise<number | undefined>
}

/** Costs before the first turn. */
export function createReplayCosts(knowledge: ModelKnowledge): ReplayCosts {
  const models = new Map<string, ContextModel>()
  let request: SentTwice | undefined
  /** The tokens that the replayed request before would have had, by the vendor's count. */
  let before = 0
  let isCaching = false
  return {
    sent(next) {
      request = next
    },
    async saved(usage, model) {
      isCaching ||= usage.cacheRead !== undefined || usage.cacheWrite !== undefined
      const other = request?.differs ? usageUnder(usage, request, isCaching ? before : undefined) : usage
      before = sentTokens(other)
      if (other === usage) return 0
      const known = models.get(model) ?? (await learnModel(knowledge, model))
      models.set(model, known)
      const [paid, would] = [known.price(usage), known.price(other)]
      return paid === undefined || would === undefined ? undefined : paid - would
    },
  }
}

/** The usage of the replayed request. `cached`: the tokens that a cache could have had; undefined where the vendor caches nothing. */
function usageUnder(usage: Usage, { recorded, replayed, isRebased }: SentTwice, cached: number | undefined): Usage {
  const all = sentTokens(usage)
  const sent = recorded === 0 ? all : Math.round((all * replayed) / recorded)
  const { output, reasoning, cacheRead = 0, cacheWrite = 0, input } = usage
  const said = { output, ...(reasoning !== undefined && { reasoning }) }
  if (cached === undefined) return { input: sent, ...said }
  const proportional = recorded === 0 ? cacheRead : Math.round((cacheRead * replayed) / recorded)
  const fresh = isRebased.recorded ? Math.min(cached, sent) : proportional
  const kept = isRebased.recorded ? Math.min(cacheRead, sent) : 0
  const read = Math.min(sent, isRebased.replayed ? kept : fresh)
  const write = cacheWrite > 0 ? sent - read : 0
  // Some providers leave out of the input what a cache had or got.
  const isApart = cacheRead + cacheWrite > input
  return { input: isApart ? sent - read - write : sent, ...said, ...(read > 0 && { cacheRead: read }), ...(write > 0 && { cacheWrite: write }) }
}
