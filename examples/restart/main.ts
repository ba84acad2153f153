import { agent, approve, sqlite, tool } from 'loom-agent'
import { z } from 'zod'
import { model } from '#ai'

const input = z.object({ id: z.number() })
const refund = tool({ input, permission: 'ask', run: ({ id }) => `refunded ${id}` })
const clerk = agent({ model, tools: { refund }, journal: sqlite('loom.db') })
const id = process.argv[2]
const run = id ? clerk.resume('7') : clerk.start('Refund 7', { thread: '7' })
if (id) await run.answer(id, approve())
const { text, questions } = await run.result()
console.log(text || questions[0]?.id)
