/** Custom hooks in the form of the original Python project: analytics, a limit on calls, and an interruption. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { approve, tool } from 'loom-agent'
import { Agent, InterruptException, type LifecycleHook, lifecycleHook, SkipToolException } from 'loom-agent/compat'
import { z } from 'zod'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })

/** Counts what tools are used, and how many messages each call of the model gets. */
class CustomAnalyticsHook implements LifecycleHook {
  readonly name = 'analytics'
  readonly stats = new Map<string, number>()
  readonly lengths: number[] = []
  afterToolExecution(_frame: unknown, { toolName }: { toolName: string }): undefined {
    this.stats.set(toolName, (this.stats.get(toolName) ?? 0) + 1)
  }
  beforeLlmCall(_frame: unknown, messages: readonly unknown[]): undefined {
    this.lengths.push(messages.length)
  }
}

const twoCallsATurn: LifecycleHook = {
  name: 'two calls a turn',
  beforeToolExecution(_frame, { id }) {
    if (Number(id.split('.')[1]) >= 2) throw new SkipToolException('two calls are enough')
  },
}

const confirmLargeSums: LifecycleHook = {
  name: 'confirm large sums',
  beforeToolExecution(_frame, { arguments: input }) {
    if ((input as { a: number }).a > 100) throw new InterruptException('This is a large sum. Go on?')
  },
}

const analytics = new CustomAnalyticsHook()
const llm = scriptedModel([
  { calls: [1, 2, 3].map((a) => ({ tool: 'add', input: { a, b: 1 } })) },
  { calls: [{ tool: 'add', input: { a: 1000, b: 1 } }] },
  'The sums are done.',
])
const math = Agent.create(llm, { tools: [add], hooks: [analytics, twoCallsATurn, confirmLargeSums].map(lifecycleHook) })

const run = math.loom.start('Add.', { thread: 'hooks' })
const waiting = await run.result()
assert.equal(waiting.questions[0]?.prompt, 'This is a large sum. Go on?')
await run.answer(waiting.questions[0]?.id ?? '', approve())
assert.equal((await run.result()).text, 'The sums are done.')

assert.equal(analytics.stats.get('add'), 4)
assert.deepEqual(analytics.lengths, [1, 3, 5])
assert.match(JSON.stringify(llm.requests[1]?.prompt), /Skipped: two calls are enough/)
assert.match(JSON.stringify(llm.requests[2]?.prompt), /1001/)
