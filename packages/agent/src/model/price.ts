/**
 * What calls of models cost.
 *
 * PRICE-2. A reply is never lost for its price: a price that is not known is an unknown cost.
 */
import type { Usage } from '@loom-agent/kernel'
import { callUserNow } from '../platform/call-user.ts'
import type { Ports } from '../platform/ports.ts'
import { idsBehind } from './vendor.ts'

/** What prices are looked up in. The definition of an agent has it and is passed as it is. */
export interface Priced {
  readonly ports: Pick<Ports, 'price'>
}

/** The price of a call in whole micro-units. An error, or a value that is no price, counts as an unknown price (PRICE-2). */
export function priceOf(priced: Priced, model: string, usage: Usage): number | undefined {
  try {
    return knownPrice(callUserNow(() => priced.ports.price(model, usage)))
  } catch {
    return undefined
  }
}

/** The price in whole micro-units; undefined for what is no price. */
const knownPrice = (price: unknown): number | undefined =>
  typeof price === 'number' && Number.isFinite(price) && price >= 0 ? Math.round(price) : undefined

/** The price of a call, or why it is not known. */
export function lookUpPrice({ ports }: Priced, model: string, usage: Usage): { readonly price?: number; readonly error?: unknown } {
  try {
    const price = knownPrice(callUserNow(() => ports.price(model, usage)))
    return price === undefined ? {} : { price }
  } catch (error) {
    return { error }
  }
}

/** The most that a call may cost, whichever of the models behind the id replies; undefined when the price of one is not known. */
export function highestPrice(price: (id: string) => number | undefined, model: string): number | undefined {
  const prices = idsBehind(model).map(price)
  return prices.every((one) => one !== undefined) ? Math.max(...prices) : undefined
}
