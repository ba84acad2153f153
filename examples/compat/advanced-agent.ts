/** An advanced agent: permissions, tools side by side, a stream, and steering while it runs. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { tool } from 'loom-agent'
import { AgentExecutor, EventBus, errorNameOf } from 'loom-agent/compat'
import { z } from 'zod'

let together = 0
let most = 0
const search = tool({
  name: 'grep',
  input: z.object({ pattern: z.string() }),
  effect: 'read',
  async run({ pattern }, { progress }) {
    together += 1
    most = Math.max(most, together)
    progress(`looking for ${pattern}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    together -= 1
    return `3 lines with ${pattern}`
  },
})
const shell = tool({ name: 'bash', input: z.object({ command: z.string() }), run: () => 'never reached' })

const llm = scriptedModel([
  {
    calls: [
      { tool: 'grep', input: { pattern: 'warp' } },
      { tool: 'grep', input: { pattern: 'weft' } },
      { tool: 'bash', input: { command: 'rm -rf /' } },
    ],
  },
  'Warp and weft are used three times each.',
])

const executor = new AgentExecutor({
  llm,
  tools: [search, shell],
  // The original tool names work: execute_bash is Loom's bash.
  permissionPolicy: { grep: 'allow', execute_bash: 'deny', default: 'deny' },
  maxConcurrency: 10,
})

const run = executor.start('Where are warp and weft used?', { thread: 'advanced' })
const bus = new EventBus(executor.loom, run)
const progress: string[] = []
bus.subscribe('progress', (event) => {
  if (event.type === 'tool-delta') progress.push(String(event.data))
})
await bus.publish({ type: 'control', action: 'message', text: 'Be brief.', priority: 5 })
const result = await run.result()

assert.equal(result.text, 'Warp and weft are used three times each.')
assert.equal(most, 2, 'both searches ran at once')
assert.deepEqual(progress.toSorted(), ['looking for warp', 'looking for weft'])
assert.match(JSON.stringify(llm.requests[1]?.prompt), /Be brief\./, 'the message reached the model')

const stream = new AgentExecutor({ llm: scriptedModel([{ calls: [{ tool: 'nowhere' }] }, 'Sorry.']), tools: [search] })
const types: string[] = []
for await (const response of stream.execute('Use a tool that is not there.')) {
  if (types.at(-1) !== response.type) types.push(response.type)
  if (response.type === 'tool_result') assert.equal(errorNameOf(response.result.metadata.errorType ?? ''), 'ToolNotFoundError')
}
assert.deepEqual(types, ['stream_start', 'tool_calls_start', 'tool_result', 'text_delta', 'agent_finish'])
