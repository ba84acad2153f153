/** What a strategy may know of the model that the context is made for. */
import type { Usage } from '@loom-agent/kernel'
import type { ModelResolver } from '../model/model.ts'
import { highestPrice, type Priced, priceOf } from '../model/price.ts'
import { idsBehind } from '../model/vendor.ts'
import { chain } from '../platform/chain.ts'

/** What is known of a model's size; what is not known is left out. */
export interface ModelDescription {
  /** Tokens of a request and its reply together. */
  readonly window?: number | undefined
  /** The most tokens of a reply. */
  readonly output?: number | undefined
}

/** Returns what is known of a model; undefined when it is not known. */
export type DescribeModel = (id: string) => ModelDescription | undefined | Promise<ModelDescription | undefined>

/** The model that a context is made for. */
export interface ContextModel {
  /** Its id: `provider/name`. */
  readonly id: string
  /** Tokens of a request and its reply together: as the agent's `window` says, or else as the host knows; undefined when it is not known. */
  readonly window: number | undefined
  /** The most tokens of a reply; undefined when it is not known. */
  readonly output: number | undefined
  /** The price of a call in integer micro-units, of this model or of the one that `other` names; undefined when it is not known. */
  price(usage: Usage, other?: string): number | undefined
}

/** What knows models. The definition of an agent has it and is passed as it is. */
export interface ModelKnowledge extends Priced {
  readonly host: {
    readonly describeModel?: DescribeModel
    readonly loadPrices?: () => Promise<void> | undefined
    readonly resolveModel?: ModelResolver
  }
  readonly options: { readonly window?: number | undefined; readonly ports?: { readonly price?: unknown } | undefined }
}

/** What is known of the model of an id; at once where nothing has to be loaded. A host that fails knows nothing: its run goes on without. */
export function learnModel(knowledge: ModelKnowledge, id: string): ContextModel | Promise<ContextModel> {
  const { host, options } = knowledge
  const descriptions = idsBehind(id).map((one) => attempted(() => host.describeModel?.(one)))
  const prices = options.ports?.price === undefined ? attempted(() => host.loadPrices?.()) : undefined
  const waits = [...descriptions, prices].some((one) => one instanceof Promise)
  const all = waits ? settle(descriptions, prices) : (descriptions as readonly Described[])
  return chain(all, (known) => ({
    id,
    window: options.window ?? smallest(known.map((one) => one?.window)),
    output: smallest(known.map((one) => one?.output)),
    price: (usage, other = id) => highestPrice((one) => priceOf(knowledge, one, usage), other),
  }))
}

type Described = ModelDescription | undefined

async function settle(descriptions: readonly (Described | Promise<Described>)[], prices: unknown): Promise<readonly Described[]> {
  const settled: Described[] = []
  for (const one of descriptions) settled.push(await one)
  await prices
  return settled
}

function attempted<T>(ask: () => T | Promise<T>): T | undefined | Promise<T | undefined> {
  try {
    const asked = ask()
    return asked instanceof Promise ? asked.catch(() => undefined) : asked
  } catch {
    return undefined
  }
}

/** Of several models, any may reply: the smallest that is known counts. */
function smallest(sizes: readonly (number | undefined)[]): number | undefined {
  const known = sizes.filter((size) => size !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
