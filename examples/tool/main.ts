import { agent, done, tool } from 'loom-agent'
import { z } from 'zod'
import { model } from '#ai'

const add = tool({
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => a + b,
})
console.log(done(await agent({ model, tools: { add } }).run('2+2?')).text)
