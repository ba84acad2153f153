/**
 * An attempt of a run with a budget. Loaded on use, because most runs have none.
 *
 * PRICE-1. Where a limit of money is to be kept, no model is called whose price is not known: neither the agent's own, nor one that it may fall back to, nor
 *          that of a child, whatever its own limits say. `limits.unpriced: 'allow'` of the run that has the limit lifts that (LIMIT-1).
 */
import { type Frame, isLoomError, LoomError, type Run, type Usage } from '@loom-agent/kernel'
import { definitionOf } from '../definition/agent-definition.ts'
import type { Definition } from '../definition/definition.ts'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { memberIdsOf } from '../model/members.ts'
import { type Model, modelId } from '../model/model.ts'
import { highestPrice, lookUpPrice, priceOf } from '../model/price.ts'
import { type Reserved, reserve } from '../model/reserve.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import { isAgentTool } from '../tool/agent-tool.ts'
import type { Toolbox } from '../tool/toolbox.ts'
import type { Attempt } from './model-drafts.ts'
import type { ModelWork } from './model-work.ts'

/** Reserves what an attempt may take. Throws when the price of it must be known and is not (PRICE-1). */
export function reserveAttempt(work: ModelWork, { frame, run }: Attempt, request: LanguageModelV4CallOptions): Reserved {
  const { definition, context, prompt } = work
  requirePrices(work, frame, run)
  const rendered = run.patch?.['keep'] === undefined ? prompt : undefined
  const price = (usage: Usage): number | undefined => highestPrice((id) => priceOf(definition, id, usage), modelId(context.model))
  return reserve({ frame, run, price, rendered }, request)
}

/** Whether a run may not call a model without a known price. */
const mustBePriced = ({ limits: { cost, unpriced } }: Run): boolean => cost !== undefined && unpriced === 'refuse'

/** Throws when a model that an attempt may call has no known price (PRICE-1). Those of children are looked up before the first call of the run. */
function requirePrices({ definition, context }: ModelWork, { turn }: Frame, run: Run): void {
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
  const { price, error } = lookUpPrice(definition, model, someUsage)
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
