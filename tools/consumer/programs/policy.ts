/** A policy: what may run, what asks, what is denied. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { agent, explainPermission, type Policy, tool } from 'loom-agent'
import { z } from 'zod'

const done: string[] = []
const pay = tool({ name: 'pay', input: z.object({ amount: z.number() }), run: ({ amount }) => done.push(`paid ${amount}`) })
const look = tool({ name: 'look', effect: 'read', run: () => done.push('looked') })
const policy: Policy = {
  rules: [
    { tool: '*', effect: ['pure', 'read'], verdict: 'allow' },
    { tool: 'pay', when: ({ input }) => (input as { amount: number }).amount > 1_000, verdict: 'deny', reason: 'too much' },
  ],
  default: 'ask',
}

const model = scriptedModel([{ calls: [{ tool: 'look' }, { tool: 'pay', input: { amount: 5_000 } }] }, 'I could only look.'])
const result = await agent({ name: 'clerk', model, tools: [pay, look], permissions: policy }).run('Pay.')
assert.equal(result.status, 'done')
assert.deepEqual(done, ['looked'])
assert.equal((await explainPermission(policy, { tool: 'pay', input: { amount: 5 } })).verdict, 'ask')
