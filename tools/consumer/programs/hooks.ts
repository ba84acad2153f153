/** Hooks: one redacts what a tool returned, one skips a call. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { agent, type Hook, skip, tool } from 'loom-agent'

interface Deps {
  readonly role: 'admin' | 'guest'
}
const define = tool<Deps>()
let removed = 0
const account = define({ name: 'account', effect: 'read', run: () => 'IBAN DE02120300000000202051, 20 euros' })
const remove = define({ name: 'remove', run: () => ++removed })

const redact: Hook<Deps> = {
  afterToolExecution: (_, { output }) =>
    output.type === 'text' ? { output: { type: 'text', value: output.value.replace(/DE\d{20}/, '[account]') } } : undefined,
}
const onlyAdmins: Hook<Deps> = {
  beforeToolExecution: ({ deps }, call) => (call.tool === 'remove' && deps.role !== 'admin' ? skip('only admins may remove') : undefined),
}

const model = scriptedModel([{ calls: [{ tool: 'account' }, { tool: 'remove' }] }, 'You have 20 euros.'])
await agent<Deps>()({ model, tools: [account, remove], hooks: [redact, onlyAdmins] }).run('How much?', { deps: { role: 'guest' } })
const sent = JSON.stringify(model.requests[1]?.prompt)
assert.match(sent, /IBAN \[account\], 20 euros/)
assert.match(sent, /only admins may remove/)
assert.equal(removed, 0)
