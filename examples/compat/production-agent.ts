/** A production agent: permissions that deny by default, metrics and log lines, limits, and recovery after a failure. */
import assert from 'node:assert/strict'
import { memoryJournal } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { tool } from 'loom-agent'
import { Agent, defaults, LoggingHook, MetricsHook, PermissionManager } from 'loom-agent/compat'
import { z } from 'zod'

const lookUp = tool({
  name: 'search_documents',
  input: z.object({ query: z.string() }),
  effect: 'read',
  run: ({ query }) => `3 documents on ${query}`,
})
const send = tool({ name: 'send_email', input: z.object({ to: z.string() }), run: () => 'sent' })
const journal = memoryJournal()
const lines: string[] = []
const metrics = new MetricsHook()

const settings = {
  tools: [lookUp, send],
  maxIterations: defaults.maxIterations,
  maxConcurrency: defaults.maxConcurrency,
  toolPolicy: new PermissionManager({ search_documents: 'allow', default: 'deny' }),
  hooks: [new LoggingHook({ log: ({ text }) => lines.push(text) }), metrics],
  eventJournal: journal,
  threadId: 'report-7',
}

// The provider goes down in the middle of the run.
const down = Object.assign(new Error('overloaded'), { statusCode: 400 })
const first = Agent.create(scriptedModel([{ calls: [{ tool: 'search_documents', input: { query: 'weaving' } }] }, { throws: down }]), settings)
await assert.rejects(first.run('Report on weaving and send it.'), { code: 'LOOM_RUN_FAILED' })

// Another process picks the thread up where it was: the search is not repeated, the user's question is not lost.
const llm = scriptedModel([{ calls: [{ tool: 'send_email', input: { to: 'boss@example.com' } }] }, 'I may not send it, but here it is.'])
const second = Agent.create(llm, settings)
let content = ''
for await (const event of second.resume('report-7')) if (event.type === 'agent_finish') content = event.content

assert.equal(content, 'I may not send it, but here it is.')
assert.match(JSON.stringify(llm.requests[0]?.prompt), /Report on weaving/)
assert.match(JSON.stringify(llm.requests[0]?.prompt), /3 documents on weaving/)
assert.match(JSON.stringify(llm.requests[1]?.prompt), /send_email is not permitted/)
assert.deepEqual(metrics.getMetrics(), { iterations: 3, llmCalls: 4, toolExecutions: 2, errors: 3 })
assert.ok(lines.some((line) => line.includes('failed')))
