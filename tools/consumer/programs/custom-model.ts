/** A model made of a function, behind a fallback. */
import assert from 'node:assert/strict'
import { defineModel, fallbackModel } from '@loom-agent/models'
import { agent } from 'loom-agent'

const broken = defineModel({
  id: 'mine/broken',
  generate: () => {
    throw Object.assign(new Error('overloaded'), { statusCode: 529 })
  },
})
const echo = defineModel({ id: 'mine/echo', generate: ({ text }) => `You said: ${text}` })
const result = await agent({ name: 'echo', model: fallbackModel([broken, echo]) }).run('hello')
assert.equal(result.text, 'You said: hello')
