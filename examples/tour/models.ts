/** The models of the tour: they say what they are told to say. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const storyteller: ScriptedModel = scriptedModel(
  'Loom keeps what an agent did as facts in a journal. A run is a fold over them: kill the process, and another one reads on where this one stopped.',
)

export const clerk: ScriptedModel = scriptedModel([
  { text: 'Let me look at the order.', calls: [{ tool: 'lookUp', input: { order: 8812 } }] },
  { text: 'It was paid with 59. I would refund that.', calls: [{ tool: 'refund', input: { order: 8812, amount: 59 } }] },
  'Order 8812 is refunded: 59 are on their way.',
])
