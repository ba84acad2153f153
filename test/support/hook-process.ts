/** A process that drives a thread until its hook waits, and lets the hook return when a line comes on its standard input. */
import { createInterface } from 'node:readline'
import { scriptedModel } from '@loom-agent/testing'
import { agent, sqlite, tool } from 'loom-agent'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Seen.' : { calls: [{ tool: 'look' }] }))
const waiting = {
  afterModelReply: async (): Promise<void> => {
    console.log('entered')
    await lines.next()
  },
}
const journal = sqlite(process.argv[2] ?? '')
const driver = agent({ name: 'a', model, tools: { look: tool({ effect: 'read', run: () => 'x' }) }, hooks: [waiting], journal })
const { status } = await driver.run('go', { thread: 't' })
console.log(status)
await lines.next()
await journal.close()
process.exit(0)
