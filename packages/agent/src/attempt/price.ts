/**
 * What calls of models cost.
 *
 * PRICE-1. Where a limit of money is to be kept, no model is called whose price is not known: neither the agent's own, nor one that it may fall back to, nor
 *          that of a child, whatever its own limits say. `limits.unpriced: 'allow'` of the run that has the limit lifts that (LIMIT-1).
 * PRICE-2. A reply is never lost for its price: one that cannot be told is an unknown cost.
 */
import { type Frame, isLoomError, LoomError, type Run, type Usage } from '@loom-agent/kernel'
import { definitionOf } from '../definition/agent-definition.ts'
import type { Definition } from '../definition/definition.ts'
import { memberIdsOf } from '../model/members.ts'
import type { Model } from '../model/model.ts'
import { idsBehind } from '../model/vendor.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import { isAgentTool } from '../tool/agent-tool.ts'
import type { Toolbox } from '../tool/toolbox.ts'
import type { ModelWork } from './model-work.ts'

/** The price of a call in whole micro-units. An error, or a value that is no price, counts as an unknown price (PRICE-2). */
export function priceOf(definition: Definition, model: string, usage: Usage): number | undefined {
  return lookUp(definition, model, usage).price
}

function lookUp({ ports }: Definition, model: string, usage: Usage): { readonly price?: number; readonly error?: unknown } {
  try {
    const price = ports.price(model, usage)
    return typeof price === 'number' && Number.isFinite(price) && price >= 0 ? { price: Math.round(price) } : {}
  } catch (error) {
    return { error }
  }
}

/** The most that a call may cost, whichever of the models behind the id replies; undefined when the price of one is not known. */
export function highestPrice(price: (id: string) => number | undefined, model: string): number | undefined {
  const prices = idsBehind(model).map(price)
  return prices.every((one) => one !== undefined) ? Math.max(...prices) : undefined
}

/** Whether a run may not call a model without a known price. */
const mustBePriced = ({ limits: { cost, unpriced } }: Run): boolean => cost !== undefined && unpriced === 'refuse'

/** Loads prices where a run has a limit of money; undefined when there is nothing to wait for. */
export function loadPrices({ options, host }: Definition, { limits }: Run): Promise<void> | undefined {
  return limits.cost !== undefined && options.ports?.price === undefined ? host.loadPrices?.() : undefined
}

/** Throws when a model that an attempt may call has no known price (PRICE-1). Those of children are looked up before the first call of the run. */
export function requirePrices({ definition, context }: ModelWork, { turn }: Frame, run: Run): void {
  if (!mustBePriced(run)) return
  for (const id of memberIdsOf(context.model)) requirePrice(definition, id)
  if (turn === run.firstTurn) requirePricesBelow(definition, context.toolbox)
}

/** The children that are known before they run: agents among the tools, and theirs. One that cannot be judged yet is when it calls its model. */
function requirePricesBelow(parent: Definition, { tools }: Toolbox): void {
  for (const { definition } of tools.values()) {
    if (!isAgentTool(definition)) continue
    const { name, options, toolbox } = definitionOf(definition.agent)
    for (const id of knownIdsOf(parent, options.model)) requirePrice(parent, id, name)
    if (toolbox) requirePricesBelow(parent, toolbox)
  }
}

/** The ids under which the price of a model is asked for. A function of the user may know an id only as the provider's package writes it. */
function knownIdsOf({ options }: Definition, model: Model | undefined): readonly string[] {
  if (typeof model === 'object') return memberIdsOf(model)
  return model === undefined || options.ports?.price ? [] : [model]
}

/** Any usage does to find out whether a price is known. */
const someUsage: Usage = { input: 1, output: 1 }

function requirePrice(definition: Definition, model: string, child?: string): void {
  const { price, error } = lookUp(definition, model, someUsage)
  if (price !== undefined) return
  const whose = child === undefined ? '' : `, the model of the child ${child},`
  const unknown = `The price of ${model}${whose} is not known. Give it with ports.price, or in a table: createModels({ table }).`
  const thrown = isLoomError(error) ? error.message : `ports.price threw for ${model}${whose.replace(/,$/, '')}: ${messageOf(error)}`
  const problem = error === undefined ? unknown : toSentence(thrown)
  const advice = "Without a price limits.cost cannot be kept; limits: { unpriced: 'allow' } allows calls without a price."
  throw new LoomError('LOOM_PRICE_UNKNOWN', `${problem} ${advice}`, {
    cause: error,
    context: { ...(isLoomError(error) && error.context), model, ...(child !== undefined && { agent: child }) },
  })
}
