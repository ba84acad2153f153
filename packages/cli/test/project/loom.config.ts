/** A project as users have one: an agent that may pay, in the journal that the environment names. */
import { scriptedModel } from '@loom-agent/testing'
import { workspace } from '@loom-agent/tools'
import { agent, compress, sqlite, tool } from 'loom-agent'

const look = tool({ name: 'look', effect: 'read', run: () => 'order number 8812, \u001b[2Jin red\u202e' })
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })

/** Looks twenty times where it is asked for that, pays where it is asked for that, and says hello otherwise. */
const model = scriptedModel(({ prompt }) => {
  const said = JSON.stringify(prompt.filter(({ role }) => role === 'user').at(-1))
  const since = prompt.length - 1 - prompt.findLastIndex(({ role }) => role === 'user')
  if (said.includes('Look') && since < 40) return { calls: [{ tool: 'look', input: { page: since } }] }
  if (said.includes('Pay') && since < 2) return { calls: [{ tool: 'pay', input: { to: 'bob\u202e' } }] }
  return 'All is well.'
})

export default {
  agents: () => [
    agent({
      name: 'support',
      model,
      tools: { look, pay },
      workspace: workspace({ root: import.meta.dirname }),
      journal: sqlite(process.env['LOOM_JOURNAL'] ?? 'loom.db'),
      context: compress(),
      window: 100_000,
    }),
  ],
}
