/** A model object written by hand, without any package of a provider. */
import assert from 'node:assert/strict'
import { agent, type ModelObject } from 'loom-agent'

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}
const finishReason = { unified: 'stop', raw: undefined } as const
const model: ModelObject = {
  specificationVersion: 'v4',
  provider: 'mine',
  modelId: 'hello',
  supportedUrls: {},
  doGenerate: async () => ({ content: [{ type: 'text', text: 'Hello.' }], finishReason, usage, warnings: [] }),
  doStream: async () => ({
    stream: new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'text-delta', id: '1', delta: 'Hello.' })
        controller.enqueue({ type: 'finish', finishReason, usage })
        controller.close()
      },
    }),
  }),
}

const result = await agent({ name: 'greeter', model }).run('Hi')
assert.equal(result.status, 'done')
assert.equal(result.text, 'Hello.')
assert.deepEqual(result.usage, { input: 3, output: 2 })
