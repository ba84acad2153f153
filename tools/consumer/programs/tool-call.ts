/** A tool with a zod schema; the model repairs a call with wrong arguments. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { agent, tool } from 'loom-agent'
import { z } from 'zod'

const add = tool({
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'pure',
  run: ({ a, b }) => a + b,
})
const model = scriptedModel([
  { calls: [{ tool: 'add', input: { a: 'two', b: 2 } }] },
  { calls: [{ tool: 'add', input: { a: 2, b: 2 } }] },
  ({ prompt }) => (JSON.stringify(prompt.at(-1)).includes('4') ? 'It is 4.' : 'I cannot add.'),
])

assert.equal((await agent({ name: 'math', model, tools: { add } }).run('2+2?')).text, 'It is 4.')
assert.equal(model.requests.length, 3)
