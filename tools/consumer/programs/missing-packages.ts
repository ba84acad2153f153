/** What is not installed is named, with the line that installs it. */
import assert from 'node:assert/strict'
import { postgres } from '@loom-agent/journals/postgres'
import { scriptedModel } from '@loom-agent/testing'
import { agent, isLoomError, sqlite } from 'loom-agent'

process.env['ANTHROPIC_API_KEY'] = 'a key that nobody uses'
const result = await agent({ name: 'a', model: 'anthropic/claude-sonnet-5-5' })
  .run('Hi')
  .catch((error: unknown) => error)
assert.match(JSON.stringify(result, ['status', 'error', 'message', 'code']) + String(result), /npm install @ai-sdk\/anthropic/)

const missing = await (async () => postgres('postgres://nobody@127.0.0.1:1/none').threads())().catch((error: unknown) => error)
assert.ok(isLoomError(missing))
assert.match(missing.message, /npm install postgres$/)

const journal = sqlite(':memory:', { mode: 'strict' })
assert.equal((await agent({ name: 'a', model: scriptedModel('Hi.'), journal }).run('Hi')).text, 'Hi.')
await journal.close()
