/** The example's model: it calls `refund`, then reports the outcome. Its reply depends on the prompt alone, so any process may call it. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const model: ScriptedModel = scriptedModel(({ prompt }) => {
  if (prompt.at(-1)?.role !== 'tool') return { calls: [{ tool: 'refund', input: { id: 7 } }] }
  return JSON.stringify(prompt.at(-1)).includes('refunded 7') ? 'Order 7 is refunded.' : 'Order 7 is not refunded.'
})
