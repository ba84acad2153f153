/** A short tour: `npm start`. It needs no key: a scripted model plays the model, everything else is real. */
import { strict as assert } from 'node:assert'
import { agent, approve, diffFrames, frameAt, memoryJournal, readEvents, tool } from 'loom-agent'
import { z } from 'zod'
import { clerk, storyteller } from './models.ts'
import { chapter, fact, note, say } from './show.ts'

const journal = memoryJournal()

chapter('1', 'An agent answers, word by word')
const hello = agent({ name: 'storyteller', model: storyteller, journal }).start('What is Loom?', { thread: 'story' })
for await (const text of hello.text()) say(text)
say('\n')
assert.equal((await hello.result()).status, 'done')

chapter('2', 'A tool that moves money asks first')
const refunds: number[] = []
const refund = tool({
  description: 'Refunds an order.',
  input: z.object({ order: z.number(), amount: z.number() }),
  permission: 'ask',
  run: ({ order, amount }) => `refunded ${refunds.push(amount) && amount} for order ${order}`,
})
const lookUp = tool({ input: z.object({ order: z.number() }), effect: 'read', run: ({ order }) => ({ order, paid: 59 }) })
const shop = agent({ name: 'clerk', instructions: 'Be kind and exact.', model: clerk, tools: { lookUp, refund }, journal })
const first = await shop.run('Refund order 8812.', { thread: 'refund' })
assert.equal(first.status, 'waiting')
const [question] = first.questions
note(`The run waits. It holds no process: only a question, ${question?.id}`)
note(`${question?.prompt} ${JSON.stringify(question?.call?.input)}`)
assert.deepEqual(refunds, [])

chapter('3', 'Another agent object, which has only the journal, goes on after the answer')
const colleague = shop.with({})
await colleague.answer(question?.id ?? '', approve({ by: 'the tour' }))
const second = await colleague.resume('refund').result()
note(`${second.status}: ${second.text}`)
assert.equal(second.status, 'done')
assert.deepEqual(refunds, [59])

chapter('4', 'What happened is a list of facts')
for await (const event of readEvents(journal, 'refund')) fact(event)

chapter('5', 'Any moment can be looked at, and two of them compared')
const asked = await frameAt(journal, 'refund', 14)
const ended = await frameAt(journal, 'refund')
note(`refund@14 was ${asked.run?.status}, with ${Object.keys(asked.questions).length} open question; refund@${ended.seq} is ${ended.run?.status}`)
note(`${diffFrames(asked, ended).length} places differ`)
assert.equal(asked.run?.phase, 'tools')
assert.equal(ended.run?.status, 'finished')

say('\nThat was the tour. Next: README.md, then docs/guides/getting-started.md\n')
