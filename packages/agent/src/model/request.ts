/** The request of a turn, in a form that every vendor takes. */
import type { JsonObject, ToolSpec } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '../language-model/index.ts'
import { jsonSchemaOf, type Schema } from '../types/schema.ts'
import { type ModelIdentity, modelId } from './model.ts'
import { type WireSchema, wireSchemaOf } from './wire-schema.ts'

const outputs = new WeakMap<Schema, WireSchema>()

/** The schema of an answer, as it travels. Made once of each. */
export function outputSchemaOf(output: Schema): WireSchema {
  let schema = outputs.get(output)
  if (!schema) {
    schema = wireSchemaOf(jsonSchemaOf(output, 'output'))
    outputs.set(output, schema)
  }
  return schema
}

const wireTools = new WeakMap<readonly ToolSpec[], LanguageModelV4FunctionTool[]>()

/** Tools are rendered once: the frame keeps the same list between rebases. */
export function wireToolsOf(specs: readonly ToolSpec[]): LanguageModelV4FunctionTool[] {
  const known = wireTools.get(specs)
  if (known) return known
  const rendered = specs.map(({ name, description, schema, deferred }): LanguageModelV4FunctionTool => {
    const whenReferred = deferred && { providerOptions: { anthropic: { deferLoading: true } } }
    return {
      type: 'function',
      name,
      ...(description !== undefined && { description }),
      inputSchema: wireSchemaOf(schema).schema as never,
      ...whenReferred,
    }
  })
  wireTools.set(specs, rendered)
  return rendered
}

/** Claude up to 4.5 thinks by a budget where a general setting asks for reasoning. */
const thinksByBudget = /claude-(\d|instant|[a-z]+-4(-[0-5])?($|[-@:]))/

/**
 * The request without thinking, where Anthropic would refuse it: with a budget for thoughts, the turn that began the open calls must begin
 * with a thought, and one that another vendor began has none.
 */
export function withoutThinking(request: LanguageModelV4CallOptions, model: ModelIdentity): LanguageModelV4CallOptions {
  const { providerOptions, reasoning } = request
  const { thinking } = (providerOptions?.['anthropic'] ?? {}) as { thinking?: JsonObject }
  const isGeneral = thinking === undefined && reasoning !== undefined && reasoning !== 'none' && thinksByBudget.test(modelId(model))
  if (thinking?.['type'] !== 'enabled' && !isGeneral) return request
  return { ...request, providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.['anthropic'], thinking: { type: 'disabled' } } } }
}
