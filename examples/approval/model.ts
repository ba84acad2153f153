/** The example's model: it calls `refund`, then reports the outcome. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const model: ScriptedModel = scriptedModel([
  { calls: [{ tool: 'refund', input: { id: 7 } }] },
  ({ prompt }) => (JSON.stringify(prompt.at(-1)).includes('paid 7') ? 'Order 7 is refunded.' : 'Order 7 is not refunded.'),
])
