/** The integration sample: persistence, a human in the loop, events, and a frame rebuilt from the journal. */
import assert from 'node:assert/strict'
import { frameAt, memoryJournal } from '@loom-agent/agent'
import { readEvents } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { approve, tool } from 'loom-agent'
import { Agent, AgentEventType, AgentExecutor, HITLHook, turnStateOf } from 'loom-agent/compat'
import { z } from 'zod'

const removed: string[] = []
const deleteFile = tool({
  name: 'delete_file',
  input: z.object({ path: z.string() }),
  run: ({ path }) => {
    removed.push(path)
    return `deleted ${path}`
  },
})
const journal = memoryJournal()
const settings = { tools: [deleteFile], eventJournal: journal, hooks: [new HITLHook(['delete_file'])] }

// The run stops before the dangerous call, and the process may end here.
const before = Agent.create(scriptedModel([{ text: 'Let me clean up.', calls: [{ tool: 'delete_file', input: { path: '/old/logs' } }] }]), settings)
const seen: string[] = []
let text = ''
for await (const event of before.stream('Clean up old files.', { thread: 'user-123' })) {
  seen.push(event.type)
  if (event.type === AgentEventType.LLM_DELTA) text += event.content
  if (event.type === AgentEventType.EXECUTION_CANCELLED) assert.equal(event.interrupt, true)
}
assert.equal(text, 'Let me clean up.')
assert.equal(seen.at(-1), AgentEventType.EXECUTION_CANCELLED)
assert.deepEqual(removed, [])

// Another process: the user has agreed, and exactly that call runs, once.
const executor = new AgentExecutor({ ...settings, llm: scriptedModel('All clean.') })
const { questions } = await executor.loom.resume('user-123').result()
assert.match(questions[0]?.prompt ?? '', /delete_file[\s\S]*\/old\/logs/)
await executor.loom.answer(questions[0]?.id ?? '', approve({ by: 'ann' }))
let answer = ''
for await (const event of executor.resume('user-123')) if (event.type === AgentEventType.AGENT_FINISH) answer = event.content
assert.equal(answer, 'All clean.')
assert.deepEqual(removed, ['/old/logs'])

// Everything that happened can be read again, and the frame at any moment rebuilt.
let replied = 0
for await (const fact of readEvents(journal, 'user-123')) if (fact.type === 'model.replied' && replied === 0) replied = fact.seq
assert.equal(turnStateOf(await frameAt(journal, 'user-123', replied)).turnCounter, 1)
assert.deepEqual(turnStateOf(await frameAt(journal, 'user-123')).toolCallHistory, ['delete_file'])
