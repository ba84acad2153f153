/** A server of Loom over lines: a tool, and an agent. Started by inspector.test.ts. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { steadyModel } from '@loom-agent/testing'
import { serveMcp } from '@loom-agent/tools/mcp'
import { z } from 'zod'

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'pure',
  run: ({ a, b }) => ({ sum: a + b }),
})
const mail = tool({ name: 'mail', input: z.object({ to: z.string() }), run: ({ to }) => `sent to ${to}` })
const clerk = agent({ name: 'clerk', description: 'Knows the shop.', model: steadyModel(['We open at nine.']) })
const served = serveMcp({
  name: 'shop',
  tools: { add, mail },
  agents: { clerk },
  permissions: { add: 'allow', mail: 'ask' },
  journal: memoryJournal(),
})
await served.stdio()
