/** The anti-loop sample: a call that repeats with the same result leads to a warning, then to a message to the model, then to a stop. Other calls do not. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { tool } from 'loom-agent'
import { Agent, AgentEventType, defaults } from 'loom-agent/compat'
import { z } from 'zod'

const search = tool({ name: 'search', input: z.object({ page: z.number() }), effect: 'read', run: ({ page }) => `nothing on page ${page}` })

// A model that asks for the same page for ever.
const stubborn = scriptedModel(() => ({ calls: [{ tool: 'search', input: { page: 1 } }] }))
const levels: string[] = []
let ended = ''
for await (const event of Agent.create(stubborn, { tools: [search] }).stream('Find it.')) {
  if (event.type === AgentEventType.RECURSION && event.loop) levels.push(event.loop.level)
  if (event.type === AgentEventType.RECURSION_TERMINATED) ended = event.reason
}
assert.deepEqual(levels, ['warn', 'nudge'])
assert.match(ended, /search was called 5 times with the same arguments and the same result/)
assert.equal(stubborn.requests.length, defaults.loopWindow)
assert.match(JSON.stringify(stubborn.requests.at(-1)?.prompt), /Do something else/, 'the model was warned before the run was stopped')

// The same tool on other pages is work, not a loop.
const diligent = scriptedModel((_, number) => (number <= 12 ? { calls: [{ tool: 'search', input: { page: number } }] } : 'Not found.'))
assert.equal(await Agent.create(diligent, { tools: [search] }).run('Find it.'), 'Not found.')

// And a limit of turns ends even that, with what there is.
const endless = scriptedModel((_, number) => ({ text: `Page ${number}.`, calls: [{ tool: 'search', input: { page: number } }] }))
let reached: { iterations: number; max: number; content: string } | undefined
for await (const event of Agent.create(endless, { tools: [search], maxIterations: 3 }).stream('Find it.')) {
  if (event.type === AgentEventType.MAX_ITERATIONS_REACHED) reached = event
}
assert.equal(reached?.iterations, 3)
assert.equal(reached?.max, 3)
assert.equal(reached?.content, 'Page 3.')
