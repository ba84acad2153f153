/** The example's model: it wants to refund, and says afterwards what became of it. What it says depends on the prompt alone, so any process may ask. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const model: ScriptedModel = scriptedModel(({ prompt }) => {
  if (prompt.at(-1)?.role !== 'tool') return { calls: [{ tool: 'refund', input: { id: 7 } }] }
  return JSON.stringify(prompt.at(-1)).includes('refunded 7') ? 'Order 7 is refunded.' : 'Order 7 is not refunded.'
})
