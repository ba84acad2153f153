import { agent, approve, done, sqlite, tool } from 'loom-agent'
import { z } from 'zod'
import { model } from '#ai'

const input = z.object({ id: z.number() })
const refund = tool({ input, permission: 'ask', run: ({ id }) => `refunded ${id}` })
const clerk = agent({ model, tools: { refund }, journal: sqlite('loom.db') })
const id = process.argv[2]
const run = id ? clerk.resume('7') : clerk.start('Refund 7', { thread: '7' })
if (id) await run.answer(id, approve())
const result = await run.result()
console.log(result.status === 'waiting' ? result.questions[0]?.id : done(result).text)
