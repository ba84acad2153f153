/** An agent as a tool of another one; the parent's bill includes the child's. */
import assert from 'node:assert/strict'
import { scriptedModel } from '@loom-agent/testing'
import { agent } from 'loom-agent'

const researcher = agent({ name: 'researcher', description: 'Finds facts.', model: scriptedModel('The power loom was patented in 1785.') })
const model = scriptedModel([{ calls: [{ tool: 'researcher', input: { prompt: 'When?' } }] }, 'Looms have had power since 1785.'])
const writer = agent({ name: 'writer', model, tools: { researcher } })

const result = await writer.run('Write about looms.')
assert.equal(result.text, 'Looms have had power since 1785.')
assert.match(JSON.stringify(model.requests[1]?.prompt), /patented in 1785/)
assert.equal(result.usage.input, 30)
