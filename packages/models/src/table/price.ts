/** Prices, in exact integers. */
import { LoomError, type Usage } from '@loom-agent/kernel'
import { infoOf, type ModelPrice, type ModelTable } from './model-info.ts'

/**
 * Returns the price of a call in integer micro-units (a dollar has 1,000,000), rounded once, at the end; undefined when it is not known. Throws
 * `LOOM_PRICE_UNKNOWN`, which names the day, when the price has ended.
 */
export function priceOf(table: ModelTable, id: string, { usage, now }: { readonly usage: Usage; readonly now: number }): number | undefined {
  const price = infoOf(table, id)?.price
  if (!price) return undefined
  if (isOver(price, now)) throw endedPrice(id, price)
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage
  const rates = price.long && input > price.long.above ? price.long : price
  const plain = Math.max(0, input - cacheRead - cacheWrite)
  const pieces: readonly (readonly [tokens: number, rate: number])[] = [
    [plain, rates.input],
    [cacheRead, rates.cacheRead ?? rates.input],
    [cacheWrite, rates.cacheWrite ?? rates.input],
    [output, rates.output],
  ]
  if (pieces.some(([tokens, rate]) => !Number.isSafeInteger(tokens) || !Number.isSafeInteger(rate))) return undefined
  const total = pieces.reduce((sum, [tokens, rate]) => sum + BigInt(tokens) * BigInt(rate), 0n)
  return Number((total + 500_000n) / 1_000_000n)
}

const day = 24 * 60 * 60 * 1000

function endedPrice(model: string, { until = '', source }: ModelPrice): LoomError {
  const message = `The price of ${model} ended on ${until}, as ${source} said. Give the price since then: createModels({ table }).`
  return new LoomError('LOOM_PRICE_UNKNOWN', message, { context: { model, until } })
}

const isOver = ({ until }: ModelPrice, now: number): boolean => until !== undefined && now >= Date.parse(until) + day
