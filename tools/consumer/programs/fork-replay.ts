/** A fork from an earlier moment, and a replay under other instructions. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { agent, searchThread, tool } from 'loom-agent'

const look = tool({ name: 'look', effect: 'read', run: () => 'the door is closed' })
const model = scriptedModel(({ prompt }) => {
  const said = JSON.stringify(prompt)
  if (!said.includes('door is')) return { calls: [{ tool: 'look' }] }
  return said.includes('open') ? 'I walked in.' : 'I went home.'
})
const guest = agent({ name: 'guest', instructions: 'Be polite.', model, tools: [look] })
assert.equal((await guest.run('Visit them.', { thread: 't' })).text, 'I went home.')

const [found] = await searchThread(guest.journal, 't', 'door is closed')
const fork = await guest.fork(found?.at ?? '', { edit: { kind: 'result', call: '1.0', result: 'the door is open' }, limits: { tokens: 10_000 } })
assert.equal((await fork.resume().result()).text, 'I walked in.')

const calls = model.requests.length
const report = await guest.replay('t', { with: { instructions: 'Be brief.' } })
assert.equal(report.divergence?.turn, 1)
assert.equal(model.requests.length, calls)
