import { agent, approve, done, tool } from 'loom-agent'
import { z } from 'zod'
import { model } from '#ai'

const refund = tool({
  input: z.object({ id: z.number() }),
  permission: 'ask',
  run: ({ id }) => `paid ${id}`,
})
const run = agent({ model, tools: { refund } }).start('Refund 7')
for (const q of (await run.result()).questions) await run.answer(q.id, approve())
console.log(done(await run.result()).text)
