/** A server of its own process: agents over a journal in SQLite or PostgreSQL, with tools that take part in a world outside. Prints where it listens. */
import { appendFileSync } from 'node:fs'
import { agent, tool } from '@loom-agent/agent'
import { serve } from '@loom-agent/server/node'
import { scriptedModel } from '@loom-agent/testing'
import { openStorm } from './storm.ts'

const [file = '', world = '', mode = 'go'] = process.argv.slice(2)
/** A process that holds its runs never ends this. */
const look = tool({ name: 'look', effect: 'read', run: () => (mode === 'hold' ? new Promise(() => {}) : 'seen') })
const note = tool({
  name: 'note',
  effect: 'idempotent',
  run: (_: unknown, ctx) => {
    appendFileSync(world, `${ctx.key}\n`)
    return 'noted'
  },
})
const turns = ['note', 'look', 'note']
/** A model that goes by what it is shown: another process goes on where this one was. */
const model = scriptedModel([
  ({ prompt }) => {
    const said = prompt.filter(({ role }) => role === 'assistant').length
    const next = turns[said]
    return next === undefined ? 'Done.' : { calls: [{ tool: next }] }
  },
])
const clerk = agent({ name: 'clerk', model, tools: { look, note }, journal: openStorm(file) })
const server = await serve({
  agents: [clerk],
  port: 0,
  recover: 200,
  ...(mode === 'impatient' && { slowest: 3000 }),
  auth: () => ({ name: 'test', scopes: ['admin'] }),
})
process.once('SIGTERM', () => {
  void server
    .close({ grace: 100 })
    .then(() => clerk.journal.close())
    .then(() => console.log('closed'))
})
console.log(server.url)
